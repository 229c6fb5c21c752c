public import WakeCases
public import WakeEvents

extension RandomInputs {
  /// The inputs with observations among them: at the inputs' times and far from them, of apps and devices that the
  /// inputs name and of others.
  public var eventsWithObservations: [Event] { withObservations(events) }

  /// ``eventsWithObservations`` with other inputs of the same names.
  public func withObservations(_ events: [Event]) -> [Event] {
    var random = SplitMix64(seed: seed ^ 0x0B5E_27ED)
    let own = symbols.apps.intern("observed only")
    let device = symbols.devices.intern("observed only")
    var all: [Event] = []
    var devices = [device]
    for event in events {
      devices.append(event.device)
      while random.chance(30) { all.append(observation(event.time, devices, own, &random)) }
      all.append(event)
    }
    let last = events.last?.time ?? Timestamp(nanoseconds: 0)
    for _ in 0..<5 { all.append(observation(last, devices, own, &random)) }
    return all
  }

  private func observation(
    _ time: Timestamp, _ devices: [Device], _ app: App, _ random: inout SplitMix64
  ) -> Event {
    let shift: Int64 = random.pick([0, 0, 1, -1, 3_600_000_000_000, 40_000_000_000_000_000])
    func any<Namespace>(_ table: SymbolTable<Namespace>) -> Symbol<Namespace>? {
      table.count == 0 ? nil : Symbol(index: UInt32(random.below(table.count)))
    }
    let types = (0..<random.below(3)).compactMap { _ in any(symbols.types) }
    return Event(
      time: Timestamp(nanoseconds: time.nanoseconds + shift), device: random.pick(devices),
      input: .observed(
        app: random.chance(50) ? app : any(symbols.apps) ?? app,
        Observation(
          types: types, push: random.chance(20) ? "p" : nil,
          refresh: random.chance(50) ? random.chance(50) : nil,
          outcome: random.chance(50) ? random.pick(Observation.Outcome.allCases) : nil,
          end: random.chance(50) ? time : nil)))
  }
}
