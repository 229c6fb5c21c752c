import WakeEvents

/// The types of wakes that a scheduler tells of: checked and hashed.
struct ToldTypes {
  private let symbols: Symbols
  /// The hashes of the types' names, and marks by which repeated types are found.
  private var hashes: [UInt64] = []
  private var marks: [Int] = []
  private var mark = 0
  /// The types of the last wake, and the sum of the hashes of their names.
  private var last: (numbers: [UInt32], hash: UInt64) = ([], 0)

  init(_ symbols: Symbols) { self.symbols = symbols }

  /// The sum of the hashes of a wake's types.
  ///
  /// - Throws: ``Misdeed`` if a type comes twice or is not there.
  /// - Complexity: O(types).
  mutating func hash(of types: UnsafeBufferPointer<UInt32>) throws(Misdeed) -> UInt64 {
    guard !types.isEmpty else { return 0 }
    let count = types.count
    if unsafe areLast(types) { return last.hash }
    if count > hashes.count { learn() }
    guard count <= hashes.count else { throw Misdeed("a wake with \(count) types") }
    mark += 1
    var sum: UInt64 = 0
    for place in 0..<count {
      let number = unsafe types[place]
      let type = Int(number)
      if type >= hashes.count { learn() }
      guard type < hashes.count else {
        throw Misdeed("a wake with type number \(type), which there is not")
      }
      guard marks[type] != mark else {
        throw Misdeed(
          "a wake with type \(symbols.types.name(of: SampleType(index: number)).shown) twice")
      }
      marks[type] = mark
      sum &+= hashes[type]
    }
    last.numbers.removeAll(keepingCapacity: true)
    unsafe last.numbers.append(contentsOf: types)
    last.hash = sum
    return sum
  }

  /// Whether types are those of the wake before. Without a call that counts references.
  @inline(__always)
  private func areLast(_ types: UnsafeBufferPointer<UInt32>) -> Bool {
    guard types.count == last.numbers.count else { return false }
    for place in types.indices where unsafe types[place] != last.numbers[place] {
      return false
    }
    return true
  }

  /// Takes the hashes of types that were named since.
  private mutating func learn() {
    let known = symbols.types.count
    while hashes.count < known {
      hashes.append(symbols.types.hash(of: SampleType(index: UInt32(hashes.count))))
      marks.append(0)
    }
  }
}
