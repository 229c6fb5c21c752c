import Testing

@testable import WakeEvents

@Suite("Places found by hashes")
struct HashedPlacesTests {
  /// The place of a value in a row, behind whose last it is put if it is new.
  private func place(
    of value: UInt64, hash: UInt64, in row: inout [UInt64], _ places: inout HashedPlaces
  ) -> Int {
    var probe = places.probe(for: hash)
    while let place = places.next(&probe) {
      if row[place] == value { return place }
    }
    places.append(at: probe)
    row.append(value)
    return row.count - 1
  }

  /// Hashes that differ in their high halves, that are all alike there, that lie at the end of the slots.
  private static let hashes: [(name: String, of: @Sendable (UInt64) -> UInt64)] = [
    ("spread", { $0 &* 0x9E37_79B9_7F4A_7C15 }), ("few", { ($0 % 3) << 32 }),
    ("one", { $0 & 0xFF }), ("at the end", { _ in .max }), ("rising", { $0 << 32 }),
  ]

  @Test("are those of a dictionary", arguments: hashes.indices)
  func areAsInDictionary(kind: Int) throws {
    let (name, hash) = Self.hashes[kind]
    var row: [UInt64] = []
    var places = HashedPlaces()
    var expected: [UInt64: Int] = [:]
    for turn: UInt64 in 0..<1_500 {
      // Each value comes several times, before and after the table has grown.
      let value = turn * turn % 701
      let found = place(of: value, hash: hash(value), in: &row, &places)
      let known = expected[value] ?? expected.count
      expected[value] = known
      #expect(found == known, "\(name), turn \(turn)")
    }
    #expect(row.count == expected.count, "\(name): as many values as were new")
    let hashes = row.map(hash)
    for (place, first) in places.firstPlaces(for: hashes).enumerated() {
      try #require(row.indices.contains(first), "\(name): no place \(first) of value \(place)")
      #expect(hashes[first] >> 32 == hashes[place] >> 32, "\(name): \(first) has another hash")
    }
    // None is lost while there are more and more.
    for value: UInt64 in 20_000..<20_700 {
      #expect(self.place(of: value, hash: hash(value), in: &row, &places) == row.count - 1)
    }
    #expect(places.firstPlaces(for: row.map(hash)).allSatisfy { $0 >= 0 }, "\(name): lost places")
    var probe = places.probe(for: hash(10_000))
    while let place = places.next(&probe) {
      #expect(row[place] != 10_000, "\(name): a value that never came")
    }
  }
}
