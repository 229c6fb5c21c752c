import WakeEvents
package import WakeScheduling

/// What something waited for, and the wakes that carried it.
package struct WaitStory: Sendable {
  /// A wake that carried what waited.
  package struct Flight: Sendable {
    /// The wake's number on its device, from 1.
    package var number: Int
    package var time: Int64
    /// How many saves and deletes of what waited it carried.
    package var saves: Int
    /// The whole wake, with the outcome `open` if it is in flight at the last input; nil until it was reported.
    package var wake: Wake?
  }

  package var app: String
  /// The name of the device.
  package var device: String
  /// The device's place in the order of first appearance.
  var place: Int
  package var wait: Wait
  /// The sample type or the push's id; nil for a refresh.
  package var name: String?
  /// Wakes in the order of time: those that carried it in vain, and the one that carried it for good, if there is one.
  package var flights: [Flight]

  /// Nanoseconds from the oldest save, the push's arrival or the time at which the refresh was overdue.
  package var waited: Int64 { wait.until - wait.since }

  /// Whether saves and deletes waited, not a push or a refresh.
  var isOfType: Bool {
    if case .type = wait.item { true } else { false }
  }

  /// Whether this one is told before another one where the longest are told.
  func isLonger(than other: WaitStory) -> Bool {
    if waited != other.waited { return waited > other.waited }
    if (place, wait.since) != (other.place, other.wait.since) {
      return (place, wait.since) < (other.place, other.wait.since)
    }
    return (name ?? "").precedes(other.name ?? "")
  }

  /// Notes the end of a wake.
  mutating func end(_ wake: borrowing Wake) {
    guard let last = flights.indices.last, flights[last].number == wake.number else { return }
    flights[last].wake = copy wake
  }
}
