import Glibc

/// Bytes outside of Swift's arrays: they stay where they are from the last ``append(_:)`` on, so that a program in
/// another language can read them.
///
/// Where the system has no memory, the process ends, as it does for Swift's own arrays, which every table has beside these.
///
/// Unchecked: one thread appends, and nothing changes the bytes once they are in a ``ColumnArray``.
@safe
package final class GrowingBytes: @unchecked Sendable {
  /// Null while there are none.
  package private(set) var start: UnsafeMutableRawPointer?
  package private(set) var count = 0
  private var capacity = 0

  package init() {}

  /// Makes zeros, which take memory only when they are written.
  package init(zeros count: Int) {
    guard count > 0 else { return }
    guard let start = unsafe calloc(count, 1) else { fatalError("no memory for a table") }
    unsafe self.start = start
    (self.count, capacity) = (count, count)
  }

  deinit { unsafe free(start) }

  package func append<Value: BitwiseCopyable>(_ value: Value) {
    let size = MemoryLayout<Value>.size
    let end = unsafe room(for: size)
    unsafe end.storeBytes(of: value, as: Value.self)
    count += size
  }

  package func append<Value: BitwiseCopyable>(contentsOf values: ArraySlice<Value>) {
    guard !values.isEmpty else { return }
    unsafe values.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe room(for: bytes.count).copyMemory(from: base, byteCount: bytes.count)
      count += bytes.count
    }
  }

  /// Appends each byte as a 32-bit number.
  package func append(widening bytes: ArraySlice<UInt8>) {
    let end = unsafe room(for: 4 * bytes.count)
    var offset = 0
    for byte in bytes {
      unsafe end.storeBytes(of: Int32(byte), toByteOffset: offset, as: Int32.self)
      offset += 4
    }
    count += offset
  }

  package func append(utf8 text: String) {
    var text = text
    text.withUTF8 { bytes in
      guard let base = bytes.baseAddress, bytes.count > 0 else { return }
      unsafe room(for: bytes.count).copyMemory(from: base, byteCount: bytes.count)
      count += bytes.count
    }
  }

  /// Appends the same value many times.
  package func append<Value: BitwiseCopyable>(_ value: Value, times: Int) {
    let size = MemoryLayout<Value>.size
    let end = unsafe room(for: size * times)
    for place in 0..<times {
      unsafe end.storeBytes(of: value, toByteOffset: place * size, as: Value.self)
    }
    count += size * times
  }

  package func byte(at place: Int) -> UInt8 {
    guard let start = unsafe start, place >= 0, place < count else {
      preconditionFailure("no such byte")
    }
    return unsafe start.load(fromByteOffset: place, as: UInt8.self)
  }

  /// The end of the bytes, with room for more.
  private func room(for more: Int) -> UnsafeMutableRawPointer {
    if let start = unsafe start, count + more <= capacity { return unsafe start + count }
    capacity = max(64, count + more, capacity * 2)
    guard let moved = unsafe realloc(start, capacity) else { fatalError("no memory for a table") }
    unsafe start = moved
    return unsafe moved + count
  }
}
