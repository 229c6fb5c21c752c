import AllocationHooks
import BenchmarkModel
import Measurement
import WakeScheduling

/// A benchmark that has been set up, with checks of its results.
final class Subject {
  let benchmark: Benchmark
  let prepared: Benchmark.Prepared
  /// The expected digest of an iteration, including its outcome where that is checked.
  let expected: UInt64
  /// The digest of the region alone, once the whole was found correct.
  private var expectedOfRegion: UInt64?

  /// Sets a benchmark up.
  ///
  /// - Throws: ``NotHere`` if it must be skipped; ``BenchmarkFailure``.
  init(_ benchmark: Benchmark) throws {
    let expected =
      benchmark.hasOwnResult
      ? nil : try benchmark.expectedDigest?() ?? ExpectedDigests.values[benchmark.name]
    guard expected != nil || benchmark.hasOwnResult else {
      throw BenchmarkFailure("ExpectedDigests.swift has no digest for it")
    }
    self.benchmark = benchmark
    prepared = try benchmark.prepare()
    self.expected = try expected ?? Self.whole(try prepared.measure(1), of: prepared)
  }

  /// The digest that a benchmark computes, without a check.
  static func digest(of benchmark: Benchmark) throws -> UInt64 {
    let prepared = try benchmark.prepare()
    return try whole(try prepared.measure(1), of: prepared)
  }

  /// The digest of the region combined with that of its outcome.
  private static func whole(_ region: UInt64, of prepared: Benchmark.Prepared) throws -> UInt64 {
    guard let outcome = try prepared.outcome?() else { return region }
    guard !prepared.isJudgedByOutcomeAlone else { return outcome }
    var hash = WakeHash()
    hash.combine(region)
    hash.combine(outcome)
    return hash.value
  }

  /// Runs the measured region once.
  ///
  /// - Throws: ``BenchmarkFailure`` if the digest is wrong.
  func sample(
    iterations: Int, since origin: UInt64, hardware: HardwareCounters? = nil
  ) throws -> BenchmarkResult.Sample {
    hardware?.start()
    let processorBegin = CPUClock.process()
    let begin = MonotonicClock.now()
    let digest = try Region.run { try prepared.measure(iterations) }
    let end = MonotonicClock.now()
    let processorEnd = CPUClock.process()
    hardware?.stop(operations: iterations * prepared.operations)
    try check(digest)
    // At least 1, as later divisions need it.
    return BenchmarkResult.Sample(
      at: begin &- origin, operations: iterations * prepared.operations,
      nanoseconds: max(1, end &- begin),
      processorNanoseconds: max(1, processorEnd &- processorBegin))
  }

  private func check(_ digest: UInt64) throws {
    if digest == expectedOfRegion { return }
    if let expectedOfRegion, prepared.isJudgedByOutcomeAlone {
      throw BenchmarkFailure(
        "the result is wrong: it is another than before, \(Digest(value: digest)) and not "
          + "\(Digest(value: expectedOfRegion))")
    }
    let whole = try Self.whole(digest, of: prepared)
    guard whole == expected else {
      if benchmark.hasOwnResult {
        throw BenchmarkFailure(
          "its wakes are not the same each time: their digest is \(Digest(value: whole)), and was "
            + "\(Digest(value: expected))")
      }
      throw BenchmarkFailure(
        "the result is wrong: its digest is \(Digest(value: whole)) and not "
          + "\(Digest(value: expected))")
    }
    expectedOfRegion = digest
  }

  /// The number of iterations that take about `nanoseconds`, at least 1. Also warms up.
  func iterations(lasting nanoseconds: Double) throws -> Int {
    var iterations = 1
    while true {
      let sample = try sample(iterations: iterations, since: 0)
      let took = Double(sample.nanoseconds)
      if took >= nanoseconds / 4 {
        return max(1, Int((nanoseconds / took * Double(iterations)).rounded()))
      }
      iterations *= took < nanoseconds / 64 ? 16 : 4
    }
  }

  /// The allocations of an operation, once warm: the same each time.
  func allocations() throws -> [BenchmarkCounter] {
    guard rouse_allocation_hooks_are_active() else {
      let reason = "allocations are not counted under a sanitizer or with another C library"
      return [.allocations, .allocatedBytes].map { BenchmarkCounter($0, unavailable: reason) }
    }
    var digest: UInt64 = 0
    let count = rouse_allocation_count()
    let bytes = rouse_allocation_bytes()
    digest = try prepared.measure(benchmark.exactIterations)
    let countAfter = rouse_allocation_count()
    let bytesAfter = rouse_allocation_bytes()
    try check(digest)
    let operations = Double(benchmark.exactIterations * prepared.operations)
    return [
      BenchmarkCounter(.allocations, Double(countAfter &- count) / operations),
      BenchmarkCounter(.allocatedBytes, Double(bytesAfter &- bytes) / operations),
    ]
  }
}
