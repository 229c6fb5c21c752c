import WakeEvents

/// When an app is due a background refresh (rules 5.9, 6.1).
struct RefreshSchedule {
  /// The least nanoseconds between two refreshes; `Int64.max` is never.
  private var least = Int64.max
  var status = RefreshStatus.available
  private var last = Int64.min

  /// Sets the interval at `time` (rule 5.9).
  mutating func setInterval(_ setting: RefreshInterval, at time: Int64, minimum: Int64) {
    if setting != .never, !isWanted { last = time }
    switch setting {
    case .never: least = .max
    case .minimum: least = minimum
    case .seconds(let seconds): least = max(minimum, Seconds.nanoseconds(seconds))
    }
  }

  /// Whether there is an interval.
  var isWanted: Bool { least != .max }

  /// Notes that a wake carries a refresh.
  mutating func refreshed(at time: Int64) { last = time }

  /// From when a refresh is overdue, whatever keeps it back; `Int64.max` is never (rule 9.1).
  @inline(__always)
  var overdue: Int64 {
    isWanted ? last + least : .max
  }

  /// When the next refresh is due, as far as status and interval go; `Int64.max` is never.
  var due: Int64 { status == .available ? overdue : .max }
}
