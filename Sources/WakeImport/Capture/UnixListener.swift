internal import Glibc
import WakeTrace

/// A listening Unix stream socket; its path is removed with it.
public final class UnixListener {
  enum Arrival {
    case client(Int32)
    /// A client that is closed, as it is another user's.
    case foreign(user: uid_t?)
    case nobody
    case refused(String)
  }

  /// The path of the socket.
  public let path: String
  let descriptor: Int32
  private let takesAllUsers: Bool
  /// The identity of the file, to remove no other file of the same path.
  private var file: (device: dev_t, number: ino_t)?

  /// Makes a socket; one that a dead process left is replaced.
  ///
  /// - Parameters:
  ///   - path: Where it is made.
  ///   - takesAllUsers: Whether clients of every user are accepted, or those of this one and of root alone.
  /// - Throws: ``ImportError`` with `unreadable` if another process listens there, the path is another file, or the
  ///   system refuses.
  public init(path: String, takesAllUsers: Bool = false) throws(ImportError) {
    (self.path, self.takesAllUsers) = (path, takesAllUsers)
    descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw .system("cannot be made", file: path) }
    guard let address = UnixAddress(path) else {
      throw ImportError(
        code: .unreadable, file: path,
        message: "a socket's path has from 1 to \(UnixAddress.longestPath) bytes")
    }
    // The mode comes with the name: a later chmod could meet a link in its place.
    let mask = takesAllUsers ? umask(0o111) : nil
    defer { if let mask { _ = umask(mask) } }
    if unsafe !address.call(bind, descriptor) {
      guard errno == EADDRINUSE, try Self.isStale(path, address), unsafe unlink(path) == 0,
        unsafe address.call(bind, descriptor)
      else { throw .system("cannot be made", file: path) }
    }
    var status = stat()
    if unsafe lstat(path, &status) == 0 { file = (status.st_dev, status.st_ino) }
    guard Glibc.listen(descriptor, 128) == 0 else { throw .system("cannot be made", file: path) }
  }

  deinit {
    close(descriptor)
    var status = stat()
    if let file, unsafe lstat(path, &status) == 0, status.st_dev == file.device,
      status.st_ino == file.number
    {
      unsafe _ = unlink(path)
    }
  }

  /// Whether the path is a socket on which nobody listens.
  private static func isStale(_ path: String, _ address: UnixAddress) throws(ImportError) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      throw ImportError(
        code: .unreadable, file: path, message: "is there already, and is no socket")
    }
    // Where it is listened on but no client is accepted, connecting would wait.
    let probe = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard probe >= 0 else { throw .system("is a socket that cannot be looked at", file: path) }
    defer { close(probe) }
    if unsafe !address.call(connect, probe) {
      if errno == ECONNREFUSED { return true }
      if errno != EAGAIN { throw .system("is a socket that cannot be looked at", file: path) }
    }
    throw ImportError(
      code: .unreadable, file: path, message: "is a socket that another process listens on")
  }

  /// The user at the other end of a socket; nil if the system does not tell.
  private static func user(of client: Int32) -> uid_t? {
    // ucred of unix(7), which Swift does not import: process, user and group.
    var peer: (Int32, uid_t, gid_t) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: peer))
    let status = unsafe getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &length)
    return status == 0 ? peer.1 : nil
  }

  func accept() -> Arrival {
    let client = SystemCalls.accept(on: descriptor)
    if client >= 0 {
      let user = Self.user(of: client)
      guard takesAllUsers || user == 0 || user == geteuid() else {
        close(client)
        return .foreign(user: user)
      }
      return .client(client)
    }
    switch errno {
    case EAGAIN: return .nobody
    // Behind it may be others.
    case EINTR, ECONNABORTED: return accept()
    default: return .refused(unsafe String(cString: strerror(errno)))
    }
  }
}

/// The address of a Unix socket.
private struct UnixAddress {
  private var value = sockaddr_un()

  /// The longest path in UTF-8 bytes, without its zero.
  static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  init?(_ path: String) {
    let bytes = Array(path.utf8)
    guard (1...Self.longestPath).contains(bytes.count), !bytes.contains(0) else { return nil }
    value.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &value.sun_path) { unsafe $0.copyBytes(from: bytes) }
  }

  /// Calls `bind` or `connect`.
  @safe
  func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32
  ) -> Bool {
    unsafe withUnsafePointer(to: value) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe function(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
