import BenchmarkModel
import CommandLineSupport
import Foundation
import Measurement
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTrace

/// Whole replays of the golden traces, from file to summary.
enum ReplaySuite {
  static let benchmarks = goldenTraces.map(golden)

  private static let goldenNames = [
    "fleet", "iphone-day", "pushes", "sync-burst", "three-strikes", "watch-day",
  ]

  /// The golden traces, each with its tags.
  static let goldenTraces = goldenNames.map { name in
    (name: name, tags: ["iphone-day", "watch-day"].contains(name) ? shortTags : [.macro])
  }
  private static let shortTags: Set<Benchmark.Tag> = [.macro, .short]

  /// A golden trace with its policy.
  static func open(golden name: String) throws -> (file: TraceFile, policy: Policy) {
    let path = Project.path("Traces/\(name)")
    let policy = try SchedulerChoice.readPolicy(file: "\(path).policy.json")
    return (try TraceFile(path: "\(path).wtrace"), policy)
  }

  private static func golden(_ name: String, tags: Set<Benchmark.Tag>) -> Benchmark {
    var benchmark = Benchmark(
      "replay/\(name)", "the golden trace \(name), file to summary", tags: tags, unit: "event"
    ) {
      let (file, policy) = try open(golden: name)
      return try replay(file, policy: policy)
    }
    // The tests compare the summaries with the reference scheduler.
    benchmark.expectedDigest = {
      let file = Project.path("Traces/\(name).summary.json")
      let data = try RunFile.data(file)
      return try RunFile.decode(Summary.self, data, of: file, kind: "summary").digest.value
    }
    return benchmark
  }

  /// Prepares the replay of a trace, on Rouse's own scheduler or on one under test.
  static func replay(
    _ file: TraceFile, policy: Policy, on tested: (any SchedulerUnderTest)? = nil
  ) throws -> Benchmark.Prepared {
    var options = ReplayOptions()
    options.policy = policy
    options.measuresLatency = false
    options.tested = tested
    options.accelerations = try RunEnvironment.accelerations(for: "run")
    let index = try TraceIndex(files: [file])
    let last = LastSummary()
    var prepared = Benchmark.Prepared(operations: index.eventCount) { [options] iterations in
      for _ in 0..<iterations {
        last.summary = try Replayer(files: [file], options: options).run().summary
      }
      return last.summary.digest.value
    }
    if tested != nil { prepared.wakes = { last.summary.wakes } }
    options.measuresLatency = true
    prepared.latencies = { [options] in
      let distribution = try Replayer(files: [file], options: options).run().latency
      var histogram = Histogram()
      for bucket in distribution.buckets {
        let value = min(bucket.upTo, distribution.maximum ?? bucket.upTo)
        histogram.record(value, count: bucket.count)
      }
      return BenchmarkResult.Latencies(histogram)
    }
    prepared.counters = [
      BenchmarkCounter(.bytesPerEvent, Double(file.length) / Double(max(1, index.eventCount)))
    ]
    return prepared
  }
}

/// What the last replay summed up.
private final class LastSummary {
  var summary = Summary()
}
