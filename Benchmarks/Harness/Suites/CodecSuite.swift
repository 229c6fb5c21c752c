import BenchmarkModel
import WakeEvents
import WakeImport
import WakeScheduling
import WakeTrace

/// Each stage of writing and reading a block of 16,384 events: a quarter of the most that a block holds, so that a sample
/// is short.
enum CodecSuite {
  static let benchmarks = [
    stage("encode", "columns to the block's columns", [.micro, .short]) { try $0.encode() },
    stage(
      "deflate", "the block's columns to bytes, level 6", [.micro],
      outcome: { try $0.inflatedAgain() }, onlyOutcome: true
    ) {
      try $0.deflate()
    },
    stage("inflate", "bytes to the block's columns", [.micro, .short]) { try $0.inflate() },
    stage(
      "decode", "the block's columns to columns", [.micro, .short], outcome: { $0.decodedDigest }
    ) {
      try $0.decode()
    },
  ]

  private static func stage(
    _ name: String, _ summary: String, _ tags: Set<Benchmark.Tag>,
    outcome: (@Sendable (CodecParts) throws -> UInt64)? = nil, onlyOutcome: Bool = false,
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
      prepared.outcome = outcome.map { outcome in { try outcome(parts) } }
      prepared.isJudgedByOutcomeAlone = onlyOutcome
      prepared.counters = [
        BenchmarkCounter(.bytesPerEvent, Double(parts.memberLength) / Double(columns.count))
      ]
      return prepared
    }
  }
}

extension CodecParts {
  /// A digest of all decoded rows, in order.
  fileprivate var decodedDigest: UInt64 {
    var hash = WakeHash()
    hash.combine(decoded)
    return hash.value
  }
}

extension WakeHash {
  /// Adds all rows of columns.
  mutating func combine(_ columns: InputColumns) {
    for row in 0..<columns.count {
      combine(columns.times[row])
      combine(UInt64(columns.kinds[row]) << 32 | UInt64(columns.types[row]))
      combine(UInt64(columns.sources[row]))
      guard row < columns.details.fields.count else { continue }
      combine(UInt64(columns.details.fields[row].rawValue))
      combine(columns.details.starts[row])
      combine(columns.details.ends[row])
      combine(columns.details.values[row].bitPattern)
    }
  }
}
