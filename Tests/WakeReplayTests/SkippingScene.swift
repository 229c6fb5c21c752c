import Foundation
import WakeEvents
import WakeScheduling
import WakeTestSupport

@testable import WakeReplay
@testable import WakeTrace

/// Events that are replayed with every block decoded, and with quiet blocks skipped.
struct SkippingScene {
  let symbols: Symbols
  var policy = Policy.iOS
  var events: [Event] = []
  var device: Device

  init(symbols: Symbols = Symbols()) {
    self.symbols = symbols
    device = symbols.devices.intern("watch")
  }

  /// Adds an input at a number of seconds.
  mutating func add(_ second: Double, _ input: Input) {
    events.append(
      Event(
        time: Timestamp(nanoseconds: Int64(second * 1e9)), device: device, input: input))
  }

  /// Adds saves of a type, so many milliseconds apart.
  mutating func addSaves(_ count: Int, of type: String, from second: Double, apart: Int = 1) {
    for number in 0..<count { add(second + Double(number * apart) / 1_000, save(type)) }
  }

  func save(_ type: String) -> Input {
    .save(
      Sample(type: symbols.types.intern(type), source: symbols.sources.intern("S")))
  }

  func app(_ name: String = "app") -> App { symbols.apps.intern(name) }

  func enable(_ type: String, _ frequency: Frequency = .immediate) -> Input {
    .enable(app: app(), type: symbols.types.intern(type), frequency: frequency)
  }

  /// Writes the events in blocks of so many.
  func write(to path: String, eventsPerBlock: Int) throws {
    let output = try FileOutput(path: path)
    let writer = try TraceWriter(
      output: output, symbols: symbols, level: 1, eventsPerBlock: eventsPerBlock)
    for event in PlainMerge.byDevice(events, inOrderOf: events) { try writer.append(event) }
    try writer.finish()
    try output.commit()
  }

  /// What differs between the two replays of the events, with one and two threads, in words; and what
  /// was skipped.
  func compare(
    eventsPerBlock: Int, change: (inout ReplayOptions) -> Void = { _ in }
  ) throws -> (difference: String?, skipped: ReplayResult.Skipped) {
    let passage = try Passage()
    let path = passage.folder.file("scene.wtrace")
    try write(to: path, eventsPerBlock: eventsPerBlock)
    return try Self.compare([path], policy, passage, change: change)
  }

  static func compare(
    _ paths: [String], _ policy: Policy, _ passage: Passage,
    change: (inout ReplayOptions) -> Void = { _ in }
  ) throws -> (difference: String?, skipped: ReplayResult.Skipped) {
    let decoded = try passage.replay(paths, policy, change: change)
    var first: ReplayResult.Skipped?
    for threads in 1...2 {
      let replayed = try passage.replay(paths, policy, threads: threads) {
        $0.skipsQuiet = true
        change(&$0)
      }
      let (result, expected) = (replayed.result, decoded.result)
      guard let skipped = result.skipped else { return ("nothing is told", .init()) }
      var differences: [String] = []
      if !replayed.log.hasSameBytes(as: decoded.log) { differences.append("wakes") }
      if result.summary != expected.summary {
        differences.append("\(result.summary), not \(expected.summary)")
      }
      if result.apps != expected.apps { differences.append("apps") }
      if result.bounds != expected.bounds { differences.append("bounds") }
      if result.wakesByCause != expected.wakesByCause { differences.append("causes") }
      if result.savesPerWake != expected.savesPerWake { differences.append("saves a wake") }
      if result.staleness != expected.staleness { differences.append("waits") }
      if result.notices != expected.notices { differences.append("notices") }
      if result.loss != expected.loss { differences.append("loss") }
      if result.performance?.events != expected.summary.inputs - skipped.events {
        differences.append("events scheduled")
      }
      if let first, first != skipped { differences.append("skipped with two threads: \(skipped)") }
      first = skipped
      if !differences.isEmpty {
        return ("\(threads) threads: " + differences.joined(separator: "; "), skipped)
      }
    }
    return (nil, first ?? .init())
  }
}
