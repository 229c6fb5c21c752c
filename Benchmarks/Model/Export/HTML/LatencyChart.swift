internal import Glibc
import Measurement
import PageDrawing

/// The latencies of single operations by percentile, on a logarithmic axis of 1 / (1 − percentile).
enum LatencyChart {
  private static let width = 360.0
  private static let height = 132.0

  /// The picture; nil if there are no latencies.
  static func draw(_ latencies: BenchmarkResult.Latencies, name: String) -> String? {
    guard latencies.count > 0, latencies.maximum > 0 else { return nil }
    let bottom = height - 20
    let rarest = max(10, Double(latencies.count))
    let x = Axis(1, rarest, from: 56, to: width - 12, logarithmic: true)
    let low = Double(max(1, latencies.minimum))
    let high = max(low, Double(latencies.maximum))
    let y = Axis(low / 1.2, high * 1.2, from: bottom, to: 6, logarithmic: true)
    var drawing = Drawing(width: width, height: height, label: "Latencies of \(name) by percentile")
    for tick in y.decades(5) {
      drawing.line((56, y.place(tick)), (width - 4, y.place(tick)), "grid")
      drawing.text(Quantity.duration(nanoseconds: tick), (51, y.place(tick) + 4), anchor: .end)
    }
    let names = ["0", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %", "99.9999 %"]
    for (power, name) in names.enumerated() {
      let rarity = pow(10, Double(power))
      guard rarity <= rarest else { break }
      let place = x.place(rarity)
      drawing.line((place, 6), (place, bottom), "grid")
      guard place < width - 30 else { break }
      drawing.text(name, (place, height - 4), anchor: .middle)
    }
    drawing.line((56, bottom), (width - 4, bottom), "axis")
    drawing.path(steps(latencies, x: x, y: y), "curve")
    return drawing.element
  }

  private static func steps(
    _ latencies: BenchmarkResult.Latencies, x: Axis, y: Axis
  ) -> [(x: Double, y: Double)] {
    var points: [(x: Double, y: Double)] = []
    var passed = 0
    for bucket in latencies.buckets {
      let height = y.place(Double(max(1, bucket.upTo)))
      points.append((x.place(rarity(passed, of: latencies.count)), height))
      passed += bucket.count
      points.append((x.place(rarity(passed, of: latencies.count)), height))
    }
    // Steps below the resolution of the picture are skipped.
    var shown: [(x: Double, y: Double)] = []
    for point in points {
      if let last = shown.last, abs(last.x - point.x) < 0.3, abs(last.y - point.y) < 0.3 {
        continue
      }
      shown.append(point)
    }
    return shown
  }

  /// 1 / (1 − percentile), limited to that of the last operation.
  private static func rarity(_ passed: Int, of count: Int) -> Double {
    Double(count) / Double(max(1, count - passed))
  }
}
