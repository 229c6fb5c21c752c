import Glibc

/// The few system calls of this layer, with strings and arrays in place of pointers.
enum SystemCalls {
  /// Opens a file, never as standard input, output or error; a negative result says that it could not be.
  static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o666) -> Int32 {
    behindStandard(unsafe Glibc.open(path, flags | O_CLOEXEC, mode))
  }

  static func remove(_ path: String) {
    unsafe _ = unlink(path)
  }

  static func rename(_ path: String, to newPath: String) -> Bool {
    unsafe Glibc.rename(path, newPath) == 0
  }

  /// The path without symbolic links, if it leads to a file.
  static func resolve(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The file's sort (`S_IFREG` …) and its length.
  static func status(of descriptor: Int32) -> (sort: mode_t, length: Int64)? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return (status.st_mode & S_IFMT, Int64(status.st_size))
  }

  /// The sort of file that a path leads to, if it leads to any.
  static func sort(of path: String) -> mode_t? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT
  }

  /// Which file of the system one is.
  struct Identity: Equatable {
    var device: dev_t
    var number: ino_t
  }

  /// The file that a path leads to; nil if it leads to none or that cannot be found out.
  static func identity(of path: String) -> Identity? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Identity(device: status.st_dev, number: status.st_ino)
  }

  /// The file that is open, and how many names it has.
  static func identity(of descriptor: Int32) -> (file: Identity, names: Int)? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return (Identity(device: status.st_dev, number: status.st_ino), Int(status.st_nlink))
  }

  /// Opens a file for reading and writing that has no name.
  static func openNameless(in folder: String) -> Int32 {
    var template = Array("\(folder)/.rouse-XXXXXX".utf8CString)
    let made = unsafe mkstemp(&template)
    guard made >= 0 else { return made }
    unsafe unlink(template)
    let descriptor = behindStandard(made)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  static var processID: Int32 { getpid() }

  static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Reads up to `count` bytes into the start of `buffer`, at `offset` or where the descriptor stands;
  /// fewer only at the end of the file. Nil says that the system refused.
  static func read(
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

  /// Writes the first `count` bytes; false says that the system refused.
  static func write(_ bytes: [UInt8], count: Int, to descriptor: Int32) -> Bool {
    var done = 0
    while done < count {
      let put = unsafe bytes.withUnsafeBytes { bytes in
        withoutSignals {
          // A disk or a reader may take its time, for which no fork is to wait.
          ForkGate.outside {
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
  /// What the system said of its last call.
  static func system(_ what: String, file: String, offset: Int64? = nil) -> TraceError {
    let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    return TraceError(
      code: .inputOutput, file: file, offset: offset, message: "\(what): \(reason)")
  }
}
