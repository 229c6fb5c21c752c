/// A set of app numbers, which are taken out in their order. It costs what is in it, not what apps there are.
///
/// A bit for each app. Few devices have more than 64 apps; of those beyond, the words that are not empty are listed.
struct AppSet {
  private var first: UInt64 = 0
  /// The apps from 64 on; nil if there never was one.
  private var others: Others?

  /// A class, so that the many sets without it are small. Each set has its own.
  private final class Others {
    /// Bits, by the number of the app / 64 - 1.
    var words: [UInt64] = []
    /// The indices of the words that are not empty; in descending order while ``isSorted``.
    var filled: [Int32] = []
    var isSorted = false
  }

  @inline(__always)
  var isEmpty: Bool { first == 0 && (others?.filled.isEmpty ?? true) }

  func contains(_ app: Int) -> Bool {
    if app < 64 { return first >> UInt64(app) & 1 == 1 }
    guard let others, app / 64 <= others.words.count else { return false }
    return others.words[app / 64 - 1] >> UInt64(app & 63) & 1 == 1
  }

  /// - Complexity: O(1), amortised.
  @inline(__always)
  mutating func insert(_ app: Int) {
    if app < 64 { first |= 1 &<< UInt64(app & 63) } else { insertOther(app) }
  }

  @inline(never)
  private mutating func insertOther(_ app: Int) {
    let others = others ?? Others()
    self.others = others
    let word = app / 64 - 1
    while word >= others.words.count { others.words.append(0) }
    if others.words[word] == 0 {
      others.filled.append(Int32(word))
      others.isSorted = false
    }
    others.words[word] |= 1 &<< UInt64(app & 63)
  }

  /// Takes the lowest app out; nil if there is none.
  ///
  /// - Complexity: O(1), and where an app was inserted since the last call O(n log n) with n words that are not empty.
  mutating func popFirst() -> Int? {
    if first != 0 {
      defer { first &= first &- 1 }
      return first.trailingZeroBitCount
    }
    guard let others else { return nil }
    if !others.isSorted {
      others.filled.sort(by: >)
      others.isSorted = true
    }
    guard let word = others.filled.last.map(Int.init) else { return nil }
    let bits = others.words[word]
    others.words[word] = bits & (bits &- 1)
    if others.words[word] == 0 { others.filled.removeLast() }
    return 64 * (word + 1) + bits.trailingZeroBitCount
  }

  mutating func formUnion(_ other: consuming AppSet) {
    while let app = other.popFirst() { insert(app) }
  }

  /// Takes everything out.
  mutating func take() -> AppSet {
    var taken = AppSet()
    swap(&taken, &self)
    return taken
  }

  /// A set with the same apps that shares nothing with this one.
  func copied() -> AppSet {
    var copy = self
    guard let others else { return copy }
    let own = Others()
    (own.words, own.filled, own.isSorted) = (others.words, others.filled, others.isSorted)
    copy.others = own
    return copy
  }
}
