import Glibc

/// A thread that works a value out.
///
/// Where the system gives no thread, the work is done when it is waited for.
final class WorkerThread {
  /// Carries the work to the thread and the result back; `pthread_join` puts one before the other.
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

  /// Waits for the thread and takes its result.
  func join() -> ReplayTally {
    if isRunning {
      pthread_join(thread, nil)
    } else {
      work.run()
    }
    return work.result.take() ?? ReplayTally()
  }
}
