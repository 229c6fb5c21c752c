package import WakeEvents

/// A wake that has ended, or is open at the end: what a log tells of it but for its types and push. Plain numbers, so that Swift
/// counts no references.
package struct EndedWake: Sendable {
  /// Its place among the device's wakes, from 1.
  package var number: Int
  /// The app.
  package var app: App
  /// When the app was woken, in nanoseconds.
  package let time: Int64
  /// Pending saves and deletes carried.
  package let saves: Int
  /// When the first of them happened; nil if there was none.
  package let oldest: Int64?
  /// Whether it carried a refresh.
  package let hasRefresh: Bool
  /// How it ended; ``WakeOutcome/open`` if it has not.
  package let outcome: WakeOutcome
  /// When it ended; nil if it has not.
  package let end: Int64?
}

extension EndedWake {
  /// The figures of a wake that another scheduler has told of.
  package init(_ wake: borrowing Wake) {
    self.init(
      number: wake.number, app: wake.app, time: wake.time.nanoseconds, saves: wake.saves,
      oldest: wake.oldest?.nanoseconds, hasRefresh: wake.refresh, outcome: wake.outcome,
      end: wake.end?.nanoseconds)
  }
}
