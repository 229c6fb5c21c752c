import WakeEvents

/// SplitMix64 (Steele, Lea, Flood 2014) with integer arithmetic on top: the same numbers for a seed on every machine.
///
/// The bytes of generated traces depend on it.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  /// An independent generator for each `number` under one seed.
  init(seed: UInt64, number: Int) {
    state = seed
    state = next() ^ UInt64(truncatingIfNeeded: number)
    state = next()
  }

  @inline(__always)
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return state.splitMixed
  }

  /// A number from 0 to less than `bound`, which is at least 1.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// True in `share` of 1,000 times.
  mutating func chance(perThousand share: Int) -> Bool {
    below(1_000) < share
  }

  /// Nanoseconds to the next event of a random process.
  @inline(__always)
  mutating func gap(_ mean: MeanGap) -> Int64 {
    mean.gap(next())
  }

  /// The same with gaps of `mean` nanoseconds on average.
  mutating func gap(mean: Int64) -> Int64 { gap(MeanGap(mean)) }
}

/// Maps 64 random bits to a gap of a given mean, about exponentially distributed.
///
/// The exact form is −mean × log(u), but the last bits of logarithms differ between libraries. Here log2 is linear
/// between powers of 2: leading zeros plus one minus the bits behind the first one as a fraction; 3/2 on average.
struct MeanGap: Sendable {
  /// Two thirds of the mean, in fixed point with 8 fractional bits.
  private let scaled: UInt64

  /// - Precondition: `mean` is from 0 to 2 × 10^16 nanoseconds.
  init(_ mean: Int64) {
    scaled = (UInt64(mean) << 9) / 3
  }

  @inline(__always)
  func gap(_ bits: UInt64) -> Int64 {
    let zeros = bits.leadingZeroBitCount
    let fraction = (bits << UInt64(zeros + 1)) >> 48
    let logarithm = UInt64(zeros + 1) << 16 - fraction
    return Int64(scaled.multipliedFullWidth(by: logarithm << 40).high)
  }
}

/// Draws indices by weight in constant time: Vose's alias method (1991) in integers.
struct WeightedChoice: Sendable {
  private struct Cell {
    /// The probability of the cell's own index, of 2^32.
    var threshold: UInt64
    /// The alias, which has the rest.
    var other: UInt32
  }

  private var cells: [Cell]

  /// A choice of `count` indices by Zipf's law: index `i` is `i + 1` times as rare as the first.
  ///
  /// - Precondition: `count` is from 1 to 100,000.
  init(zipf count: Int) {
    let weights = (0..<count).map { max(1, (1 << 20) / UInt64($0 + 1)) }
    let total = weights.reduce(0, +)
    cells = weights.indices.map { Cell(threshold: 1 << 32, other: UInt32($0)) }
    var shares = weights.map { $0 * UInt64(weights.count) }
    var small = shares.indices.filter { shares[$0] < total }
    var large = shares.indices.filter { shares[$0] >= total }
    while let poor = small.popLast(), let rich = large.popLast() {
      cells[poor] = Cell(threshold: (shares[poor] << 32) / total, other: UInt32(rich))
      shares[rich] -= total - shares[poor]
      if shares[rich] < total { small.append(rich) } else { large.append(rich) }
    }
  }

  @inline(__always)
  func pick(_ random: inout SeededRandom) -> Int {
    let bits = random.next()
    let place = Int(((bits >> 32) &* UInt64(cells.count)) >> 32)
    let cell = cells[place]
    return bits & 0xFFFF_FFFF < cell.threshold ? place : Int(cell.other)
  }
}
