package import WakeEvents

/// What waited for a wake, for how long and why: a line of the wait log (rules, 9.3).
package struct Wait: Sendable {
  /// What waited on the app.
  package enum Item: Sendable {
    case type(SampleType)
    /// By its id.
    case push(String)
    case refresh
  }

  /// A part of the waiting with the same reasons throughout.
  package struct Stretch: Hashable, Sendable {
    package var nanoseconds: Int64
    /// Never empty: without a reason to wait, the app is woken at once (rule 6.1).
    package var reasons: WaitReasons
  }

  /// What ended a wait, or the wake that carried it, where neither a wake nor an answer did.
  package enum Ending: String, CaseIterable, Sendable {
    /// The app was launched (rule 5.5).
    case deliveredLive
    /// The type was disabled (rule 5.3).
    case disabled
    /// The app ended, and its held push with it (rule 5.7).
    case discarded
    /// A newer push took its place (rule 5.8).
    case superseded
    /// A new interval left no refresh overdue (rule 5.9).
    case notOverdue

    /// The word in results and tables.
    package var word: String { rawValue }
  }

  package var app: App
  package var item: Item
  /// Saves and deletes that the wake carries, or that still wait; 0 unless `item` is a type.
  package var saves = 0
  /// Since when it waited, in nanoseconds.
  package var since: Int64
  /// The time of the wake that carries it; without a wake that of its ending, or the device's last effective time.
  package var until: Int64
  /// The number of the wake on its device, from 1; nil without a wake.
  package var wake: Int?
  /// What ended it if no wake did; nil if it waits after the last input. With a wake: the type was disabled before the
  /// wake was answered.
  package var ending: Ending?
  /// In the order of time; their lengths add up to `until` − `since`.
  package var stretches: [Stretch] = []

  /// ``saves`` for tables: nil unless `item` is a type, as pushes and refreshes have none.
  package var savesOfType: Int? {
    if case .type = item { saves } else { nil }
  }
}

/// When a ``Wait`` is reported.
package enum WaitPhase: Sendable {
  /// For the wait log: when a wake begins that carries it, and after the last input.
  case logged
  /// For sums: when it is over for good. Saves that come back from a wake without an answer (rule 6.5) wait on, so their
  /// wait is not over. A wait that ends without a wake (``Wait/ending``) is over, too; it has no line in the wait log.
  case over
}

extension [Wait.Stretch] {
  /// Adds a stretch at the end, joined with the last one if the reasons are the same.
  mutating func add(_ nanoseconds: Int64, _ reasons: WaitReasons) {
    guard nanoseconds > 0 else { return }
    if let last = indices.last, self[last].reasons == reasons {
      self[last].nanoseconds += nanoseconds
    } else {
      append(Wait.Stretch(nanoseconds: nanoseconds, reasons: reasons))
    }
  }
}
