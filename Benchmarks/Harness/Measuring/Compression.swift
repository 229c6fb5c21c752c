#if LibDeflate
  import CLibdeflate
#else
  import CZlib
#endif

/// The library that deflates and inflates traces in this build.
enum Compression {
  #if LibDeflate
    /// `libdeflate 1.14`.
    static let name = "libdeflate \(LIBDEFLATE_VERSION_STRING)"
  #else
    /// `zlib 1.2.13`: the version of the library at run time.
    static var name: String {
      unsafe zlibVersion().map { unsafe "zlib \(String(cString: $0))" } ?? "zlib"
    }
  #endif
}
