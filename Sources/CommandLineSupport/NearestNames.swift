/// Finds the names that one which matches nothing may have been meant to be.
package enum NearestNames {
  /// The names nearest to `name`, nearest first: by the number of letters to change (Levenshtein 1966), of those that are
  /// alike or hold it. If none is, the first in the order of the alphabet.
  ///
  /// - Complexity: O(names × their length × length of `name`).
  package static func of(_ name: String, among names: [String], limit: Int = 3) -> [String] {
    let wanted = Array(name.lowercased())
    let scored = names.map { other -> (name: String, distance: Int, isNear: Bool) in
      let letters = Array(other.lowercased())
      let distance = distance(wanted, letters)
      let isPart = !wanted.isEmpty && other.lowercased().contains(name.lowercased())
      let isNear = isPart || distance <= max(2, min(wanted.count, letters.count) / 3)
      // What holds the name is nearer than what differs in it.
      return (other, isPart ? min(distance, 1) : distance, isNear)
    }
    let near = scored.filter(\.isNear).sorted {
      $0.distance != $1.distance ? $0.distance < $1.distance : $0.name < $1.name
    }
    return Array((near.isEmpty ? names.sorted() : near.map(\.name)).prefix(limit))
  }

  /// How many letters must be inserted, removed or replaced to make one of the other.
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (place, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for (column, otherLetter) in other.enumerated() {
        let replaced = diagonal + (letter == otherLetter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
