import BenchmarkModel
import Measurement
import WakeEvents
import WakeScheduling

/// Symbol tables and the histogram, which are outside of the hot path.
enum LookupSuite {
  static let benchmarks = [lookUp, name, histogram]

  private static let names = (0..<1_000).map { "com.example.metric.\($0)" }

  private static let lookUp = Benchmark(
    "symbols/look-up", "names to symbols, 1,000 of them", tags: [.micro, .short], unit: "look-up"
  ) {
    let table = Symbols().types
    for name in names { _ = table.intern(name) }
    return .init(operations: names.count) { iterations in
      var sum: UInt64 = 0
      for _ in 0..<iterations {
        sum = 0
        for name in names { sum = sum &* 31 &+ UInt64(table.intern(name).index) }
      }
      return sum
    }
  }

  private static let name = Benchmark(
    "symbols/name", "symbols to names", tags: [.micro], unit: "look-up"
  ) {
    let table = Symbols().types
    let symbols = names.map { table.intern($0) }
    var prepared = Benchmark.Prepared(operations: symbols.count) { iterations in
      var sum: UInt64 = 0
      for _ in 0..<iterations {
        sum = 0
        for symbol in symbols { sum = sum &* 31 &+ UInt64(table.name(of: symbol).utf8.count) }
      }
      return sum
    }
    // The region's digest has only their lengths.
    prepared.outcome = {
      var hash = WakeHash()
      for symbol in symbols {
        for byte in table.name(of: symbol).utf8 { hash.combine(UInt64(byte)) }
      }
      return hash.value
    }
    return prepared
  }

  private static let histogram = Benchmark(
    "histogram/record", "latencies over six decades", tags: [.micro, .short], unit: "value"
  ) {
    var random: UInt64 = 7
    let values = (0..<16_384).map { _ in
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(random >> 44) >> Int64(random & 15)
    }
    let kept = KeptHistogram()
    return .init(operations: values.count) { iterations in
      var digest: UInt64 = 0
      for _ in 0..<iterations {
        digest = kept.record(values)
      }
      return digest
    }
  }
}

/// A histogram on the heap, as a closure cannot capture a noncopyable value.
private final class KeptHistogram {
  private var histogram = Histogram()

  /// Records all values; returns a digest, which does not depend on earlier calls with the same values.
  func record(_ values: [Int64]) -> UInt64 {
    let before = histogram.count
    for value in values { histogram.record(value) }
    var hash = WakeHash()
    hash.combine(Int64(histogram.count - before))
    hash.combine(histogram.maximum ?? -1)
    hash.combine(histogram.value(atPercentile: 90) ?? -1)
    return hash.value
  }
}
