/// How the cost of an operation grows with the work.
public struct ScalingCurve: Codable, Hashable, Sendable {
  /// The cost at one size.
  public struct Point: Codable, Hashable, Sendable {
    /// The benchmark that measured it.
    public var benchmark: String
    /// How much work: events, devices.
    public var size: Double
    /// The median time of an operation, in nanoseconds.
    public var nanosecondsPerOperation: Double

    /// Makes a point.
    public init(benchmark: String, size: Double, nanosecondsPerOperation: Double) {
      self.benchmark = benchmark
      self.size = size
      self.nanosecondsPerOperation = nanosecondsPerOperation
    }
  }

  /// What grows: `replay/events`.
  public var name: String
  /// What the sizes count: `events`.
  public var variable: String
  /// By size.
  public var points: [Point]
  /// The power of the size that the cost of an operation grows with, a slope of logarithms: 0 is a cost
  /// that does not grow.
  public var exponent: Double
  /// The standard error of the exponent; nil for two points, which any line fits.
  public var standardError: Double?

  /// By which factor the cost at a size lies off the fitted power, where that is most: 1 if all lie on it.
  public var greatestDeviation: Double {
    let logarithms = points.map {
      (x: logarithm($0.size), y: logarithm($0.nanosecondsPerOperation))
    }
    let count = Double(max(1, points.count))
    let meanX = logarithms.reduce(0) { $0 + $1.x } / count
    let meanY = logarithms.reduce(0) { $0 + $1.y } / count
    let residuals = logarithms.map { ($0.y - meanY - exponent * ($0.x - meanX)).magnitude }
    return exponential(residuals.max() ?? 0)
  }

  /// Whether a power tells how costs grow: at no size does it miss the cost by more than a quarter. Times of
  /// one run differ by that much where the machine is busy.
  public var isPower: Bool { greatestDeviation <= 1.25 }

  /// Fits a curve; nil for fewer than two sizes.
  public init?(name: String, variable: String, points: [Point]) {
    let sorted = points.sorted { $0.size < $1.size }
    guard
      let fit = LineFit(
        sorted.map { (logarithm($0.size), logarithm($0.nanosecondsPerOperation)) })
    else { return nil }
    self.name = name
    self.variable = variable
    self.points = sorted
    exponent = fit.slope
    standardError = fit.slopeError
  }
}
