/// Finds the names that one which matches nothing may have been meant to be.
package enum NearestNames {
  /// The names nearest to `name`, nearest first: by the number of letters (Unicode scalars) to change (Levenshtein 1966), which
  /// are at most three and at most a third of the letters (one of few), or none if a name holds `name` of three letters or
  /// more.
  ///
  /// None is near to a name of more than ``mostBytes``, nor is such a name near: a file may hold thousands of long ones.
  ///
  /// - Complexity: O(names × the square of their length).
  package static func of(_ name: String, among names: [String]) -> [String] {
    guard !name.isEmpty, name.utf8.count <= mostBytes else { return [] }
    let wantedText = name.lowercased()
    let wanted = Array(wantedText.unicodeScalars)
    let near = names.compactMap { other -> (name: String, distance: Int)? in
      guard !other.isEmpty, other.utf8.count <= mostBytes else { return nil }
      let text = other.lowercased()
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
  /// Of UTF-8. Identifiers of types and apps are much shorter.
  package static let mostBytes = 256

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

  /// ``distance(_:_:atMost:)`` of what begins and ends differently, row by row of a table, of which each row needs the places
  /// that are at most `most` from the diagonal.
  private static func restDistance(
    _ one: [Unicode.Scalar], _ other: [Unicode.Scalar], atMost most: Int
  ) -> Int? {
    var row = Array(0...other.count)
    for (place, letter) in one.enumerated() {
      // Not beyond the row, as the lengths differ by `most` at most.
      let first = max(0, place - most)
      var diagonal = row[first]
      row[first] = first == 0 ? place + 1 : most + 1
      var least = row[first]
      for column in first..<max(first, min(other.count, place + most + 1)) {
        let replaced = diagonal + (letter == other[column] ? 0 : 1)
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
