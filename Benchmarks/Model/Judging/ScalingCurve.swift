/// The cost of an operation as a function of the amount of work.
public struct ScalingCurve: Codable, Hashable, Sendable {
  /// The cost at one size.
  public struct Point: Codable, Hashable, Sendable {
    /// The benchmark that measured it.
    public var benchmark: String
    /// The amount of work: events, devices.
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

  /// The name: `replay/events`.
  public var name: String
  /// The unit of the sizes: `events`.
  public var variable: String
  /// The points, by size.
  public var points: [Point]
  /// The exponent of the fitted power law, which is the slope of the logarithms: 0 is a constant cost.
  public var exponent: Double
  /// The standard error of the exponent; nil for two points.
  public var standardError: Double?

  /// The greatest factor between a cost and the fitted power law: 1 if all lie on it.
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

  /// Whether the power law fits: no cost differs from it by more than a quarter, which is the noise of a busy machine.
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
