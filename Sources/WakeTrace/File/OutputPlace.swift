import CSystem
import Glibc

/// Where a path leads, by links that this user or root has made.
///
/// Links of other users are not followed at the end of a path; among its folders not where everybody may make files, as
/// Linux has it with `protected_symlinks` (proc_sys_fs(5)). They may lead to any file of this user. Who can change the
/// folder may put such a link in place of a file at any moment. So each link is opened, and its owner and text are read
/// from that descriptor; and what is opened with ``flags`` is no link.
package struct OutputPlace {
  /// The path behind the last link, or that of a link of /proc, which nobody else can change.
  package let path: String
  /// Flags of open(2) for the path.
  package let flags: Int32

  /// Follows the links at a path's end; the file need not exist.
  ///
  /// - Throws: ``TraceError`` with `anotherUsers` at another user's link, `inputOutput` if the path cannot be examined.
  package init(_ name: String) throws(TraceError) {
    var path = name
    // As many as Linux follows.
    for _ in 0...40 {
      switch try Self.link(path, of: name) {
      case .none:
        try Self.checkFolders(of: path, for: name)
        (self.path, flags) = (path, O_NOFOLLOW)
        return
      case .ofProcess:
        (self.path, flags) = (SystemCalls.behindReservation(path), 0)
        return
      case .to(let target):
        path = target.hasPrefix("/") ? target : "\(SystemCalls.folder(of: path))/\(target)"
      }
    }
    errno = ELOOP
    throw .system("cannot be written", file: name)
  }

  /// The status of what is there now; nil if nothing is, or it cannot be examined.
  package var status: SystemCalls.Status? {
    flags == 0 ? SystemCalls.status(of: path) : SystemCalls.status(ofEntry: path)
  }

  /// The path without links in its folders, if it leads to a file; behind a link of /proc, that file's.
  package var resolved: String? { flags == 0 ? SystemCalls.resolve(path) : path }

  /// Refuses a pipe that another user may have planted to read what is written: one in a folder that everybody may write
  /// to, unless it is the folder's owner's, as Linux does with `protected_fifos` (proc_sys_fs(5)).
  ///
  /// - Parameter opened: The status of what was opened.
  /// - Throws: ``TraceError`` with `anotherUsers`.
  package func refusePlanted(_ opened: SystemCalls.Status, name: String) throws(TraceError) {
    guard opened.sort == S_IFIFO, opened.isForeign, flags != 0,
      let folder = SystemCalls.status(of: SystemCalls.folder(of: path)),
      folder.isShared, folder.owner != opened.owner
    else { return }
    throw TraceError(
      .anotherUsers, name,
      "is a pipe of another user in a folder that everybody may write to; name another file")
  }

  /// Refuses a folder that a path leads through by another user's link.
  ///
  /// - Throws: ``TraceError`` with `anotherUsers`, `inputOutput` if the path cannot be examined.
  package static func check(folder: String) throws(TraceError) {
    try checkFolders(of: "\(folder)/.", for: folder)
  }

  /// Follows the folders of a path one by one, as links may lead to others.
  private static func checkFolders(of path: String, for name: String) throws(TraceError) {
    var done = path.hasPrefix("/") ? "/" : "./"
    var rest = Array(path.split(separator: "/").dropLast().reversed())
    var links = 0
    while let part = rest.popLast() {
      guard case .to(let target) = try link(done + part, of: name, isFolder: true) else {
        done += part + "/"
        continue
      }
      links += 1
      guard links <= 40 else {
        errno = ELOOP
        throw .system("cannot be written", file: name)
      }
      if target.hasPrefix("/") { done = "/" }
      rest += target.split(separator: "/").reversed()
    }
  }

  private enum Link {
    case none, ofProcess
    case to(String)
  }

  /// The link that a path leads to, if it is one.
  ///
  /// - Parameter isFolder: Whether it is a folder of the path, and not its end.
  private static func link(
    _ path: String, of name: String, isFolder: Bool = false
  ) throws(TraceError) -> Link {
    let entry = SystemCalls.behindStandard(
      SystemCalls.uninterrupted { unsafe system_open_entry(path) })
    guard entry >= 0 else {
      if errno == ENOENT { return .none }
      throw .system("cannot be written", file: name)
    }
    defer { close(entry) }
    guard let status = SystemCalls.status(of: entry) else {
      throw .system("cannot be written", file: name)
    }
    guard status.sort == S_IFLNK else { return .none }
    if status.isForeign,
      !isFolder || SystemCalls.status(of: SystemCalls.folder(of: path))?.isOpenToAll != false
    {
      throw .foreignLink(name)
    }
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe system_read_link(entry, &text, text.count)
    guard length >= 0 else { throw .system("cannot be written", file: name) }
    guard length > 0 else { return .ofProcess }
    return .to(String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
