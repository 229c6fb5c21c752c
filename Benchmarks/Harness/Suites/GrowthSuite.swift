import WakeEvents
import WakeImport
import WakeScheduling
import WakeTrace

/// Replays of generated traces: the cost of an event for growing numbers of events and devices.
enum GrowthSuite {
  static let benchmarks =
    [100_000, 1_000_000, 10_000_000].map { events($0) }
    + [100_000_000].map { events($0, tags: [.long]) }
    + [1, 10, 100, 1_000, 10_000, 100_000].map { devices($0) }

  /// A wearable, with three apps that subscribe to its most frequent types.
  private static func events(_ count: Int, tags: Set<Benchmark.Tag> = []) -> Benchmark {
    var benchmark = Benchmark(
      "replay/events/\(count)", "a generated wearable with \(count) events",
      tags: tags.union([.macro, .scaling]), unit: "event"
    ) {
      let (file, policy) = try wearable(events: count)
      return try ReplaySuite.replay(file, policy: policy)
    }
    benchmark.place = .init(curve: "replay/events", variable: "events", size: count)
    return benchmark
  }

  /// A generated trace of a wearable with three apps, and its policy.
  static func wearable(events count: Int) throws -> (file: TraceFile, policy: Policy) {
    var workload = SyntheticPreset.wearable.workload
    workload.events = count
    workload.apps = 3
    workload.policy.behaviour.completesAfter = 2_000_000_000
    return (try made(workload), workload.policy)
  }

  /// A million events, distributed over a number of devices.
  private static func devices(_ count: Int) -> Benchmark {
    var benchmark = Benchmark(
      "replay/devices/\(count)", "a million generated events of \(count) devices",
      tags: [.macro, .scaling], unit: "event"
    ) {
      var workload = SyntheticPreset.fleet.workload
      workload.events = 1_000_000
      workload.devices = count
      // With the fleet's 300 s between events, a single device's events would span ten years.
      workload.meanGap = 30_000_000_000
      // All events are saves: the enables of apps would be most events of a small device.
      workload.apps = 0
      var policy = Policy.iOS
      policy.behaviour.completesAfter = 2_000_000_000
      policy.subscriptions = ["HeartRate", "StepCount", "RespiratoryRate"].map {
        .init(app: "com.example.run", type: "HKQuantityTypeIdentifier\($0)", frequency: .hourly)
      }
      return try ReplaySuite.replay(try made(workload), policy: policy)
    }
    benchmark.place = .init(curve: "replay/devices", variable: "devices", size: count)
    return benchmark
  }

  /// Makes a trace; its file is unlinked, so that it is removed with the process.
  private static func made(_ workload: SyntheticWorkload) throws -> TraceFile {
    try TemporaryTrace.make { _ = try workload.write(to: $0) }
  }
}

/// Traces that exist as long as they are open.
enum TemporaryTrace {
  static func make(_ write: (FileOutput) throws -> Void) throws -> TraceFile {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path("made.wtrace")
    let output = try FileOutput(path: path)
    try write(output)
    try output.commit()
    return try TraceFile(path: path)
  }
}
