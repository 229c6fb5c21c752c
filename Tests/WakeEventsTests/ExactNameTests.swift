import Testing
import WakeEvents

@Suite("Names compared by their bytes")
struct ExactNameTests {
  /// Pairs that are equal for some bytes, fewer than eight, a multiple of eight or others, and then differ, end or are equal.
  static let pairs: [(String, String)] = (0...26).flatMap { length in
    let start = String(
      "HKQuantityTypeIdentifierÄé".unicodeScalars.prefix(length).map(Character.init))
    let ends = [
      "", "a", "b", "é", "\u{65}\u{301}", "ab", "zzzzzzzzz", "zzzzzzzzy", "\u{10FFFF}", "\u{0}",
    ]
    return ends.flatMap { one in ends.map { (start + one, start + $0) } }
  }

  @Test("are in the order of the bytes, and equal where all are", arguments: pairs)
  func order(_ one: String, _ two: String) {
    let (first, second) = (ExactName(one), ExactName(two))
    #expect((first < second) == one.utf8.lexicographicallyPrecedes(two.utf8))
    #expect((first == second) == one.utf8.elementsEqual(two.utf8))
    #expect(first != second || first.hashValue == second.hashValue)
  }
}
