#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Reads an open file in chunks.
struct DescriptorSource {
  let descriptor: Int32
  /// The name of the file, for messages.
  let file: String

  /// Reads the next bytes into `span` and returns their number; 0 is the end.
  func read(into span: inout MutableSpan<UInt8>) throws(ImportError) -> Int {
    while true {
      let count = unsafe span.withUnsafeMutableBytes {
        unsafe systemRead(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 { return count }
      let code = errno
      if code == EINTR { continue }
      throw ImportError(
        code: .unreadable, file: file,
        message: "cannot be read: \(unsafe String(cString: strerror(code)))")
    }
  }
}

/// `read(2)`, which the method of the same name shadows.
private func systemRead(
  _ descriptor: Int32, _ address: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  unsafe read(descriptor, address, count)
}
