import WakeEvents

/// Detects times that are likely mistakes: many late inputs, and jumps ahead of more than a year.
struct TimeWatch {
  private let symbols: Symbols
  /// The latest time of each device, by ``Device/index``.
  private var latest: [Int64?] = []
  private var events = 0
  private var late = 0
  private var firstLate: Odd?
  private var firstJump: Odd?

  private struct Odd {
    var line: Int
    var event: Event
    var previous: Int64
  }

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
    while latest.count <= device { latest.append(nil) }
    let time = event.time.nanoseconds
    guard let previous = latest[device] else {
      latest[device] = time
      return
    }
    if time < previous {
      late += 1
      if firstLate == nil { firstLate = Odd(line: line, event: event, previous: previous) }
      return
    }
    if time - previous > Self.jump, firstJump == nil {
      firstJump = Odd(line: line, event: event, previous: previous)
    }
    latest[device] = time
  }

  /// The notices, a line each.
  func notices(file: String) -> [String] {
    var notices: [String] = []
    if let firstJump {
      notices.append(
        "\(file):\(firstJump.line): time jumps ahead by more than a year: \(text(firstJump))")
    }
    if let firstLate, late * Self.lateShare > events {
      notices.append(
        "\(file):\(firstLate.line): \(late) of \(events) inputs are late; the first here: \(text(firstLate))"
      )
    }
    return notices
  }

  private func text(_ odd: Odd) -> String {
    let name = symbols.devices.name(of: odd.event.device)
    let device = name.isEmpty ? "" : " on device \(name.shown)"
    let previous = Timestamp(nanoseconds: odd.previous)
    return "\(odd.event.time.iso8601) after \(previous.iso8601)\(device)"
  }
}
