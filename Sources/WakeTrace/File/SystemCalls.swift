import CSystem
import Glibc
package import Synchronization

/// The system calls of this layer and the recorder, with strings and arrays in place of pointers.
///
/// Declarations name no type of C: several C modules have `mode_t` and others, and which of them the compiler takes,
/// and so which import a declaration needs, differs from build to build.
package enum SystemCalls {
  /// The type and the permissions of a file, as `mode_t` has them.
  package typealias Mode = UInt32

  /// The byte of a file that a recorder locks while it writes the file; far behind the end of any file.
  package static let recorderLock = 1 << 40

  /// Opens a file, never as standard input, output or error; negative on failure, with `errno` set.
  package static func open(_ path: String, _ flags: Int32, mode: Mode = 0o666) -> Int32 {
    behindStandard(uninterrupted { unsafe Glibc.open(path, flags | O_CLOEXEC, mode) })
  }

  /// Opens a new file without a name; one on a file system that has none gets a random name for a moment.
  package static func openNameless(in folder: String) -> Int32 {
    let nameless = unsafe system_open_nameless(folder, O_RDWR | O_EXCL, 0o600)
    if nameless >= 0 { return behindStandard(nameless) }
    let path = "\(folder)/.rouse-\(randomName)"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    if descriptor >= 0 { remove(path) }
    return descriptor
  }

  /// 16 hexadecimal digits that nobody can foretell.
  package static var randomName: String {
    let digits = String(UInt64.random(in: 0...(.max)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Whether a byte may be part of a ``randomName``.
  static func isInRandomName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  /// Removes a file; false if that fails. A file that is not there is removed.
  @discardableResult
  package static func remove(_ path: String) -> Bool {
    unsafe unlink(path) == 0 || errno == ENOENT
  }

  /// Waits until the disk has a file's bytes and length (fdatasync(2)).
  package static func synchronize(_ descriptor: Int32) -> Bool {
    HeldLock.releasedWhile { uninterrupted { fdatasync(descriptor) } } == 0
  }

  package static func truncate(_ descriptor: Int32, to length: Int64) -> Bool {
    uninterrupted { ftruncate(descriptor, Int(length)) } == 0
  }

  /// Waits until the disk has the names in the folder of a file.
  package static func synchronizeFolder(of path: String) -> Bool {
    let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return false }
    defer {
      let reason = errno
      close(descriptor)
      errno = reason
    }
    return HeldLock.releasedWhile { uninterrupted { fsync(descriptor) } } == 0
  }

  /// Repeats a call that a signal interrupts.
  static func uninterrupted(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// The folder of a file, as its path has it.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func rename(_ path: String, to newPath: String) -> Bool {
    unsafe Glibc.rename(path, newPath) == 0
  }

  /// The names in a folder; nil with `errno` set if it cannot be read to its end.
  package static func files(in folder: String) -> [String]? {
    guard let stream = unsafe opendir(folder) else { return nil }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      names.append(
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
        })
      errno = 0
    }
    // The end is told from a failure by errno alone.
    let reason = errno
    unsafe closedir(stream)
    errno = reason
    return reason == 0 ? names : nil
  }

  /// The absolute path, for messages and files that other processes read.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    return unsafe "\(String(cString: folder))/\(path)"
  }

  /// The path without symbolic links, if it leads to a file.
  package static func resolve(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  package struct Status {
    private let value: stat

    fileprivate init(_ value: stat) { self.value = value }

    package var sort: Mode { value.st_mode & S_IFMT }
    package var length: Int64 { Int64(value.st_size) }
    /// When its content was last changed, in nanoseconds since 1970.
    package var modified: Int64 {
      Int64(value.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(value.st_mtim.tv_nsec)
    }
    /// How many names (hard links) the file has.
    package var names: Int { Int(value.st_nlink) }
    package var permissions: Mode { value.st_mode & 0o777 }
    package var owner: UInt32 { value.st_uid }
    package var isOwn: Bool { owner == geteuid() }
    /// Whether it is neither this user's nor root's.
    package var isForeign: Bool { !isOwn && owner != 0 }
    /// Whether every user may write to it.
    package var isOpenToAll: Bool { permissions & S_IWOTH != 0 }
    /// Whether every user may make files in the folder, and remove only own ones.
    var isShared: Bool { isOpenToAll && value.st_mode & S_ISVTX != 0 }
    /// Whether it is a regular file that not everybody may read.
    package var isPrivate: Bool { sort == S_IFREG && permissions & S_IROTH == 0 }
    package var identity: Identity {
      Identity(device: UInt64(value.st_dev), number: UInt64(value.st_ino))
    }
  }

  /// Makes a folder unless there is one; returns whether there is one then.
  package static func makeFolder(_ path: String) -> Bool {
    unsafe mkdir(path, 0o777) == 0 || errno == EEXIST && status(of: path)?.sort == S_IFDIR
  }

  package static func status(of descriptor: Int32) -> Status? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Status(status) : nil
  }

  /// The status of the file that a path leads to; nil if there is none or it cannot be examined.
  package static func status(of path: String) -> Status? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Status(status) : nil
  }

  /// The status of what has a name: of a link itself, not of what it leads to.
  package static func status(ofEntry path: String) -> Status? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? Status(status) : nil
  }

  /// The type of the file that a path leads to; nil if there is none.
  package static func sort(of path: String) -> Mode? { status(of: path)?.sort }

  package struct Identity: Equatable {
    package var device, number: UInt64

    package init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }
  }

  /// The file that a path leads to; nil if there is none or it cannot be examined.
  package static func identity(of path: String) -> Identity? { status(of: path)?.identity }

  /// Starts a thread, which `pthread_join` waits for; nil if the system refuses it, with `errno` set.
  ///
  /// - Parameter stackBytes: The size of its stack; nil is the usual one.
  package static func startThread(
    stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) -> UInt? {
    final class Work: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    // Neither fails where the size is a multiple of a page, and large enough for a thread.
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    if let stackBytes { unsafe pthread_attr_setstacksize(&attributes, stackBytes) }
    let work = unsafe Unmanaged.passRetained(Work(body))
    let status = unsafe pthread_create(
      &thread, &attributes,
      { work in
        guard let work = unsafe work else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    if status == 0 { return thread }
    unsafe work.release()
    errno = status
    return nil
  }

  package static var processID: Int32 { getpid() }

  package static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Reads up to `count` bytes into the start of `buffer`, at `offset` or the descriptor's position; fewer only at the
  /// end of the file. Nil on failure, with `errno` set.
  package static func read(
    _ descriptor: Int32, count: Int, at offset: Int64? = nil, into buffer: inout [UInt8]
  ) -> Int? {
    var done = 0
    while done < count {
      let got = unsafe buffer.withUnsafeMutableBytes { bytes in
        let start = unsafe bytes.baseAddress?.advanced(by: done)
        // A slow disk must not make a fork wait.
        return HeldLock.releasedWhile {
          guard let offset else { return unsafe Glibc.read(descriptor, start, count - done) }
          return unsafe pread(descriptor, start, count - done, Int(offset) + done)
        }
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { return nil }
      if got == 0 { break }
      done += got
    }
    return done
  }

  /// Writes the first `count` bytes; returns how many were written, fewer on failure, with `errno` set.
  package static func write(_ bytes: [UInt8], count: Int, to descriptor: Int32) -> Int {
    var done = 0
    while done < count {
      let put = unsafe bytes.withUnsafeBytes { bytes in
        withoutSignals {
          // A slow disk or reader must not make a fork wait.
          HeldLock.releasedWhile {
            unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), count - done)
          }
        }
      }
      if put < 0, errno == EINTR { continue }
      // Another process that has the pipe or socket, too, may have made it non-blocking.
      if put < 0, errno == EAGAIN, waitUntilWritable(descriptor) { continue }
      if put == 0 { errno = EIO }
      guard put > 0 else { return done }
      done += put
    }
    return done
  }

  /// Whether the process exits, so that a pipe whose reader does not read is waited for a second and not for ever.
  package static let isExiting = Atomic<Bool>(false)

  private static func waitUntilWritable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    var patience = 10
    while patience > 0 {
      let ready = HeldLock.releasedWhile { uninterrupted { unsafe poll(&entry, 1, 100) } }
      if ready != 0 { return ready > 0 }
      if isExiting.load(ordering: .relaxed) { patience -= 1 }
    }
    errno = EAGAIN
    return false
  }
}

extension TraceError {
  package static func system(_ what: String, file: String, offset: Int64? = nil) -> TraceError {
    let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    return TraceError(
      code: .inputOutput, file: file, offset: offset, message: "\(what): \(reason)")
  }
}
