public import WakeEvents

/// How a wake ended (rules, 7, `outcome`).
public enum WakeOutcome: UInt8, CaseIterable, Sendable {
  /// Everything it carried was answered, or the user opened the app.
  case completed = 1
  /// Its deadline passed.
  case expired = 2
  /// The app was ended, or the device restarted.
  case aborted = 3
  /// It was still in flight after the device's last input.
  case open = 4

  /// The word in the wake log.
  public var word: String {
    switch self {
    case .completed: "completed"
    case .expired: "expired"
    case .aborted: "aborted"
    case .open: "open"
    }
  }
}

/// One wake: a line of the wake log (rules, 7).
public struct Wake: Sendable {
  /// Its place among the device's wakes in order of their times, from 1.
  public var number: Int
  /// When the app was woken.
  public var time: Timestamp
  /// The app.
  public var app: App
  /// The types carried at its start, sorted by the UTF-8 bytes of their names.
  public var types: [SampleType]
  /// Pending saves and deletes carried.
  public var saves: Int
  /// The time of the first of them.
  public var oldest: Timestamp?
  /// The id of the push carried.
  public var push: String?
  /// Whether it carries a background refresh.
  public var refresh: Bool
  /// How it ended; ``WakeOutcome/open`` while it is in flight.
  public var outcome: WakeOutcome
  /// When it ended.
  public var end: Timestamp?
  /// Where it is completed, but nobody answered: the app was launched (``Wait/Ending/deliveredLive``), or the last type
  /// outstanding was disabled. Nil where a wake is not reported as it ends.
  package internal(set) var cutShort: Wait.Ending?

  /// Makes a wake.
  public init(
    number: Int, time: Timestamp, app: App, types: [SampleType], saves: Int, oldest: Timestamp?,
    push: String?, refresh: Bool, outcome: WakeOutcome, end: Timestamp?
  ) {
    self.number = number
    self.time = time
    self.app = app
    self.types = types
    self.saves = saves
    self.oldest = oldest
    self.push = push
    self.refresh = refresh
    self.outcome = outcome
    self.end = end
  }
}
