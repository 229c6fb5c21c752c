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
  static let benchmarks = [
    golden("fleet"), golden("iphone-day", tags: [.macro, .short]), golden("pushes"),
    golden("sync-burst"), golden("three-strikes"),
    golden("watch-day", tags: [.macro, .short]),
  ]

  private static func golden(_ name: String, tags: Set<Benchmark.Tag> = [.macro]) -> Benchmark {
    var benchmark = Benchmark(
      "replay/\(name)", "the golden trace \(name), file to summary", tags: tags, unit: "event"
    ) {
      let path = Project.path("Traces/\(name)")
      let policy = try PolicyReader(file: "\(path).policy.json").read(
        Array(try Data(contentsOf: URL(filePath: "\(path).policy.json"))))
      return try replay(TraceFile(path: "\(path).wtrace"), policy: policy)
    }
    // The tests compare the summaries with the reference scheduler.
    benchmark.expectedDigest = {
      let file = Project.path("Traces/\(name).summary.json")
      return try RunFile.decode(Summary.self, file, kind: "summary").digest.value
    }
    return benchmark
  }

  /// Prepares the replay of a trace.
  static func replay(_ file: TraceFile, policy: Policy) throws -> Benchmark.Prepared {
    var options = ReplayOptions()
    options.policy = policy
    options.measuresLatency = false
    options.accelerations = try RunEnvironment.accelerations(for: "run")
    let index = try TraceIndex(files: [file])
    var prepared = Benchmark.Prepared(operations: index.eventCount) { [options] iterations in
      var digest: UInt64 = 0
      for _ in 0..<iterations {
        digest = try Replayer(files: [file], options: options).run().digest.value
      }
      return digest
    }
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
