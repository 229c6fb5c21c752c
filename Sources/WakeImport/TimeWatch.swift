import WakeEvents

/// Detects times that are likely mistakes: many late inputs, and jumps ahead of more than a year.
struct TimeWatch {
  private let symbols: Symbols
  /// The latest time of each device, by ``Device/index``; `Int64.min` before its first.
  private var latest: [Int64] = []
  private var events = 0
  private var late = 0
  private var firstLate: TimeAnomaly?
  private var firstJump: TimeAnomaly?

  init(symbols: Symbols) {
    self.symbols = symbols
  }

  mutating func note(_ event: Event, line: Int) {
    events += 1
    let device = Int(event.device.index)
    while latest.count <= device { latest.append(.min) }
    let (time, previous) = (event.time.nanoseconds, latest[device])
    func anomaly() -> TimeAnomaly {
      TimeAnomaly(
        device: symbols.devices.name(of: event.device), number: line, time: time,
        previous: previous)
    }
    if time < previous {
      late += 1
      firstLate = firstLate ?? anomaly()
    } else if previous > .min, time - previous > TimeAnomaly.jump {
      firstJump = firstJump ?? anomaly()
    }
    latest[device] = max(previous, time)
  }

  func notices(file: String) -> [String] {
    TimeAnomaly.notices(jump: firstJump, late: firstLate, lateInputs: late, inputs: events) {
      "\(file):\($0.number)"
    }
  }
}
