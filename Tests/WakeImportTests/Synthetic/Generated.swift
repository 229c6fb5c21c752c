import WakeEvents
import WakeImport

/// The inputs of a workload, and questions about them.
struct Generated {
  let symbols = Symbols()
  private(set) var events: [Event] = []

  init(_ workload: SyntheticWorkload) throws {
    var events: [Event] = []
    try workload.forEachEvent(symbols: symbols) { events.append($0) }
    self.events = events
  }

  /// A workload of `count` inputs that differs from the default in what `change` says.
  init(_ count: Int = 20_000, _ change: (inout SyntheticWorkload) -> Void) throws {
    var workload = SyntheticWorkload()
    workload.events = count
    change(&workload)
    try self.init(workload)
  }

  /// The FNV-1a hash of the JSON Lines, which no version of zlib has a say in.
  var digest: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in write(events, symbols: symbols) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return hash
  }

  func count(_ kind: InputKind) -> Int { events.count { $0.input.kind == kind } }

  var samples: [(time: Int64, sample: Sample)] {
    events.compactMap { event in
      guard case .save(let sample) = event.input else { return nil }
      return (event.time.nanoseconds, sample)
    }
  }

  /// Inputs that a replay counts as late (rule 4.1).
  var late: Int {
    var latest: [Device: Timestamp] = [:]
    return events.count { event in
      let previous = latest[event.device] ?? event.time
      latest[event.device] = max(previous, event.time)
      return event.time < previous
    }
  }

  /// From one time to the next.
  var gaps: [Int64] {
    zip(events.dropFirst(), events).map { $0.time.nanoseconds - $1.time.nanoseconds }
  }

  /// From the first time to the last.
  var span: Int64 { gaps.reduce(0, +) }
}

extension SyntheticWorkload {
  /// Calls `body` with the inputs, one by one, device after device.
  func forEachEvent(symbols: Symbols, _ body: (Event) throws -> Void) throws {
    try forEachBatch(symbols: symbols) { device, columns in
      for row in 0..<columns.count {
        try body(
          Event(
            time: Timestamp(nanoseconds: columns.times[row]), device: device,
            input: columns[row]))
      }
    }
  }
}

let second: Int64 = 1_000_000_000
let hour = 3_600 * second

/// Whether a count is what a share leads one to expect, but for chance: within a twentieth and four
/// standard deviations.
func isAbout(_ count: Int, _ expected: Int) -> Bool {
  let difference = Double(abs(count - expected))
  return difference <= Double(expected) / 20 + 4 * Double(expected).squareRoot()
}
