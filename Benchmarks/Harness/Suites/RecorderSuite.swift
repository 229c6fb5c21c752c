import WakeEvents
import WakeScheduling
import WakeRecorder
import WakeTrace

/// The cost of recording for the recording thread.
enum RecorderSuite {
  static let benchmarks = [save]

  /// No thread drains the ring, so that only the calls are measured.
  private static let save = Benchmark(
    "recorder/save", "saves recorded with given times into an overwriting ring",
    tags: [.micro, .short], unit: "event"
  ) {
    var options = Recorder.Options(trace: nil)
    options.mode = .overwrite
    options.slotsPerRing = 1 << 12
    let recorder = try Recorder(options)
    let source = try recorder.source("source")
    let types = try (0..<8).map { number throws(TraceError) in
      try recorder.type("type \(number)")
    }
    var producer = try recorder.producer()
    let count = 65_536
    var prepared = Benchmark.Prepared(operations: count) { iterations in
      var recorded: Int64 = 0
      for _ in 0..<iterations {
        recorded = 0
        for event in 0..<count {
          let time = Timestamp(nanoseconds: 1_767_225_600_000_000_000 + Int64(event) * 1_000)
          let status = producer.save(types[event % 8], from: source, at: time)
          recorded += status.isRecorded ? 1 : 0
        }
      }
      var hash = WakeHash()
      hash.combine(recorded)
      return hash.value
    }
    prepared.outcome = { try lastRecorded(by: recorder) }
    return prepared
  }

  /// A digest of the last events in the recorder's ring, read from a snapshot. The number of events before them depends
  /// on the position at which the ring began to overwrite.
  private static func lastRecorded(by recorder: Recorder) throws -> UInt64 {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path("recorded.wtrace")
    _ = try recorder.snapshot(to: path)
    let file = try TraceFile(path: path)
    let symbols = Symbols()
    let decoder = BlockDecoder(symbols: symbols)
    var events: [(time: Int64, kind: UInt8, names: String)] = []
    for block in try TraceIndex(files: [file]).blocks {
      try decoder.decode(block.entry, of: file)
      let columns = decoder.columns
      for row in 0..<columns.count {
        let type = symbols.types.name(of: SampleType(index: columns.types[row]))
        let source = symbols.sources.name(of: Source(index: columns.sources[row]))
        events.append((columns.times[row], columns.kinds[row], "\(type) \(source)"))
      }
    }
    guard events.count >= 1_024 else {
      throw BenchmarkFailure("the ring has \(events.count) events, fewer than 1,024")
    }
    var hash = WakeHash()
    for event in events.suffix(1_024) {
      hash.combine(event.time)
      hash.combine(UInt64(event.kind))
      for byte in event.names.utf8 { hash.combine(UInt64(byte)) }
    }
    return hash.value
  }
}
