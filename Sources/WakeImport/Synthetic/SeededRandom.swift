/// Random numbers that are the same for a seed on every machine and for ever: SplitMix64, and integer
/// arithmetic on top of it.
struct SeededRandom: Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// A generator of its own for each `number` under one seed.
  init(seed: UInt64, number: Int) {
    state = seed
    state = next() ^ UInt64(truncatingIfNeeded: number)
    state = next()
  }

  /// The next 64 bits.
  @inline(__always)
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to less than `bound`, which is at least 1.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// True in `share` of 1,000 times.
  mutating func chance(perThousand share: Int) -> Bool {
    below(1_000) < share
  }

  /// Nanoseconds to the next of things that happen at random.
  @inline(__always)
  mutating func gap(_ mean: MeanGap) -> Int64 {
    mean.gap(next())
  }

  /// Nanoseconds to the next of things that happen at random, `mean` nanoseconds apart on average.
  mutating func gap(mean: Int64) -> Int64 {
    gap(MeanGap(mean))
  }
}

/// Makes 64 random bits a gap of a given mean, distributed about exponentially.
///
/// The exact way, −mean × log(u), would need a logarithm, whose last bits differ between libraries.
/// Here the logarithm to the base 2 is a straight line between powers of 2: the leading zeros of the
/// bits, plus one, minus what follows the first one taken as a fraction; 3/2 on average.
struct MeanGap: Sendable {
  /// Two thirds of the mean, with 8 bits after the point.
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

/// Draws places of a list, each as often as its weight, in constant time: Vose's alias method, in
/// whole numbers.
struct WeightedChoice: Sendable {
  private struct Cell {
    /// The chance of the cell's own place, of 2^32.
    var threshold: UInt64
    /// The place that has the rest.
    var other: UInt32
  }

  private var cells: [Cell]

  /// A choice of `count` places in which the place `i` is about `i + 1` times as rare as the first
  /// (Zipf's law).
  ///
  /// - Precondition: `count` is from 1 to 100,000.
  init(zipf count: Int) {
    self.init(weights: (0..<count).map { max(1, (1 << 20) / UInt64($0 + 1)) })
  }

  private init(weights: [UInt64]) {
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

  /// A place.
  @inline(__always)
  func pick(_ random: inout SeededRandom) -> Int {
    let bits = random.next()
    let place = Int(((bits >> 32) &* UInt64(cells.count)) >> 32)
    let cell = cells[place]
    return bits & 0xFFFF_FFFF < cell.threshold ? place : Int(cell.other)
  }
}
