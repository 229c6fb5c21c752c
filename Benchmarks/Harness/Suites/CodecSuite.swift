import Measurement
import WakeEvents
import WakeImport
import WakeTrace

/// Each stage of writing and reading a block, of 16,384 events: a quarter of what a block may hold, so that
/// a sample is short.
enum CodecSuite {
  static let benchmarks = [
    stage("encode", "columns to the block's columns", [.micro, .short]) { try $0.encode() },
    stage("deflate", "the block's columns to bytes, level 6", [.micro]) { try $0.deflate() },
    stage("inflate", "bytes to the block's columns", [.micro, .short]) { try $0.inflate() },
    stage("decode", "the block's columns to columns", [.micro, .short]) { try $0.decode() },
  ]

  private static func stage(
    _ name: String, _ summary: String, _ tags: Set<Benchmark.Tag>,
    _ body: @escaping @Sendable (CodecParts) throws -> UInt64
  ) -> Benchmark {
    Benchmark("codec/\(name)", summary, tags: tags, unit: "event") {
      var workload = SyntheticPreset.wearable.workload
      workload.events = 16_384
      let symbols = Symbols()
      var columns = InputColumns()
      var device: Device?
      try workload.forEachBatch(symbols: symbols) { batchDevice, batch in
        device = batchDevice
        columns.append(contentsOf: batch, rows: 0..<batch.count)
      }
      guard let device else { throw BenchmarkFailure("no events were generated") }
      let parts = try CodecParts(columns, of: device, symbols: symbols)
      var prepared = Benchmark.Prepared(operations: columns.count) { iterations in
        var digest: UInt64 = 0
        for _ in 0..<iterations { digest = try body(parts) }
        return digest
      }
      prepared.counters = [
        BenchmarkCounter(.bytesPerEvent, Double(parts.memberLength) / Double(columns.count))
      ]
      return prepared
    }
  }
}
