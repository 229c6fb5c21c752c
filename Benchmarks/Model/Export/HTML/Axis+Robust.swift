import PageDrawing

extension Axis {
  /// A range that shows most values well, without far outliers.
  static func robustRange(_ values: [Double]) -> ClosedRange<Double>? {
    let finite = values.filter(\.isFinite)
    guard let low = finite.min(), let high = finite.max(),
      let quarter = Statistics.percentile(25, of: finite),
      let threeQuarters = Statistics.percentile(75, of: finite)
    else { return nil }
    let room = 4 * (threeQuarters - quarter)
    guard room > 0 else { return low...high }
    return max(low, quarter - room)...min(high, threeQuarters + room)
  }
}
