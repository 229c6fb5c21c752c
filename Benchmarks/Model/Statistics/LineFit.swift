internal import Glibc

/// A straight line fitted by least squares.
public struct LineFit: Hashable, Sendable {
  /// The slope.
  public let slope: Double
  /// The standard error of the slope; nil for two points.
  public let slopeError: Double?
  /// The value at x = 0.
  public let intercept: Double

  /// Fits a line; nil for fewer than two different x.
  ///
  /// - Complexity: O(points).
  public init?(_ points: [(x: Double, y: Double)]) {
    let count = Double(points.count)
    guard points.count >= 2 else { return nil }
    let meanX = points.reduce(0) { $0 + $1.x } / count
    let meanY = points.reduce(0) { $0 + $1.y } / count
    let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    guard spread > 0 else { return nil }
    let together = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
    let slope = together / spread
    self.slope = slope
    intercept = meanY - slope * meanX
    guard points.count > 2 else {
      slopeError = nil
      return
    }
    let residuals = points.reduce(0) { sum, point in
      let residual = point.y - meanY - slope * (point.x - meanX)
      return sum + residual * residual
    }
    slopeError = (residuals / (count - 2) / spread).squareRoot()
  }
}

/// The natural logarithm.
func logarithm(_ value: Double) -> Double { log(value) }

/// The inverse of ``logarithm(_:)``.
func exponential(_ value: Double) -> Double { exp(value) }
