import Glibc

/// A thread that computes a tally.
///
/// If the system refuses a thread, ``join()`` does the work.
final class WorkerThread {
  /// Carries the work to the thread and the result back. `pthread_join` orders the accesses.
  private final class Work {
    let body: @Sendable () -> ReplayTally
    var result: ReplayTally?

    init(_ body: @escaping @Sendable () -> ReplayTally) {
      self.body = body
    }

    func run() { result = body() }
  }

  private let work: Work
  private var thread = pthread_t()
  private let isRunning: Bool

  init(_ body: @escaping @Sendable () -> ReplayTally) {
    work = Work(body)
    let argument = unsafe Unmanaged.passRetained(work)
    let status = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    isRunning = status == 0
    if !isRunning { unsafe argument.release() }
  }

  /// Waits for the thread and returns its result.
  func join() -> ReplayTally {
    if isRunning {
      pthread_join(thread, nil)
    } else {
      work.run()
    }
    return work.result.take() ?? ReplayTally()
  }
}
