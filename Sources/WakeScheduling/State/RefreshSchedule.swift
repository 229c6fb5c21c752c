import WakeEvents

/// When an app is due a background refresh (rules 5.9, 6.1).
struct RefreshSchedule {
  /// The least nanoseconds between two refreshes; `Int64.max` is never.
  private var least = Int64.max
  private var ownStatus = RefreshStatus.available
  /// The ``CommonRefreshStatus/number`` at which the app had its own status last.
  private var ownNumber = 0
  private var last = Int64.min

  /// Begins with the status available, whatever status the apps before it have.
  mutating func begin(_ common: CommonRefreshStatus) { ownNumber = common.number }

  /// Sets the status of this app.
  mutating func setStatus(_ status: RefreshStatus, _ common: CommonRefreshStatus) {
    (ownStatus, ownNumber) = (status, common.number)
  }

  /// The status: its own, or the one that every app was given since.
  func status(_ common: CommonRefreshStatus) -> RefreshStatus {
    ownNumber < common.number ? common.status : ownStatus
  }

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
  @inline(__always)
  func due(_ common: CommonRefreshStatus) -> Int64 {
    isHeld(by: common) ? .max : overdue
  }

  /// All that decides when a refresh is due, and whether one is wanted.
  func standing(_ common: CommonRefreshStatus) -> (overdue: Int64, isHeld: Bool) {
    (overdue, isHeld(by: common))
  }

  /// Whether a refresh waits for another status.
  @inline(__always)
  func isHeld(by common: CommonRefreshStatus) -> Bool { isWanted && status(common) != .available }
}

/// The refresh status that an input gave to every app seen so far. It is kept once, not by each app.
struct CommonRefreshStatus {
  private(set) var status = RefreshStatus.available
  /// How many such inputs there were.
  private(set) var number = 0

  mutating func set(_ status: RefreshStatus) {
    self.status = status
    number += 1
  }
}
