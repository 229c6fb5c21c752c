package import Glibc

/// The system calls of this layer and the recorder, with strings and arrays in place of pointers.
package enum SystemCalls {
  /// The byte of a file that a recorder locks while it writes the file; far behind the end of any file.
  package static let recorderLock = 1 << 40

  /// Opens a file, never as standard input, output or error; negative on failure, with `errno` set.
  package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o666) -> Int32 {
    behindStandard(unsafe Glibc.open(path, flags | O_CLOEXEC, mode))
  }

  package static func remove(_ path: String) {
    unsafe _ = unlink(path)
  }

  package static func rename(_ path: String, to newPath: String) -> Bool {
    unsafe Glibc.rename(path, newPath) == 0
  }

  package static func files(in folder: String) -> [String]? {
    guard let stream = unsafe opendir(folder) else { return nil }
    defer { unsafe _ = closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      names.append(
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
        })
    }
    return names
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

  package static func status(of descriptor: Int32) -> (sort: mode_t, length: Int64)? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return (status.st_mode & S_IFMT, Int64(status.st_size))
  }

  /// The type of the file that a path leads to; nil if there is none.
  package static func sort(of path: String) -> mode_t? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT
  }

  package struct Identity: Equatable {
    var device: dev_t
    var number: ino_t
  }

  /// The file that a path leads to; nil if there is none or it cannot be examined.
  package static func identity(of path: String) -> Identity? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Identity(device: status.st_dev, number: status.st_ino)
  }

  /// An open file, and how many names (hard links) it has.
  package static func identity(of descriptor: Int32) -> (file: Identity, names: Int)? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return (Identity(device: status.st_dev, number: status.st_ino), Int(status.st_nlink))
  }

  package static func openNameless(in folder: String) -> Int32 {
    var template = Array("\(folder)/.rouse-XXXXXX".utf8CString)
    let made = unsafe mkstemp(&template)
    guard made >= 0 else { return made }
    unsafe unlink(template)
    let descriptor = behindStandard(made)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  /// Starts a thread, which `pthread_join` waits for; nil if the system refuses it.
  package static func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    final class Work: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let work = unsafe Unmanaged.passRetained(Work(body))
    let status = unsafe pthread_create(
      &thread, nil,
      { work in
        guard let work = unsafe work else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    if status == 0 { return thread }
    unsafe work.release()
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
        guard let offset else { return unsafe Glibc.read(descriptor, start, count - done) }
        return unsafe pread(descriptor, start, count - done, Int(offset) + done)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { return nil }
      if got == 0 { break }
      done += got
    }
    return done
  }

  /// Writes the first `count` bytes; false on failure, with `errno` set.
  package static func write(_ bytes: [UInt8], count: Int, to descriptor: Int32) -> Bool {
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
      guard put >= 0 else { return false }
      done += put
    }
    return true
  }
}

extension TraceError {
  package static func system(_ what: String, file: String, offset: Int64? = nil) -> TraceError {
    let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    return TraceError(
      code: .inputOutput, file: file, offset: offset, message: "\(what): \(reason)")
  }
}
