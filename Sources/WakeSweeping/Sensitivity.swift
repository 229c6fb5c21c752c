import Measurement

/// Whether a parameter made a difference.
package struct Sensitivity: Hashable, Sendable {
  /// Neighbouring values, in the order given, between which nothing changes whatever the other parameters are.
  package struct Interval: Hashable, Sendable {
    package var from: String
    package var to: String
    /// Whether it ends with the first or the last value.
    package var reachesFirst: Bool
    package var reachesLast: Bool
  }

  package var parameter: String
  /// Of two values or more.
  package var intervals: [Interval]

  /// In a sentence.
  package var inWords: String {
    guard !intervals.isEmpty else { return "\(parameter): every step changes something" }
    let parts = intervals.map { interval in
      switch (interval.reachesFirst, interval.reachesLast) {
      case (true, true): "makes no difference from \(interval.from) to \(interval.to)"
      case (false, true): "unchanged from \(interval.from) on"
      case (true, false): "unchanged up to \(interval.to)"
      case (false, false): "unchanged from \(interval.from) to \(interval.to)"
      }
    }
    return "\(parameter): \(parts.joined(separator: ", "))"
  }
}

extension SweepResult {
  /// How each parameter of several values matters.
  ///
  /// Two values are alike if every two rows that differ in them alone have the same counts and the same digest.
  package var sensitivities: [Sensitivity] {
    parameters.indices.compactMap { parameter in
      var values: [String] = []
      var groups: [[String]: [Int]] = [:]
      for (place, row) in rows.enumerated() {
        if !values.contains(row.values[parameter]) { values.append(row.values[parameter]) }
        var others = row.values
        others[parameter] = ""
        groups[others, default: []].append(place)
      }
      guard values.count > 1 else { return nil }
      var differs = Array(repeating: false, count: values.count)
      for group in groups.values {
        for (one, other) in zip(group, group.dropFirst())
        where rows[one].summary != rows[other].summary {
          if let place = values.firstIndex(of: rows[other].values[parameter]) {
            differs[place] = true
          }
        }
      }
      return Sensitivity(
        parameter: parameters[parameter], intervals: Self.intervals(values, differs))
    }
  }

  /// - Parameter differs: Whether something changes from the value before to each.
  private static func intervals(_ values: [String], _ differs: [Bool]) -> [Sensitivity.Interval] {
    var intervals: [Sensitivity.Interval] = []
    var first = 0
    for place in 1...values.count where place == values.count || differs[place] {
      if place - first > 1 {
        intervals.append(
          .init(
            from: values[first], to: values[place - 1], reachesFirst: first == 0,
            reachesLast: place == values.count))
      }
      first = place
    }
    return intervals
  }
}
