import Measurement

/// A sum of values that may exceed 64 bits; in JSON a text of decimal digits.
public struct ExactSum: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The sum.
  public var value: UInt128

  /// Makes a sum.
  public init(value: UInt128 = 0) { self.value = value }

  /// Reads decimal digits; nil if it is something else.
  init?(_ text: some StringProtocol) {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt128(text) else {
      return nil
    }
    self.value = value
  }

  /// Decimal digits.
  public var description: String { "\(value)" }

  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let sum = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a sum of decimal digits")
    }
    self = sum
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Distribution {
  /// Whether the figures are consistent, with counts up to `limit`: files may hold anything.
  func isPlausible(upTo limit: Int) -> Bool {
    var counted = 0
    // The least and the greatest sum of values in the buckets, as far as they are known.
    var most: UInt128 = 0
    for bucket in buckets {
      guard bucket.count >= 0, bucket.count <= limit, bucket.upTo >= 0 else { return false }
      counted += bucket.count
      guard counted <= limit else { return false }
      // No value is above the maximum, as ``DistributionSum`` has it.
      most += UInt128(max(0, min(bucket.upTo, maximum ?? bucket.upTo))) * UInt128(bucket.count)
    }
    guard counted == count, sum.value <= most else { return false }
    guard count > 0 else { return true }
    guard let minimum, let maximum, minimum >= 0, minimum <= maximum else { return false }
    return sum.value >= UInt128(minimum) && sum.value <= UInt128(maximum) * UInt128(count)
  }

  /// The distribution of the values of several distributions; see ``DistributionSum``.
  static func merged(_ parts: [Distribution]) -> Distribution {
    var sum = DistributionSum()
    for part in parts { sum.add(part) }
    return sum.distribution
  }
}

/// Distributions added up. All of it is exact or by bucket, so the order of the parts does not change a digit.
struct DistributionSum: ~Copyable {
  private var histogram = SparseHistogram()
  private var sum: UInt128 = 0

  /// Adds a plausible distribution.
  ///
  /// - Complexity: O(buckets of the part).
  mutating func add(_ part: Distribution) {
    for bucket in part.buckets where bucket.count > 0 {
      // The extremes of the lowest and the highest bucket are known exactly.
      let value = max(min(bucket.upTo, part.maximum ?? bucket.upTo), part.minimum ?? 0)
      histogram.record(value, count: bucket.count)
    }
    // Of the lowest bucket's values only the greatest is in the histogram.
    if let minimum = part.minimum { histogram.noteMinimum(minimum) }
    sum += part.sum.value
  }

  /// How many values there are.
  var count: Int { histogram.count }

  /// The distribution of all parts; no event of one is known in all.
  var distribution: Distribution {
    var all = Distribution(histogram)
    all.sum = ExactSum(value: sum)
    all.mean = all.count == 0 ? nil : Double(sum) / Double(all.count)
    return all
  }
}
