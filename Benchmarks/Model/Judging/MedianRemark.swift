import Measurement

extension BenchmarkComparison.Result {
  /// The medians of all times of either build.
  package var medians: (before: Double, after: Double)? {
    guard let before = Statistics.median(of: pairs.map(\.before)),
      let after = Statistics.median(of: pairs.map(\.after)), before > 0, after > 0
    else { return nil }
    return (before, after)
  }

  /// Why the medians of all times, which reports show, do not tell of the change that is judged; nil where they do.
  ///
  /// They disagree if the table would show the change to another side, or outside of its interval. A median of all
  /// times mixes the states of the machine; the change comes from times that were measured side by side.
  package var medianRemark: String? {
    guard let medians else { return nil }
    let plain = medians.after / medians.before
    let shown = ReportText.change(plain)
    let told = ReportText.change(judgement.ratio)
    let isBeyond =
      judgement.lower.map { plain < $0 } ?? false || judgement.upper.map { plain > $0 } ?? false
    let isOpposite =
      (plain - 1) * (judgement.ratio - 1) < 0 && told != ReportText.change(1)
      && ReportText.time(medians.before) != ReportText.time(medians.after)
    guard isOpposite || isBeyond && shown != told else { return nil }
    let range = Self.range(ofRounds: pairs)
    let reason =
      range > 1.02
      ? "the machine's speed changed by \(Quantity.percentage(range - 1)) between rounds"
      : "times have several levels, which either build met by chance"
    return
      "\(name): the medians of all times differ by \(shown), as \(reason); the change is that of "
      + "times measured side by side"
  }

  /// How much the slowest of the middle eight tenths of rounds is slower than the fastest, in the build before.
  private static func range(ofRounds pairs: [BenchmarkComparison.Pair]) -> Double {
    var rounds: [Int: [Double]] = [:]
    for pair in pairs { rounds[pair.round, default: []].append(pair.before) }
    let medians = rounds.values.compactMap { Statistics.median(of: $0) }
    guard let low = Statistics.percentile(10, of: medians),
      let high = Statistics.percentile(90, of: medians), low > 0
    else { return 1 }
    return high / low
  }
}
