import WakeEvents
import WakeScheduling

/// What the rules give: a run of Rouse's own scheduler without accelerations.
enum RulesRun {
  typealias Outcome = (wakes: [HostedRun.DeviceWake], summary: Summary)

  static func run(
    _ events: [Event], policy: Policy, symbols: Symbols
  ) -> Outcome {
    var wakes: [HostedRun.DeviceWake] = []
    var summary = Summary()
    var hasher = WakeHasher()
    for (device, places) in HostedRun.byDevice(events) {
      var ended: [Wake] = []
      var scheduler = SchedulerCore(
        policy: policy, symbols: symbols, device: symbols.devices.name(of: device),
        accelerations: [])
      func note(_ phase: WakePhase, _ wakes: borrowing WakeView) {
        if phase == .ended { wakes.forEachWake { ended.append(copy $0) } }
      }
      for place in places {
        scheduler.take(events[place].input, at: events[place].time, &hasher, note)
      }
      summary.add(
        scheduler.close(&hasher) { _, wakes in wakes.forEachWake { ended.append(copy $0) } })
      ended.sort { $0.number < $1.number }
      wakes += ended.map { (device, $0) }
    }
    summary.digest.value = hasher.takeDigest()
    return (wakes, summary)
  }
}
