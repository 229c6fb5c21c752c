package import WakeEvents
package import WakeScheduling

/// The wait log of schedulers, as the reference gives it (rules, 9.3).
package enum WaitRun {
  /// A wait of a device, when it was reported.
  package typealias Report = (device: Device, phase: WaitPhase, wait: Wait)

  /// Everything that schedulers report of waits, device by device.
  ///
  /// - Parameter reportsEnds: ``SchedulerCore/reportsEnds``, as where a wake log is written too.
  package static func reports(
    events: [Event], policy: Policy, symbols: Symbols, feeding: SchedulerRun.Feeding,
    accelerations: Accelerations, reportsEnds: Bool = false,
    hasher: consuming WakeHasher = WakeHasher()
  ) -> [Report] {
    var reports: [Report] = []
    for (device, events) in SchedulerRun.byDevice(events) {
      let list = Reports()
      var scheduler = SchedulerCore(
        policy: policy, symbols: symbols, device: symbols.devices.name(of: device),
        accelerations: accelerations.subtracting(.cohorts))
      scheduler.reportsEnds = reportsEnds
      scheduler.observeWaits { list.add(device, $0, copy $1) }
      SchedulerRun.feed(
        events, to: &scheduler, &hasher, feeding, typeEnd: symbols.types.count
      ) { _, _ in }
      scheduler.close(&hasher) { _, _ in }
      reports += list.reports
    }
    return reports
  }

  private final class Reports {
    private(set) var reports: [Report] = []

    func add(_ device: Device, _ phase: WaitPhase, _ wait: Wait) {
      reports.append((device, phase, wait))
    }
  }

  /// A line of the wait log.
  package static func line(_ wait: Wait, device: Device, symbols: Symbols) -> JSONValue {
    var line: [String: JSONValue] = [
      "wake": wait.wake.map { .integer($0) } ?? .null,
      "t": wait.wake == nil ? .null : .integer(wait.until),
      "app": .string(symbols.apps.name(of: wait.app)),
      "since": .integer(wait.since),
      "waits": .array(
        wait.stretches.map {
          .object([
            "ns": .integer($0.nanoseconds), "why": .array($0.reasons.map { .string($0.word) }),
          ])
        }),
    ]
    switch wait.item {
    case .type(let type):
      line["item"] = .string("type")
      line["name"] = .string(symbols.types.name(of: type))
      line["saves"] = .integer(wait.saves)
    case .push(let id):
      line["item"] = .string("push")
      line["name"] = .string(id)
    case .refresh:
      line["item"] = .string("refresh")
    }
    let name = symbols.devices.name(of: device)
    if !name.isEmpty { line["device"] = .string(name) }
    return .object(line)
  }

  /// The first difference between two logs in words, or nil.
  package static func difference(_ lines: [JSONValue], from expected: [JSONValue]) -> String? {
    for (number, (line, expected)) in zip(lines, expected).enumerated() where line != expected {
      return "wait \(number + 1) is \(line.text), should be \(expected.text)"
    }
    guard lines.count != expected.count else { return nil }
    let all = lines.count < expected.count ? expected : lines
    return """
      \(lines.count) waits, should be \(expected.count); the first of the others is \
      \(all[min(lines.count, expected.count)].text)
      """
  }
}
