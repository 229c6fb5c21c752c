import Foundation
import WakeEvents
import WakeImport
import WakeScheduling
import WakeTrace

/// Replays of real data, which lies beside the project: in `ROUSE_SHARED`, by default `../shared`.
enum DataSuite {
  static let benchmarks = [
    set("scoop-main"), set("vcpkg"), set("fitbit", tags: [.long]),
    set("azure-vm-noise", tags: [.long]),
  ]

  private static func set(_ name: String, tags: Set<Benchmark.Tag> = []) -> Benchmark {
    Benchmark(
      "replay/data/\(name)", "the real data \(name), two apps on its types",
      tags: tags.union([.macro, .data]), unit: "event"
    ) {
      let file = try imported(name)
      var policy = Policy.iOS
      policy.behaviour.completesAfter = 2_000_000_000
      policy.subscriptions = try mostFrequentTypes(of: file).flatMap { type in
        [
          Policy.Subscription(app: "com.example.run", type: type, frequency: .hourly),
          Policy.Subscription(app: "com.example.diary", type: type, frequency: .daily),
        ]
      }
      return try ReplaySuite.replay(file, policy: policy)
    }
  }

  /// Runs the script that turns a set into JSON Lines, straight into an import.
  private static func imported(_ name: String) throws -> TraceFile {
    let shared =
      ProcessInfo.processInfo.environment["ROUSE_SHARED"] ?? Project.path("../shared")
    let script = shared + "/data/to_jsonl.py"
    guard FileManager.default.fileExists(atPath: script) else {
      throw NotHere("no \(script); ROUSE_SHARED tells where it is")
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script, name]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    let file = try TemporaryTrace.make {
      _ = try TraceImport(.jsonLines).run(try InputFile(path: path), to: $0)
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkFailure("\(script) \(name) failed") }
    return file
  }

  /// The names of the ten types with most events, the most frequent first.
  private static func mostFrequentTypes(of file: TraceFile) throws -> [String] {
    let symbols = Symbols()
    let decoder = BlockDecoder(symbols: symbols)
    var counts: [UInt32: Int] = [:]
    for block in try TraceIndex(files: [file]).blocks {
      try decoder.decode(block.entry, of: file)
      for row in 0..<decoder.columns.count
      where decoder.columns.kinds[row] <= InputKind.delete.rawValue {
        counts[decoder.columns.types[row], default: 0] += 1
      }
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(10)
      .map { symbols.types.name(of: SampleType(index: $0.key)) }
  }
}
