import Synchronization

/// The temporary names of files that are being written, so that an interrupt can remove them.
public enum UnfinishedFiles {
  private static let paths = Mutex<Set<String>>([])

  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes them all; for a command that was interrupted and is about to leave.
  public static func removeAll() {
    paths.withLock { paths in
      for path in paths { SystemCalls.remove(path) }
      paths.removeAll()
    }
  }
}
