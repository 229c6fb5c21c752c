#if LibDeflate
  import CLibdeflate
#else
  import CZlib
#endif

/// What traces are deflated and inflated with in this build.
enum Compression {
  #if LibDeflate
    /// `libdeflate 1.14`.
    static let name = "libdeflate \(LIBDEFLATE_VERSION_STRING)"
  #else
    /// `zlib 1.2.13`: of the library that was found when this was started.
    static var name: String {
      unsafe zlibVersion().map { unsafe "zlib \(String(cString: $0))" } ?? "zlib"
    }
  #endif
}
