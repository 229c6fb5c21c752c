import WakeEvents

/// Detects times that are likely mistakes: many late inputs, and jumps ahead of more than a year.
struct TimeWatch {
  private let symbols: Symbols
  /// The latest time of each device, by ``Device/index``; `Int64.min` before its first.
  private var latest: [Int64] = []
  private var events = 0
  private var late = 0
  /// Line and times of the first input that is late, and of the first behind a jump.
  private var firstLate, firstJump: (line: Int, text: String)?

  /// A year of 365 days.
  private static let jump: Int64 = 365 * 86_400_000_000_000
  /// A notice is given for more late inputs than one in so many.
  private static let lateShare = 1_000

  init(symbols: Symbols) {
    self.symbols = symbols
  }

  mutating func note(_ event: Event, line: Int) {
    events += 1
    let device = Int(event.device.index)
    while latest.count <= device { latest.append(.min) }
    let (time, previous) = (event.time.nanoseconds, latest[device])
    if time < previous {
      late += 1
      if firstLate == nil { firstLate = (line, text(event, previous)) }
    } else if previous > .min, time - previous > Self.jump, firstJump == nil {
      firstJump = (line, text(event, previous))
    }
    latest[device] = max(previous, time)
  }

  func notices(file: String) -> [String] {
    var notices: [String] = []
    if let firstJump {
      notices.append(
        "\(file):\(firstJump.line): time jumps ahead by more than a year: \(firstJump.text)")
    }
    if let firstLate, late * Self.lateShare > events {
      notices.append(
        "\(file):\(firstLate.line): \(late) of \(events) inputs are late; the first here: "
          + firstLate.text)
    }
    return notices
  }

  private func text(_ event: Event, _ previous: Int64) -> String {
    let name = symbols.devices.name(of: event.device)
    let device = name.isEmpty ? "" : " on device \(name.shown)"
    return "\(event.time.iso8601) after \(Timestamp(nanoseconds: previous).iso8601)\(device)"
  }
}
