import WakeEvents
import WakeScheduling
import WakeTrace

/// What recording costs the thread that records.
enum RecorderSuite {
  static let benchmarks = [save]

  /// Nobody takes events out of the ring, so that the calls alone are measured.
  private static let save = Benchmark(
    "recorder/save", "saves recorded with their time given, into a ring that overwrites",
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
    return .init(operations: count) { iterations in
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
  }
}
