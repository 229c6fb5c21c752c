import WakeEvents

/// A small generator of random numbers that gives the same ones everywhere and for ever.
///
/// The choices below are its own and not the standard library's, whose way from bits to a range may
/// change, so that a seed in a bug report keeps its meaning.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts at `seed`; equal seeds give equal numbers.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return state.splitMixed
  }

  /// A number from 0 to less than `bound`, which is at least 1.
  public mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number of `range`.
  public mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(below(Int(range.upperBound - range.lowerBound) + 1))
  }

  /// True in `percent` of 100 times.
  public mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  /// One of `choices`, which are not empty.
  public mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[below(choices.count)]
  }

  /// A place in `weights`, each as often as its weight; the sum is at least 1.
  public mutating func weighted(_ weights: [Int]) -> Int {
    var rest = below(weights.reduce(0, +))
    for (place, weight) in weights.enumerated() {
      if rest < weight { return place }
      rest -= weight
    }
    return weights.count - 1
  }
}
