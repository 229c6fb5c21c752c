import WakeEvents
import WakeTestSupport

/// Events with the extreme values that rules, 2, allow.
enum ExtremeEvents {
  static let highestTime = Timestamp.validRange.upperBound

  /// Values that are easily lost: signs, bits, and decimals that no exponent gives back.
  static let values: [Double] = [
    -0.0, 0, .leastNonzeroMagnitude, -.leastNormalMagnitude, 1e308, -.greatestFiniteMagnitude,
    0.1 + 0.2, 1 / 3, 12_345.678_901_234_567, 9_007_199_254_740_994, 1e15, 1e-15, 72.5, -1.25,
    .pi, .leastNormalMagnitude.nextDown,
  ]

  /// Saves and deletes of one device with extreme times, details and values, each type in its own way.
  static func samples(count: Int, seed: UInt64 = 1) -> (events: [Event], symbols: Symbols) {
    let symbols = Symbols()
    var random = SplitMix64(seed: seed)
    let types = (0..<20).map { symbols.types.intern("type \($0)") }
    let sources = ["", "\u{0}", "é", "e\u{301}", "👩‍👩‍👧"].map(symbols.sources.intern)
    let device = symbols.devices.intern("")
    let events = (0..<count).map { _ in
      let place = random.below(types.count)
      var sample = Sample(type: types[place], source: random.pick(sources))
      if random.chance(60) { sample.start = time(using: &random) }
      if random.chance(60) { sample.end = time(using: &random) }
      if random.chance(60) {
        // The first types have one value each, others decimals, doubles of all sizes, or all of it.
        sample.value =
          switch place {
          case values.indices: values[place]
          case 16: Double(random.below(1_000)) / 10
          case 17: Double(random.below(1 << 30)) * 1e-9
          case 18: finite(random.next())
          default: random.pick(values)
          }
      }
      let input: Input =
        random.chance(90) ? .save(sample) : .delete(type: sample.type, source: sample.source)
      return Event(time: time(using: &random), device: device, input: input)
    }
    return (events, symbols)
  }

  /// Any bits that are a finite double.
  private static func finite(_ bits: UInt64) -> Double {
    let value = Double(bitPattern: bits)
    return value.isFinite ? value : 0
  }

  private static func time(using random: inout SplitMix64) -> Timestamp {
    let time: Int64 =
      switch random.below(6) {
      case 0: highestTime
      case 1: -highestTime
      case 2: 0
      case 3: random.within(-1_000...1_000)
      default: random.within(-highestTime / 2...highestTime / 2) * 2
      }
    return Timestamp(nanoseconds: time)
  }
}
