import Synchronization
import WakeEvents
package import WakeReplay
package import WakeScheduling
import WakeTrace

/// A scheduler that is not Rouse's own: a library or a program.
package protocol OtherScheduler: Sendable {
  /// Its name in results.
  var name: String { get }
  /// What runs it under a policy.
  ///
  /// - Parameters:
  ///   - watch: Where calls are noted, if it runs in a supervised process.
  ///   - context: What is added to a device's name in messages.
  func host(
    policy: Policy, watch: CallWatch?, context: String
  ) -> any SchedulerUnderTest
}

extension SchedulerLibrary: OtherScheduler {
  package func host(
    policy: Policy, watch: CallWatch?, context: String
  ) -> any SchedulerUnderTest {
    SchedulerHost(self, policy: policy, watch: watch, context: context)
  }
}

/// A scheduler in a program of its own, which takes inputs as JSON Lines and answers with lines of the wake log (page
/// Schedulers, "Over a pipe").
package final class PipedScheduler: OtherScheduler {
  /// What begins the name of such a scheduler, before a command of the shell.
  package static let prefix = "exec:"

  package let name: String
  let command: String
  private let timeout: Double
  /// Programs that run no device.
  private let idle = Mutex<[PipedProgram]>([])

  /// - Parameters:
  ///   - name: ``prefix`` and a command of the shell.
  ///   - timeout: How long an answer may take, in seconds.
  package init(name: String, timeout: Double) {
    self.name = name
    self.timeout = timeout
    command = String(name.dropFirst(Self.prefix.count))
  }

  package func host(
    policy: Policy, watch: CallWatch?, context: String
  ) -> any SchedulerUnderTest {
    PipedHost(self, policy: policy, context: context)
  }

  func takeProgram() throws(TraceError) -> PipedProgram {
    if let program = idle.withLock({ $0.popLast() }) { return program }
    return try PipedProgram(command: command, timeout: timeout)
  }

  func giveBack(_ program: PipedProgram) {
    guard !program.isSpoiled else { return }
    idle.withLock { $0.append(program) }
  }
}

/// A ``PipedScheduler`` under a policy. Each device has a program of its own.
final class PipedHost: SchedulerUnderTest {
  let scheduler: PipedScheduler
  let policy: Policy
  let context: String

  init(_ scheduler: PipedScheduler, policy: Policy, context: String) {
    self.scheduler = scheduler
    self.policy = policy
    self.context = context
  }

  var name: String { scheduler.name }
  var wantsValues: Bool { true }

  func makeDevice(
    _ symbols: Symbols, tells: ToldParts
  ) throws(TraceError) -> any DeviceUnderTest {
    try PipedDevice(self, symbols, tellsWakes: tells.contains(.wakes))
  }
}
