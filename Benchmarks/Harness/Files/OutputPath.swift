import Foundation
import WakeTrace

/// The destination of a result: a file, which is replaced atomically, or a stream such as `/dev/stdout`, a FIFO or
/// `/dev/null`.
enum OutputPath {
  /// Writes a text.
  static func write(_ text: String, to path: String) throws {
    if let descriptor = ownDescriptor(path) {
      guard Output.write(text, to: descriptor) else {
        throw BenchmarkFailure("\(path): cannot be written (\(Output.reason()))")
      }
      return
    }
    let file = try FileOutput(path: target(of: path))
    try file.write(Array(text.utf8))
    try file.commit()
  }

  /// Whether a path stands for standard output.
  static func isStandardOutput(_ path: String) -> Bool { ownDescriptor(path) == STDOUT_FILENO }

  /// Whether two paths are evidently the same file or stream.
  static func areSame(_ one: String, _ other: String) -> Bool {
    func place(_ path: String) -> String {
      ownDescriptor(path).map { "/dev/fd/\($0)" }
        ?? URL(filePath: target(of: path)).standardizedFileURL.path(percentEncoded: false)
    }
    return place(one) == place(other)
  }

  /// Throws if a path is evidently not writable, before the measurement begins.
  static func refuse(_ path: String) throws {
    guard ownDescriptor(path) == nil else { return }
    let path = target(of: path)
    var isFolder: ObjCBool = false
    let files = FileManager.default
    let isThere = unsafe files.fileExists(atPath: path, isDirectory: &isFolder)
    if isThere, isFolder.boolValue { throw BenchmarkFailure("\(path): is a folder") }
    let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    guard unsafe files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw BenchmarkFailure("\(path): cannot be written (there is no folder \(folder))")
    }
    // A stream is opened itself; a file is replaced in its folder.
    guard files.isWritableFile(atPath: isThere && !isRegular(path) ? path : folder) else {
      throw BenchmarkFailure("\(path): cannot be written (permission denied)")
    }
  }

  /// The descriptor of this process that a path stands for. It is used directly: if a file that is standard output were
  /// opened again, it would be written from its beginning.
  private static func ownDescriptor(_ path: String) -> Int32? {
    switch path {
    case "-", "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
        return Int32(path.dropFirst(folder.count))
      }
      return nil
    }
  }

  /// The target of symbolic links, even if it does not exist yet; the links are kept.
  private static func target(of path: String) -> String {
    var path = path
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        break
      }
      path =
        next.hasPrefix("/")
        ? next
        : URL(filePath: path).deletingLastPathComponent().appending(path: next)
          .path(percentEncoded: false)
    }
    return path
  }

  private static func isRegular(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}
