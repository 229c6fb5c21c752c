#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
public import WakeEvents

extension AppleHealthImporter {
  /// Makes an importer of a file that is open for reading, or of a pipe.
  ///
  /// The descriptor is read once, from where it stands, and not closed.
  public init(
    file: String, fileDescriptor: Int32, symbols: Symbols,
    missingCreationDate: MissingCreationDate = .error
  ) {
    self.init(file: file, symbols: symbols, missingCreationDate: missingCreationDate) {
      try readChunk(of: file, fileDescriptor)
    }
  }

}

/// The next bytes of a file; none at its end.
private func readChunk(of file: String, _ descriptor: Int32) throws -> [UInt8] {
  try unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
    var result: Int
    repeat {
      result = unsafe read(descriptor, buffer.baseAddress, buffer.count)
    } while result < 0 && errno == EINTR
    guard result >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw AppleHealthError(
        code: .unreadable, file: file, line: nil, byteOffset: 0,
        message: "cannot be read: \(reason)")
    }
    count = result
  }
}
