public import Foundation

extension Process {
  private static let starting = NSLock()

  /// Starts the program, as `run` does, while no other test starts one.
  ///
  /// Foundation notices the end of a program by a pair of sockets, of which the program inherits one. A program that
  /// another thread starts meanwhile would inherit it too, and the end of the first would be noticed once both have
  /// ended.
  public func start() throws {
    try Self.starting.withLock { try run() }
  }
}
