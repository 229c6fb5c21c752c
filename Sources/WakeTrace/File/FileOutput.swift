import CSystem
import Glibc

/// A file that is replaced atomically, or standard output.
///
/// The bytes go to a file without a name, or on file systems that have none to one with a random name that ends with
/// `.partial`; ``commit()`` renames it. Without a commit, after an error or after an interrupt, neither file is left. A
/// process that is killed may leave a `.partial` file: the next output of the same path removes it.
public final class FileOutput {
  /// The path, or `standard output`.
  public let name: String
  private let isDurable: Bool
  /// A file that is not in place yet; nil if the bytes go directly to `descriptor`.
  private let unfinished: UnfinishedFile?
  private var descriptor: Int32

  /// Bytes written so far.
  public private(set) var length: Int64 = 0

  /// Starts a file; `-` is standard output.
  ///
  /// A path that is not a regular file, such as a FIFO or `/dev/null`, is written directly. A symbolic link stays one:
  /// the file that it leads to is replaced; a link that leads nowhere is replaced itself, and another user's is refused.
  /// A trace that is being recorded is never replaced: its recorder would go on writing to an unlinked file.
  ///
  /// The file gets the permissions of the one that it replaces, if that is this user's; in place of another user's file, or
  /// of a link that leads nowhere, it is private. A new one gets those that the umask leaves.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - isPrivate: Whether only the owner may read a new file (0600), as where not everybody may read an input.
  ///   - isDurable: Whether ``commit()`` waits until the disk has the file and its name.
  /// - Throws: ``TraceError`` with `inputOutput`, `anotherUsers`, or `inUse` if a recorder writes the file.
  public init(
    path: String, isPrivate: Bool = false, isDurable: Bool = false
  ) throws(TraceError) {
    self.isDurable = isDurable
    name = path == "-" ? "standard output" : path
    if path == "-" {
      unfinished = nil
      descriptor = SystemCalls.duplicate(SystemCalls.standardOutput)
    } else {
      guard !path.isEmpty else {
        throw TraceError(.inputOutput, "an output", "has an empty path; name a file")
      }
      if !path.hasPrefix("/") { try StartFolder.enter() }
      let place = try OutputPlace(path)
      let sort = place.status?.sort
      // Not to replace what cannot be looked at.
      guard sort != nil || errno == ENOENT else { throw .system("cannot be written", file: path) }
      if let sort, sort != S_IFREG {
        unfinished = nil
        descriptor = try Self.open(place, name: path)
      } else {
        guard let target = sort == nil ? path : place.resolved else {
          throw .system("cannot be written", file: path)
        }
        let replaced = try Self.keepFromRecorders(target, name: path)
        if replaced >= 0 { system_unlock_and_close(replaced) }
        unfinished = UnfinishedFile(replacing: target, isPrivate: isPrivate)
        descriptor = unfinished?.descriptor ?? -1
      }
    }
    guard descriptor >= 0 else { throw .system("cannot be written", file: name) }
  }

  deinit {
    if unfinished == nil, descriptor >= 0 { close(descriptor) }
  }

  /// Opens what is no regular file; negative on failure.
  private static func open(_ place: OutputPlace, name: String) throws(TraceError) -> Int32 {
    // Before it is opened, too, as that waits.
    if let status = place.status { try place.refusePlanted(status, name: name) }
    // Opening a FIFO waits for its reader; a fork must not.
    let descriptor = HeldLock.releasedWhile {
      SystemCalls.open(place.path, O_WRONLY | place.flags)
    }
    guard descriptor >= 0, let opened = SystemCalls.status(of: descriptor) else {
      return descriptor
    }
    do throws(TraceError) {
      try place.refusePlanted(opened, name: name)
      guard opened.sort != S_IFREG else {
        throw TraceError(.inUse, name, "was replaced while it was opened, so it is not written")
      }
    } catch let error {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Keeps recorders from beginning to write a file, until the descriptor that this returns is unlocked
  /// and closed; that is negative if there is no file, or none that this may look at.
  private static func keepFromRecorders(_ path: String, name: String) throws(TraceError) -> Int32 {
    let descriptor = SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return descriptor }
    guard system_keep_byte_unlocked(descriptor, SystemCalls.recorderLock) else {
      close(descriptor)
      throw TraceError(
        code: .inUse, file: name, message: "is being written by a recorder, so it is not replaced")
    }
    return descriptor
  }

  /// Writes bytes at the end.
  ///
  /// - Throws: ``TraceError`` with `inputOutput`, as on a full disk.
  public func write(_ bytes: [UInt8]) throws(TraceError) {
    guard SystemCalls.write(bytes, count: bytes.count, to: descriptor) == bytes.count else {
      throw .system("cannot be written", file: name)
    }
    length += Int64(bytes.count)
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``TraceError`` with `inputOutput`, or `inUse` if a recorder writes what has the name.
  public func commit() throws(TraceError) {
    guard let unfinished else {
      let closed = close(descriptor)
      descriptor = -1
      guard closed == 0 else { throw .system("cannot be written", file: name) }
      return
    }
    if !unfinished.target.hasPrefix("/") { try StartFolder.enter() }
    guard unfinished.isWritten(durably: isDurable) else {
      throw .system("cannot be written", file: name)
    }
    let replaced = try Self.keepFromRecorders(unfinished.target, name: name)
    defer { if replaced >= 0 { system_unlock_and_close(replaced) } }
    guard unfinished.rename() else { throw .system("cannot be put in place", file: name) }
    guard !isDurable || SystemCalls.synchronizeFolder(of: unfinished.target) else {
      throw .system("is in place, but the disk may not have its name yet", file: name)
    }
  }
}
