import Glibc

/// Bytes that are read once, in sequence.
protocol ByteSource: AnyObject {
  /// The bytes of the file that have been read so far, compressed ones where it is compressed.
  var position: Int64 { get }

  /// Reads the next bytes to the start of `span`, which is not empty, and returns their number; 0 is the end.
  func read(into span: inout MutableSpan<UInt8>) throws(TraceError) -> Int
}

extension ByteSource {
  /// Reads the next bytes to the start of `bytes`, which is not empty, and returns their number; 0 is the end.
  func read(into bytes: inout [UInt8]) throws(TraceError) -> Int {
    var span = bytes.mutableSpan
    return try read(into: &span)
  }

  /// Reads to the end, but not much more than `most` bytes, and returns their number.
  ///
  /// - Parameter buffer: Scratch memory, not empty.
  func skip(_ most: Int64, through buffer: inout [UInt8]) throws(TraceError) -> Int64 {
    var skipped: Int64 = 0
    while skipped < most {
      let count = try read(into: &buffer)
      if count == 0 { break }
      skipped += Int64(count)
    }
    return skipped
  }
}

/// The bytes of a descriptor as they are.
final class PlainSource: ByteSource {
  let name: String
  let descriptor: Int32
  /// Whether bytes can be read again: it is a regular file.
  let isRegular: Bool
  private(set) var position: Int64 = 0
  /// The first bytes.
  let beginning: [UInt8]
  /// Those of them that ``read(into:)`` has not given.
  private var waiting: ArraySlice<UInt8> = []

  /// Looks at the first bytes of a descriptor, which the caller closes.
  init(_ descriptor: Int32, name: String) throws(TraceError) {
    self.name = name
    self.descriptor = descriptor
    isRegular = SystemCalls.status(of: descriptor)?.sort == S_IFREG
    var bytes = [UInt8](repeating: 0, count: Compression.prefixLength)
    let offset = isRegular ? Int64(lseek(descriptor, 0, SEEK_CUR)) : nil
    guard
      let count = SystemCalls.read(descriptor, count: bytes.count, at: offset, into: &bytes)
    else { throw .system("cannot be read", file: name) }
    bytes.removeLast(bytes.count - count)
    beginning = bytes
    if !isRegular { waiting = bytes[...] }
  }

  func read(into span: inout MutableSpan<UInt8>) throws(TraceError) -> Int {
    let count = try waiting.isEmpty ? readNew(into: &span) : readWaiting(into: &span)
    position += Int64(count)
    return count
  }

  private func readWaiting(into span: inout MutableSpan<UInt8>) -> Int {
    let count = min(span.count, waiting.count)
    for place in 0..<count { span[place] = waiting.removeFirst() }
    return count
  }

  private func readNew(into span: inout MutableSpan<UInt8>) throws(TraceError) -> Int {
    while true {
      let count = unsafe span.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 { return count }
      if errno != EINTR { throw .system("cannot be read", file: name) }
    }
  }
}
