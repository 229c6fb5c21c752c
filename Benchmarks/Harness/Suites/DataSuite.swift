import Foundation
import WakeEvents
import WakeScheduling
import WakeTrace

/// Replays of the real data in `Traces/real`.
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
      let file = try trace(name)
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

  private static func trace(_ name: String) throws -> TraceFile {
    let path = Project.path("Traces/real/\(name).wtrace")
    guard FileManager.default.fileExists(atPath: path) else { throw NotHere("no \(path)") }
    return try TraceFile(path: path)
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
