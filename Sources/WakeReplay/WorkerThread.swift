import Glibc
import WakeTrace

/// A thread that computes a tally.
///
/// If the system refuses a thread, ``join()`` does the work.
final class WorkerThread {
  /// Carries the result back. `pthread_join` orders the accesses.
  private final class Result: @unchecked Sendable {
    var tally: ReplayTally?
  }

  private let body: @Sendable () -> ReplayTally
  private let result = Result()
  private let thread: pthread_t?

  init(_ body: @escaping @Sendable () -> ReplayTally) {
    self.body = body
    thread = SystemCalls.startThread { [result] in result.tally = body() }
  }

  /// Waits for the thread and returns its result.
  func join() -> ReplayTally {
    guard let thread else { return body() }
    pthread_join(thread, nil)
    return result.tally.take() ?? ReplayTally()
  }
}
