import Foundation
import Measurement
import WakeHosting

/// Watches a process in which a scheduler under test runs.
final class Supervision {
  /// What the process was started with, besides.
  let arguments: [String]
  let environment = [
    // Swift's own report of a crash, where it is on, takes seconds and says less.
    "SWIFT_BACKTRACE": "enable=no"
  ]
  private let watch: CallWatch
  private var patience: CallPatience

  /// Milliseconds between two looks at the calls under way.
  static let interval: Int32 = 50

  /// - Parameter temporary: A folder that outlives the process.
  init(_ choice: SchedulerChoice, temporary: String) throws {
    let path = "\(temporary)/watch-\(UUID().uuidString)"
    watch = try HostedWatch.make(at: path)
    arguments = choice.arguments() + ["--watch", path]
    patience = CallPatience(timeout: choice.timeout)
  }

  /// Why the process has to be killed: a call that does not return; nil if there is none.
  func objection() -> String? { patience.overdue(watch)?.message }

  /// What to say of the end of the process.
  func story(of process: Process) -> String {
    let isSignal = process.terminationReason == .uncaughtSignal
    let status = process.terminationStatus
    return watch.story(signal: isSignal ? status : 0, exitStatus: isSignal ? 0 : status)
      ?? "ended its process with exit status \(status)"
  }
}

/// A scheduler under test has ended its process, or was ended: the benchmark fails, and others can be measured in a
/// new process.
struct SchedulerEnded: Error, CustomStringConvertible {
  var description: String
}
