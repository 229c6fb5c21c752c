import Foundation
import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeReplay

@Suite("Timelines")
struct TimelineTests {
  private func timeline(
    _ format: TimelineFormat, _ passage: Passage, _ trace: String, _ policy: Policy,
    threads: Int = 1, apps: Set<ExactName> = []
  ) throws -> (read: ReadTimeline, counts: TimelineCounts, bytes: [UInt8]) {
    let path = passage.folder.file("timeline.\(format)")
    var options = ReplayOptions()
    options.policy = policy
    options.threads = threads
    let file = try TraceFile(path: trace)
    let base = try TraceInfo(of: file, depth: .headers).earliest ?? Timestamp(nanoseconds: 0)
    let observer = try TimelineExport(
      format, base: base, apps: apps, path: path, isPrivate: false)
    _ = try Replayer(files: [file], options: options).run(observer: observer, progress: nil)
    try observer.commit()
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    switch format {
    case .perfetto: return (try ReadTimeline(perfetto: bytes), observer.counts, bytes)
    case .chrome:
      return (
        try ReadTimeline(chrome: String(decoding: bytes, as: UTF8.self)), observer.counts, bytes
      )
    }
  }

  @Test(
    "of both formats are one, and hold the wakes, waits and counts of the replay",
    arguments: RandomSeeds.orFirst(4))
  func random(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 500)
    let passage = try Passage()
    let trace = try passage.importing(
      random.spread(over: ["", "watch", "a \"b\""]), symbols: random.symbols)
    let replayed = try passage.replay([trace], random.policy) {
      $0.waitLog = passage.folder.file("waits.jsonl")
    }
    let (read, counts, bytes) = try timeline(.perfetto, passage, trace, random.policy)
    let two = try timeline(.perfetto, passage, trace, random.policy, threads: 2)
    #expect(two.bytes == bytes, "two threads give the same file")
    #expect(counts.slices == read.slices.count && counts.values == read.values.count)
    #expect(counts.tracks == read.tracks)
    #expect(counts.flows == replayed.result.summary.wakesWithHealth)
    let chrome = try timeline(.chrome, passage, trace, random.policy)
    #expect(chrome.counts == counts)
    if let times = Self.range(read), times.upperBound - times.lowerBound < 50 * 86_400_000_000_000 {
      #expect(chrome.read == read)
    } else {
      // Doubles of microseconds do not have all the nanoseconds.
      #expect(chrome.read.slices.map(\.name) == read.slices.map(\.name))
      #expect(chrome.read.values.map(\.value) == read.values.map(\.value))
    }

    // No two slices of a track overlap.
    for (track, slices) in Dictionary(grouping: read.slices, by: \.track)
    where !track.hasSuffix(": oldest save") {
      for (slice, next) in zip(slices, slices.dropFirst()) {
        #expect(slice.start <= slice.end && slice.end <= next.start, "\(track): \(slice), \(next)")
      }
    }

    // Wakes.
    let lines = try JSONValue.parsingLines(replayed.log)
    var expected: [[String]] = []
    for line in lines {
      let end = line["end"]?.wholeNumber.map { String($0) } ?? "open"
      expected.append([
        line["device"]?.string ?? "device", ReadTimeline.exact(line["app"]?.string ?? ""),
        line["outcome"]?.string ?? "", "\(line["t"]?.wholeNumber ?? 0)", end,
        "\(line["saves"]?.wholeNumber ?? 0)", "\(line["types"]?.elements.count ?? 0)",
        "\(line["oldest"]?.wholeNumber ?? -1)", line["push"]?.string ?? "",
        line["refresh"] == .bool(true) ? "1" : "",
      ])
    }
    let flows = Dictionary(grouping: read.slices.filter { !$0.flowsOut.isEmpty }) { $0.flowsOut[0] }
    let wakes = read.slices(": wakes")
    let found = wakes.map { wake in
      let oldest = wake.flowsIn.first.flatMap { flows[$0]?.first }
      let names = wake.track.dropLast(": wakes".count).split(separator: "/", maxSplits: 1)
      if let oldest { #expect(oldest.track == names.joined(separator: "/") + ": oldest save") }
      return [
        String(names[0]), String(names[1]), wake.name, "\(wake.start)",
        wake.name == "open" ? "open" : "\(wake.end)", wake.values["saves"] ?? "",
        wake.values["types"] ?? "", "\(oldest?.start ?? -1)", wake.values["push"] ?? "",
        wake.values["refresh"] ?? "",
      ]
    }
    #expect(Set(found) == Set(expected) && found.count == expected.count)
    #expect(flows.values.allSatisfy { $0.count == 1 })
    #expect(wakes.filter { !$0.flowsIn.isEmpty }.count == counts.flows)

    // Waits.
    let words = Set(WaitReason.allCases.map(\.word))
    var sums: [String: Int64] = [:]
    for slice in read.slices {
      let reasons = slice.name.split(separator: "+").map(String.init)
      // "foreground" is the name of a state, too.
      guard !slice.track.hasSuffix(": state"), words.isSuperset(of: reasons),
        slice.track.contains(": ")
      else { continue }
      for reason in reasons { sums[reason, default: 0] += slice.end - slice.start }
    }
    let waiting = try #require(replayed.result.waiting).all.reasons
    #expect(sums == waiting.mapValues(\.any).filter { $0.value > 0 })

    // Pending saves.
    let last = Dictionary(read.values.map { ($0.track, $0.value) }) { $1 }
    #expect(last.values.reduce(0, +) == Int64(replayed.result.summary.pendingAtEnd))
  }

  private static func range(_ read: ReadTimeline) -> ClosedRange<Int64>? {
    let times = read.slices.flatMap { [$0.start, $0.end] }
    guard let first = times.min(), let last = times.max() else { return nil }
    return first...last
  }

  @Test("tell states, tracks of one name, and an app alone")
  func states() throws {
    let passage = try Passage()
    let symbols = Symbols()
    let device = symbols.devices.intern("watch")
    let (lock, other) = (symbols.apps.intern("lock"), symbols.apps.intern("other"))
    let wakes = symbols.types.intern("wakes")
    let short = symbols.types.intern("HKQuantityTypeIdentifierwakes")
    let source = symbols.sources.intern("S")
    func save(_ type: SampleType) -> Input { .save(Sample(type: type, source: source)) }
    let inputs: [(Int64, Input)] = [
      (0, .enable(app: lock, type: wakes, frequency: .hourly)),
      (1, .enable(app: lock, type: short, frequency: .hourly)),
      (2, .lock), (3, save(wakes)), (4, save(short)), (6, .unlock),
      (7, .complete(app: lock, item: .everything, result: nil)),
      (10, .launch(app: lock)), (12, .background(app: lock)), (13, save(wakes)),
      (14, .terminate(app: lock)), (15, .network(isGood: false)), (16, .forceQuit(app: lock)),
      (17, .launch(app: other)), (18, .reboot), (20, .unlock),
    ]
    let events = inputs.map {
      Event(time: Timestamp(nanoseconds: $0.0), device: device, input: $0.1)
    }
    let trace = try passage.importing(events, symbols: symbols)
    for format in TimelineFormat.allCases {
      let (read, counts, _) = try timeline(format, passage, trace, .iOS)
      let found = read.slices.map { "\($0.track) \($0.name) \($0.start)–\($0.end)" }.sorted()
      #expect(
        found == [
          "watch/lock locked 18–20", "watch/lock locked 2–6", "watch/lock: oldest save wakes 3–3",
          "watch/lock: state force-quit 16–18", "watch/lock: state foreground 10–12",
          "watch/lock: state terminated 0–6", "watch/lock: state terminated 14–16",
          "watch/lock: state terminated 18–20", "watch/lock: wakes completed 6–7",
          "watch/lock: wakes forceQuit+period 16–18", "watch/lock: wakes locked 3–6",
          "watch/lock: wakes locked 4–6", "watch/lock: wakes locked+period 18–20",
          "watch/lock: wakes period 13–16", "watch/network not good 15–20",
          "watch/other: state foreground 17–18", "watch/other: state terminated 18–20",
        ], "\(format): \(found)")
      #expect(read.values.map { [$0.time, $0.value] } == [[3, 1], [4, 2], [6, 0], [13, 1]])
      // The app and the device's lock, the wakes and the two types: each has a track of its own.
      #expect(counts.tracks == 9 && (format == .chrome || read.tracks == 9), "\(counts.tracks)")
      let alone = try timeline(format, passage, trace, .iOS, apps: [ExactName("other")]).read
      #expect(
        Set(alone.slices.map(\.track)) == ["watch/lock", "watch/network", "watch/other: state"])
    }
  }

  @Test(
    "count pending saves exactly up to 16, then to an eighth", arguments: RandomSeeds.orFirst(6))
  func pending(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 800)
    let events = random.spread(over: ["watch"])
    let passage = try Passage()
    let trace = try passage.importing(events, symbols: random.symbols)
    let read = try timeline(.perfetto, passage, trace, random.policy).read
    var scheduler = Scheduler(
      policy: random.policy, symbols: random.symbols, device: "watch", accelerations: [])
    let values = Dictionary(grouping: read.values, by: \.track)
    var checked = 0
    var present = Timestamp(nanoseconds: .min)
    for (event, next) in zip(events, events.dropFirst()) {
      scheduler.take(event.input, at: event.time) { _, _ in }
      present = max(present, event.time)
      guard next.time > present, present == event.time else { continue }
      scheduler.forEachApp { app in
        let name = ReadTimeline.exact(random.symbols.apps.name(of: app.app))
        let written =
          values["watch/\(name): pending"]?.last { $0.time <= event.time.nanoseconds }?.value ?? 0
        let rest = Int64(app.pending) - written
        #expect(
          rest == 0 || rest > 0 && rest < max(1, written / 8),
          "seed \(seed): \(name) has \(app.pending) pending at \(event.time), written \(written)")
        checked += app.pending
      }
    }
    #expect(checked > 0 || random.policy.subscriptions.isEmpty, "seed \(seed): nothing is pending")
  }
}
