/// Finds the names that one which matches nothing may have been meant to be.
package enum NearestNames {
  /// The names nearest to `name`, nearest first: by the number of letters to change (Levenshtein 1966), which are at most
  /// three and at most a third of the letters, or none if a name holds `name` of three letters or more.
  ///
  /// - Complexity: O(names × their length × length of `name`).
  package static func of(_ name: String, among names: [String], limit: Int = 3) -> [String] {
    let names = names.filter { !$0.isEmpty }
    let wanted = Array(name.lowercased())
    let scored = names.map { other -> (name: String, distance: Int, isNear: Bool) in
      let letters = Array(other.lowercased())
      let distance = distance(wanted, letters)
      let isPart = wanted.count >= 3 && other.lowercased().contains(name.lowercased())
      let most = min(3, max(1, min(wanted.count, letters.count) / 3))
      let isNear = !wanted.isEmpty && (isPart || distance <= most)
      // What holds the name is nearer than what differs in it.
      return (other, isPart ? min(distance, 1) : distance, isNear)
    }
    let near = scored.filter(\.isNear).sorted {
      $0.distance != $1.distance ? $0.distance < $1.distance : $0.name < $1.name
    }
    return near.prefix(limit).map(\.name)
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
