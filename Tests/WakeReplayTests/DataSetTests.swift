import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

/// The real data of `Traces/real`: imported, replayed, and held against the reference.
///
/// The normal run takes the first inputs of each set. With `ROUSE_WHOLE_DATA=1` in the environment it
/// takes them all, which is meant for optimised builds:
///
///     ROUSE_WHOLE_DATA=1 swift test -c release -Xswiftc -enable-testing --filter DataSetTests
@Suite("Real data")
struct DataSetTests {
  private static let isWhole = ProcessInfo.processInfo.environment["ROUSE_WHOLE_DATA"] == "1"

  /// Runs Python; its standard output goes to a file.
  private func python(_ arguments: [String], to path: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    try Data().write(to: URL(filePath: path))
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: path))
    try process.start()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "python3 \(arguments) failed")
  }

  /// Writes the lines of a set to a file.
  ///
  /// - Parameter sync: If not 0, samples are saved in bursts: each at the next multiple of so many seconds.
  private func writeLines(of set: String, sync: Int, to path: String) throws {
    let symbols = Symbols()
    // Within a block, events stand by device; the earliest ones are of many devices.
    var events = try Passage.events(
      of: PackageFolder.realTrace(set), symbols: symbols, blocks: Self.isWhole ? .max : 1)
    sort(&events)
    if !Self.isWhole { events.removeLast(max(0, events.count - 20_000)) }
    if sync > 0 {
      let period = Int64(sync) * 1_000_000_000
      events = events.map { event in
        guard case .save(var sample) = event.input else { return event }
        (sample.start, sample.end) = (event.time, event.time)
        let saved = (event.time.nanoseconds / period + 1) * period
        return Event(
          time: Timestamp(nanoseconds: saved), device: event.device, input: .save(sample))
      }
      sort(&events)
    }
    try CasePrinter.inputText(events, symbols: symbols)
      .write(toFile: path, atomically: false, encoding: .utf8)
  }

  /// Sorts events by time, stably.
  private func sort(_ events: inout [Event]) {
    events = events.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
  }

  /// Ten apps that want the five most common types hourly, and answer within seconds.
  private func policy(for types: [String]) -> Policy {
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 2_000_000_000
    policy.behaviour.coldStart = 1_000_000_000
    for app in 0..<10 {
      for type in types {
        policy.subscriptions.append(
          Policy.Subscription(app: "com.example.app\(app)", type: type, frequency: .hourly))
      }
    }
    return policy
  }

  /// Passes the lines to the reference, as they are, or sorted by time within each device.
  private func reference(
    _ lines: String, _ policy: Policy
  ) throws -> (summary: Summary, symbols: Symbols, events: Int) {
    let symbols = Symbols()
    var run = ReferenceRun(policy: policy, symbols: symbols)
    var events = 0
    var reader = JSONLinesReader(file: lines, symbols: symbols)
    let input = try InputFile(path: lines)
    try reader.read(from: { try input.read(into: &$0) }) { event, _ in
      run.take(event)
      events += 1
    }
    return (run.finish().summary, symbols, events)
  }

  /// The types that stand in most saves and deletes of a trace.
  private func commonTypes(of trace: String, _ count: Int) throws -> [String] {
    let info = try TraceInfo(of: TraceFile(path: trace), depth: .names)
    return info.types.sorted { $0.events > $1.events }.prefix(count).compactMap(\.name)
  }

  /// Replays with one and two threads, compares, and tells what came of it.
  private func check(
    _ set: String, lines: String, trace: String, in passage: Passage, importing: Duration
  ) throws {
    let types = try commonTypes(of: trace, 5)
    let policy = policy(for: types)
    let clock = ContinuousClock()
    var reference: (summary: Summary, symbols: Symbols, events: Int)?
    let referenceTime = try clock.measure { reference = try self.reference(lines, policy) }
    let expected = try #require(reference)
    var told = ""
    for threads in 1...2 {
      let replayed = try passage.replay([trace], policy, threads: threads) { $0.wakeLog = nil }
      let difference = replayed.summaryDifference(from: expected.summary)
      #expect(difference == nil, "\(set), \(threads) threads: \(difference ?? "")")
      let performance = try #require(replayed.result.performance)
      told += ", \(performance.elapsedNanoseconds / 1_000_000) ms on \(threads)"
    }
    #expect(expected.summary.inputs == expected.events, "\(set)")
    #expect(expected.summary.wakes > 0, "\(set): the apps are woken")
    if Self.isWhole {
      let bytes = try TraceFile(path: trace).length
      print(
        """
        DATA \(set): \(expected.events) events, \(bytes) bytes, \(expected.summary.wakes) wakes, \
        digest \(expected.summary.digest); import \(importing), reference \(referenceTime)\(told)
        """)
    }
  }

  @Test(
    "gives the reference's wakes",
    arguments: [
      ("fitbit", 0), ("fitbit", 900), ("azure-vm-noise", 0), ("scoop-main", 0), ("vcpkg", 0),
    ])
  func dataSet(name: String, sync: Int) throws {
    let passage = try Passage()
    let lines = passage.folder.file("lines.jsonl")
    try writeLines(of: name, sync: sync, to: lines)
    var trace = ""
    let importing = try ContinuousClock().measure {
      trace = try passage.importing(lines, .jsonLines, as: "trace")
    }
    let set = sync > 0 ? "\(name) --sync \(sync)" : name
    try check(set, lines: lines, trace: trace, in: passage, importing: importing)
  }

  @Test(
    "of Apple Health gives the reference's wakes",
    arguments: PackageFolder.healthExports)
  func appleHealth(source: String) throws {
    let passage = try Passage()
    let export = passage.folder.file("export.xml")
    let script = """
      import sys, zipfile
      p = sys.argv[1]
      d = zipfile.ZipFile(p).read('apple_health_export/export.xml') if p.endswith('.zip') \
      else open(p, 'rb').read()
      sys.stdout.buffer.write(d)
      """
    try python(["-c", script, source], to: export)
    var trace = ""
    let importing = try ContinuousClock().measure {
      trace = try passage.importing(export, .appleHealth, as: "trace")
    }
    // The reference takes what Python makes of the export, sorted by time.
    let lines = passage.folder.file("lines.jsonl")
    try python(["-c", Self.healthLines, export], to: lines)
    try check(source, lines: lines, trace: trace, in: passage, importing: importing)
  }

  /// Prints the saves of an export as JSON Lines, sorted by time, stably.
  private static let healthLines = """
    import sys, json, datetime, math
    import xml.etree.ElementTree as tree
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    def date(text):
        t = datetime.datetime.strptime(text, '%Y-%m-%d %H:%M:%S %z') - epoch
        return (t.days * 86400 + t.seconds) * 10**9
    lines = []
    for e in tree.parse(sys.argv[1]).getroot():
        if e.tag not in ('Record', 'Workout', 'Correlation'): continue
        line = {'t': date(e.get('creationDate', e.get('endDate'))), 'k': 'save',
                'type': 'HKWorkoutTypeIdentifier' if e.tag == 'Workout' else e.get('type'),
                'source': e.get('sourceName'),
                'start': date(e.get('startDate')), 'end': date(e.get('endDate'))}
        try:
            if e.tag == 'Record' and math.isfinite(float(e.get('value'))):
                line['value'] = float(e.get('value'))
        except (TypeError, ValueError): pass
        lines.append(line)
    for line in sorted(lines, key=lambda line: line['t']): print(json.dumps(line))
    """
}
