public import WakeEvents
public import WakeScheduling

/// Events of any number of devices, taken one by one, each device on a ``ReferenceScheduler`` of its
/// own; so that a run need not hold all events in memory.
public struct ReferenceRun {
  private let policy: Policy
  private let lifted: Set<String>
  private let symbols: Symbols
  private var devices: [Device] = []
  private var runs: [Device: ReferenceScheduler] = [:]

  /// Starts a run without devices.
  public init(policy: Policy, symbols: Symbols, without lifted: Set<String> = []) {
    self.policy = policy
    self.lifted = lifted
    self.symbols = symbols
  }

  /// Takes the next event of its device.
  public mutating func take(_ event: Event) {
    if runs[event.device] == nil {
      devices.append(event.device)
      runs[event.device] = ReferenceScheduler(
        policy: policy, symbols: symbols, device: event.device, without: lifted)
    }
    runs[event.device]?.take(event.input, at: event.time)
  }

  /// The wake log, device by device in the order of first appearance, and the summary over all (rules, 7).
  public func finish() -> Differential.Outcome {
    var wakes: [(device: Device, wake: Wake)] = []
    var total = Summary()
    for device in devices {
      guard let result = runs[device]?.finish() else { continue }
      wakes += result.wakes.map { (device, $0) }
      for (_, count) in Summary.counts { total[keyPath: count] += result.summary[keyPath: count] }
      total.stoppedApps += result.summary.stoppedApps
      total.digest.value &+= result.summary.digest.value
    }
    ReferenceScheduler.sortByBytes(&total.stoppedApps)
    return (wakes, total)
  }
}
