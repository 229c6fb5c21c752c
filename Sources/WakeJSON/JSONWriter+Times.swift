package import WakeEvents

/// How ``JSONWriter`` writes points in time. Durations are whole numbers of nanoseconds in both forms.
@usableFromInline
package enum JSONTimeForm: String, CaseIterable, Sendable {
  /// Whole nanoseconds since 1970 in UTC. Readers that keep numbers as doubles, as jq does, lose the last digits of those
  /// beyond 2^53.
  case nanoseconds = "ns"
  /// Strings in ISO 8601, in UTC, with nine digits of a fraction always: `"2026-01-01T00:00:05.250000000Z"`.
  case iso
}

extension JSONWriter {
  /// Writes a point in time as the value, in the form of ``times``; nil is `null`.
  package mutating func time(_ time: Timestamp?) {
    guard let time else { return null() }
    switch times {
    case .nanoseconds:
      value(time.nanoseconds)
    case .iso:
      bytes.append(ASCII.quote)
      time.appendISO8601(to: &bytes)
      bytes.append(ASCII.quote)
    }
  }

  /// Writes a member that is a point in time.
  package mutating func member(_ key: StaticString, time: Timestamp?) {
    self.key(key)
    self.time(time)
  }

  /// Writes a member that is a point in time unless it is nil.
  package mutating func memberIfPresent(_ key: StaticString, time: Timestamp?) {
    if let time { member(key, time: time) }
  }

  /// Writes a member that is a point in time, in nanoseconds since 1970.
  package mutating func member(_ key: StaticString, time nanoseconds: Int64?) {
    member(key, time: nanoseconds.map { Timestamp(nanoseconds: $0) })
  }
}
