import CSystem
import Glibc
import Synchronization

/// A file that is to replace another one, or to be a new one, in the same folder.
///
/// It has no name (`O_TMPFILE`, open(2)) until it is renamed, or a random one where the file system does not know that.
/// No other process can foretell the name, and a link of that name is not followed. As long as it may have such a name,
/// its first byte is locked, so that a file whose byte is free belongs to a process that was killed.
final class UnfinishedFile {
  /// The file to be replaced.
  let target: String
  private(set) var descriptor: Int32 = -1
  /// The name that it has until it is renamed.
  private var path: String?
  private var isInPlace = false

  /// Makes a file; nil with `errno` set if that fails.
  init?(replacing target: String, isPrivate: Bool) {
    self.target = target
    let folder = SystemCalls.folder(of: target)
    Self.removeAbandoned(of: target, in: folder)
    // Not of the file that a link leads to: another user's in its place would choose any mode.
    let replaced = SystemCalls.status(ofEntry: target)
    let mode: mode_t = isPrivate || replaced != nil ? 0o600 : 0o666
    if system_can_name_files() {
      descriptor = SystemCalls.behindStandard(unsafe system_open_nameless(folder, O_WRONLY, mode))
    }
    if descriptor < 0 { openNamed(mode) }
    guard descriptor >= 0 else { return nil }
    // The mode of a file that another user has planted is not taken over.
    if let replaced, replaced.isOwn, replaced.sort == S_IFREG {
      fchmod(descriptor, replaced.permissions)
    }
  }

  deinit {
    if !isInPlace { UnfinishedFiles.noteDropped() }
    if let path {
      try? StartFolder.enter()
      SystemCalls.remove(path)
      UnfinishedFiles.remove(path)
    }
    if descriptor >= 0 { system_unlock_and_close(descriptor) }
  }

  private func openNamed(_ mode: mode_t) {
    // Whoever removes abandoned files may take a new one for such until it is locked, but not for ever.
    for _ in 0..<100 {
      let name = newName
      // Before the file is there, as an interrupt may come at once.
      UnfinishedFiles.add(name)
      descriptor = SystemCalls.open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
      let reason = errno
      if descriptor >= 0, lock(), SystemCalls.status(of: descriptor)?.names == 1 {
        path = name
        return
      }
      let isTaken = descriptor >= 0 || reason == EEXIST
      if descriptor >= 0 {
        close(descriptor)
        SystemCalls.remove(name)
      }
      descriptor = -1
      UnfinishedFiles.remove(name)
      errno = reason
      if !isTaken { return }
    }
  }

  /// Locks the first byte; true also where the file system has no locks, and thus nobody takes the file for abandoned.
  private func lock() -> Bool {
    system_lock_byte(descriptor, 0) || errno != EAGAIN && errno != EACCES
  }

  private static let ending = ".partial"

  private var newName: String { "\(target).\(SystemCalls.randomName)\(Self.ending)" }

  /// Removes what killed processes of this user left of earlier outputs of the same path.
  ///
  /// - Complexity: O(files of the folder).
  private static func removeAbandoned(of target: String, in folder: String) {
    let start = target.split(separator: "/").last.map { "\($0)." } ?? "."
    let length = start.utf8.count + SystemCalls.randomName.utf8.count + ending.utf8.count
    for name in SystemCalls.files(in: folder) ?? []
    where name.utf8.count == length && name.hasPrefix(start) && name.hasSuffix(ending)
      && name.utf8.dropFirst(start.utf8.count).dropLast(ending.utf8.count).allSatisfy(
        SystemCalls.isInRandomName)
    {
      let path = "\(folder)/\(name)"
      let descriptor = SystemCalls.open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      if let status = SystemCalls.status(of: descriptor), status.sort == S_IFREG, status.isOwn,
        system_lock_byte(descriptor, 0)
      {
        SystemCalls.remove(path)
      }
      system_unlock_and_close(descriptor)
    }
  }

  /// Whether the system took all bytes; if `durably`, whether the disk has them.
  func isWritten(durably: Bool) -> Bool {
    if durably, !SystemCalls.synchronize(descriptor) { return false }
    // A file system may report a failed write when a descriptor is closed; this one keeps the lock.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    return copy >= 0 && close(copy) == 0
  }

  /// Puts the file in place of the target; false with `errno` set on failure.
  func rename() -> Bool {
    // An interrupt waits meanwhile, so that it leaves no file that is about to get its name.
    let reason = UnfinishedFiles.paths.withLock { paths -> Int32 in
      if path == nil {
        guard lock() else { return errno }
        let name = newName
        guard unsafe system_name_file(descriptor, name) else { return errno }
        path = name
      }
      guard let name = path, SystemCalls.rename(name, to: target) else { return errno }
      paths.remove(name)
      path = nil
      isInPlace = true
      return 0
    }
    errno = reason
    return reason == 0
  }
}

/// The paths of temporary files in use, so that a signal handler can remove them.
public enum UnfinishedFiles {
  fileprivate static let paths = Mutex<Set<String>>([])

  private static let areDropped = Atomic(false)

  /// Whether an output was given up, so that its file is not there or is still the earlier one.
  package static var haveBeenDropped: Bool { areDropped.load(ordering: .relaxed) }

  static func noteDropped() { areDropped.store(true, ordering: .relaxed) }

  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes all of them, and then ends this process; for a command that was interrupted.
  ///
  /// The lock is held until the process has ended: no other thread may tell meanwhile that its file is gone.
  ///
  /// - Parameter endProcess: Ends it, by a signal or with a status, without waiting for a thread that uses such files.
  public static func removeAll(andThen endProcess: () -> Never) -> Never {
    paths.withLock { paths in
      try? StartFolder.enter()
      for path in paths { SystemCalls.remove(path) }
      endProcess()
    }
  }

  /// Does not return if ``removeAll(andThen:)`` is under way. For those who are about to tell that something has failed: it
  /// may have failed by the interrupt that ends the process.
  package static func waitIfEnding() { paths.withLock { _ in } }
}
