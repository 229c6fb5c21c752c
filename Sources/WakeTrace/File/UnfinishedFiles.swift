import Synchronization

/// The paths of temporary files in use, so that a signal handler can remove them.
public enum UnfinishedFiles {
  private static let paths = Mutex<Set<String>>([])

  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes all of them; for a command that was interrupted and is about to exit.
  public static func removeAll() {
    paths.withLock { paths in
      for path in paths { SystemCalls.remove(path) }
      paths.removeAll()
    }
  }
}
