import Glibc

/// A client of a Unix stream socket.
final class SocketClient: @unchecked Sendable {
  // Sendable: one thread at a time uses it.
  private let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)

  deinit { close() }

  /// Connects; nil if nobody listens.
  init?(_ path: String) {
    guard unsafe Self.call(connect, descriptor, path) else { return nil }
  }

  /// Calls `connect` or `bind`; false if that fails.
  static func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32,
    _ path: String
  ) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  /// Sends all of a text; false if the other end is closed.
  @discardableResult
  func send(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }

  private var isClosed = false

  func close() {
    if !isClosed { Glibc.close(descriptor) }
    isClosed = true
  }
}
