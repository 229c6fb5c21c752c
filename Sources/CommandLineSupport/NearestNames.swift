/// Finds the names that one which matches nothing may have been meant to be.
package enum NearestNames {
  /// The names nearest to `name`, nearest first: by the number of letters (Unicode scalars) to change (Levenshtein 1966), which
  /// are at most three and at most a third of the letters (one of few), or none if a name holds `name` of three letters or
  /// more.
  ///
  /// - Complexity: O(names × (their length + the square of what they do not begin and end with alike)), where few of them
  ///   repeat what `name` begins with.
  package static func of(_ name: String, among names: [String]) -> [String] {
    let wantedText = name.lowercased()
    let wanted = Array(wantedText.unicodeScalars)
    guard !wanted.isEmpty else { return [] }
    let near = names.compactMap { other -> (name: String, distance: Int)? in
      let text = other.lowercased()
      guard !text.isEmpty else { return nil }
      // Not the same names: they differ in case, or in how accents are composed, as names are compared by their bytes.
      if text == wantedText { return (other, 0) }
      let letters = Array(text.unicodeScalars)
      // What holds the name is nearer than what differs in it.
      if wanted.count >= 3, holds(letters, wanted) { return (other, 1) }
      let most = min(3, max(1, min(wanted.count, letters.count) / 3))
      return distance(wanted, letters, atMost: most).map { (other, $0) }
    }
    let sorted = near.sorted {
      $0.distance != $1.distance ? $0.distance < $1.distance : $0.name < $1.name
    }
    return sorted.prefix(mostShown).map(\.name)
  }

  private static let mostShown = 3

  private static func holds(_ letters: [Unicode.Scalar], _ part: [Unicode.Scalar]) -> Bool {
    guard letters.count >= part.count else { return false }
    return (0...letters.count - part.count).contains {
      letters[$0...].starts(with: part)
    }
  }

  /// How many letters must be inserted, removed or replaced to make one of the other; nil if that is more than `most`.
  package static func distance(
    _ one: [Unicode.Scalar], _ other: [Unicode.Scalar], atMost most: Int
  ) -> Int? {
    guard abs(one.count - other.count) <= most else { return nil }
    // Names of types begin alike.
    let start = zip(one, other).prefix { $0 == $1 }.count
    let (one, other) = (one.dropFirst(start), other.dropFirst(start))
    let end = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
    return restDistance(Array(one.dropLast(end)), Array(other.dropLast(end)), atMost: most)
  }

  /// ``distance(_:_:atMost:)`` of what begins and ends differently, row by row of a table.
  private static func restDistance(
    _ one: [Unicode.Scalar], _ other: [Unicode.Scalar], atMost most: Int
  ) -> Int? {
    var row = Array(0...other.count)
    for (place, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      var least = row[0]
      for (column, otherLetter) in other.enumerated() {
        let replaced = diagonal + (letter == otherLetter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
        least = min(least, row[column + 1])
      }
      // No number of a later row is below the least of this one.
      guard least <= most else { return nil }
    }
    return row[other.count] <= most ? row[other.count] : nil
  }
}
