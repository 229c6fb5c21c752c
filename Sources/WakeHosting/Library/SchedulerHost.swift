import CRouse
import Synchronization
package import WakeEvents
package import WakeReplay
package import WakeScheduling
package import WakeTrace

/// Puts a scheduler library in the place of Rouse's own scheduler (``ReplayOptions/tested``).
package final class SchedulerHost: SchedulerUnderTest {
  let library: SchedulerLibrary
  let policy: Policy
  /// Where the supervising process sees what is called; nil without one.
  let watch: CallWatch?
  /// What is added to a device's name in messages: the case or seed that is checked.
  let context: String
  private let shared = Mutex<HostShared?>(nil)

  package init(
    _ library: SchedulerLibrary, policy: Policy, watch: CallWatch? = nil, context: String = ""
  ) {
    self.context = context
    self.library = library
    self.policy = policy
    self.watch = watch
    answersWakes = policy.behaviour.completesAfter != nil && !library.givesAnswers
  }

  package var name: String { library.name }
  package var wantsValues: Bool { library.wantsValues }

  /// Whether Rouse answers for modelled apps.
  let answersWakes: Bool

  package func makeDevice(
    _ symbols: Symbols, tells: ToldParts
  ) throws(TraceError) -> any DeviceUnderTest {
    // A further replay has names of its own.
    let shared = shared.withLock { shared in
      if let shared, shared.symbols === symbols { return shared }
      let made = HostShared(symbols, policy: policy)
      shared = made
      return made
    }
    return try HostedDevice(self, shared, tells: tells)
  }
}

/// What the instances of a scheduler share in a replay.
final class HostShared: Sendable {
  let symbols: Symbols
  let names: NamePointers
  let policy: PolicyTable

  init(_ symbols: Symbols, policy: Policy) {
    self.symbols = symbols
    names = NamePointers(symbols)
    self.policy = PolicyTable(policy, symbols: symbols)
  }
}
