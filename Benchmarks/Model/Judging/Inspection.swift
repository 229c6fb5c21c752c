/// A file of measurements whose values are validated before use, as files may be damaged or forged.
package protocol Inspectable {
  /// The schema version in the file.
  var schemaVersion: Int { get }
  /// Validates every value.
  func inspect(_ inspection: inout Inspection)
}

extension Inspectable {
  /// The first invalid value, such as `results[3].samples[0].operations: 0 is not above 0`; nil if all are valid.
  package var objection: String? {
    var inspection = Inspection()
    inspect(&inspection)
    return inspection.objection
  }
}

/// Validates values and stores the first objection.
package struct Inspection {
  package private(set) var objection: String?

  /// The greatest count: a `Double` represents all whole numbers up to it, and the sum of a thousand.
  private static let mostCounted = 1 << 53
  /// 292 years in nanoseconds.
  private static let longest = Double(Int64.max)

  /// Objects to a value unless `condition` holds.
  mutating func require(
    _ condition: Bool, _ field: @autoclosure () -> String,
    _ objection: @autoclosure () -> String
  ) {
    guard !condition, self.objection == nil else { return }
    self.objection = "\(field()): \(objection())"
  }

  /// A count of operations.
  mutating func count(_ value: Int, _ field: @autoclosure () -> String) {
    require((1...Self.mostCounted).contains(value), field(), "\(value) is not a count above 0")
  }

  /// A time in whole nanoseconds.
  mutating func time(_ value: UInt64, _ field: @autoclosure () -> String) {
    require(
      (1...UInt64(Int64.max)).contains(value), field(),
      "\(value) is not a time in nanoseconds above 0"
    )
  }

  /// A time in nanoseconds.
  mutating func time(_ value: Double, _ field: @autoclosure () -> String) {
    require(
      value > 0 && value <= Self.longest, field(), "\(value) is not a time in nanoseconds above 0")
  }

  /// A value that is not negative.
  mutating func amount(_ value: Double?, _ field: @autoclosure () -> String) {
    guard let value else { return }
    require(value >= 0 && value.isFinite, field(), "\(value) is not a valid amount")
  }

  /// A ratio of two values.
  mutating func ratio(_ value: Double?, _ field: @autoclosure () -> String) {
    guard let value else { return }
    require(value > 0 && value.isFinite, field(), "\(value) is not a ratio above 0")
  }

  /// A fraction from 0 to 1.
  mutating func fraction(_ value: Double?, _ field: @autoclosure () -> String) {
    guard let value else { return }
    require((0...1).contains(value), field(), "\(value) is not from 0 to 1")
  }
}

extension MachineDescription {
  func inspect(_ inspection: inout Inspection) {
    inspection.count(processors, "machine.processors")
    inspection.amount(loadAverage, "machine.loadAverage")
    inspection.amount(clockNanoseconds, "machine.clockNanoseconds")
  }
}

extension BenchmarkRun: Inspectable {
  package func inspect(_ inspection: inout Inspection) {
    machine.inspect(&inspection)
    for (number, result) in results.enumerated() {
      result.inspect("results[\(number)]", &inspection)
    }
    for (number, curve) in curves.enumerated() {
      curve.inspect("curves[\(number)]", &inspection)
    }
  }
}

extension BenchmarkResult {
  fileprivate func inspect(_ field: String, _ inspection: inout Inspection) {
    for (number, sample) in samples.enumerated() {
      inspection.count(sample.operations, "\(field).samples[\(number)].operations")
      inspection.time(sample.nanoseconds, "\(field).samples[\(number)].nanoseconds")
      inspection.time(
        sample.processorNanoseconds, "\(field).samples[\(number)].processorNanoseconds")
    }
    for (number, counter) in counters.enumerated() {
      inspection.amount(counter.value, "\(field).counters[\(number)].value")
    }
    latencies?.inspect("\(field).latencies", &inspection)
  }
}

extension BenchmarkResult.Latencies {
  fileprivate func inspect(_ field: String, _ inspection: inout Inspection) {
    inspection.count(count, "\(field).count")
    inspection.require(
      minimum >= 0, "\(field).minimum", "\(minimum) is not a latency")
    inspection.require(
      maximum >= minimum, "\(field).maximum", "\(maximum) is below the minimum")
    inspection.amount(mean, "\(field).mean")
    inspection.amount(standardDeviation, "\(field).standardDeviation")
    var last: Int64 = -1
    var sum = 0
    for (number, bucket) in buckets.enumerated() {
      inspection.require(
        bucket.upTo > last, "\(field).buckets[\(number)].upTo",
        "\(bucket.upTo) is not above those before")
      inspection.require(
        bucket.count > 0 && bucket.count <= count - min(sum, count),
        "\(field).buckets[\(number)].count",
        "\(bucket.count) is not from 1 to what is left of \(count)")
      guard inspection.objection == nil else { return }
      last = bucket.upTo
      sum += bucket.count
    }
    inspection.require(
      last == maximum && minimum <= buckets.first?.upTo ?? 0, "\(field).buckets",
      "they do not go from the minimum to the maximum")
    inspection.require(
      sum == count, "\(field).buckets", "they hold \(sum) of \(count) operations")
  }
}

extension ScalingCurve {
  fileprivate func inspect(_ field: String, _ inspection: inout Inspection) {
    for (number, point) in points.enumerated() {
      inspection.ratio(point.size, "\(field).points[\(number)].size")
      inspection.time(
        point.nanosecondsPerOperation, "\(field).points[\(number)].nanosecondsPerOperation")
    }
    inspection.require(exponent.isFinite, "\(field).exponent", "\(exponent) is not an exponent")
    inspection.amount(standardError, "\(field).standardError")
  }
}

extension BenchmarkComparison: Inspectable {
  package func inspect(_ inspection: inout Inspection) {
    machine.inspect(&inspection)
    inspection.fraction(rule.errorRate, "rule.errorRate")
    inspection.fraction(rule.noiseFloor, "rule.noiseFloor")
    inspection.fraction(rule.sameWithin, "rule.sameWithin")
    for (number, result) in results.enumerated() {
      let field = "results[\(number)]"
      for (number, pair) in result.pairs.enumerated() {
        inspection.require(
          pair.round >= 0, "\(field).pairs[\(number)].round", "\(pair.round) is not a round")
        inspection.time(pair.before, "\(field).pairs[\(number)].before")
        inspection.time(pair.after, "\(field).pairs[\(number)].after")
      }
      let judgement = result.judgement
      inspection.ratio(judgement.ratio, "\(field).judgement.ratio")
      inspection.ratio(judgement.lower, "\(field).judgement.lower")
      inspection.ratio(judgement.upper, "\(field).judgement.upper")
      inspection.fraction(judgement.confidence, "\(field).judgement.confidence")
      inspection.fraction(judgement.pValue, "\(field).judgement.pValue")
      for (number, ratio) in judgement.rounds.enumerated() {
        inspection.ratio(ratio, "\(field).judgement.rounds[\(number)]")
      }
    }
  }
}

extension BenchmarkBars: Inspectable {
  package func inspect(_ inspection: inout Inspection) {
    machine?.inspect(&inspection)
    for (name, tolerance) in tolerances { inspection.amount(tolerance, "tolerances.\(name)") }
    for (name, bars) in benchmarks {
      for (counter, bar) in bars.counters {
        inspection.require(
          bar >= 0 && bar.isFinite, "benchmarks.\(name).counters.\(counter)",
          "\(bar) is not a valid threshold")
      }
      guard let time = bars.time else { continue }
      inspection.time(time.lower, "benchmarks.\(name).time.lower")
      inspection.time(time.median, "benchmarks.\(name).time.median")
      inspection.time(time.upper, "benchmarks.\(name).time.upper")
    }
  }
}
