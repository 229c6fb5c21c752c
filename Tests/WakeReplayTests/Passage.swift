import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

/// The way of events through files, within the process: JSON Lines, import, trace, replay.
struct Passage {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Imports events as JSON Lines; returns the path of the trace.
  func importing(
    _ events: [Event], symbols: Symbols, as name: String = "trace", sorted: Bool = false
  ) throws -> String {
    let lines = folder.file("\(name).jsonl")
    try Data(CasePrinter.inputText(events, symbols: symbols).utf8)
      .write(to: URL(filePath: lines))
    return try importing(lines, .jsonLines, as: name, sorted: sorted)
  }

  /// Imports a file; returns the path of the trace.
  func importing(
    _ file: String, _ form: TraceImport.Form, as name: String, sorted: Bool = false
  ) throws -> String {
    let path = folder.file("\(name).wtrace")
    let output = try FileOutput(path: path)
    var traceImport = TraceImport(form)
    traceImport.isSorted = sorted
    _ = try traceImport.run(try InputFile(path: file), to: output)
    try output.commit()
    return path
  }

  /// The events of a trace, or of its first blocks, in the order of the file.
  static func events(
    of path: String, symbols: Symbols, blocks: Int = .max
  ) throws -> [Event] {
    var events: [Event] = []
    let file = try TraceFile(path: path)
    var scan = BlockScan(file)
    let decoder = BlockDecoder(symbols: symbols)
    var read = 0
    while read < blocks, let block = try scan.next() {
      read += 1
      try decoder.decode(block, of: file, details: true)
      for run in decoder.runs {
        for row in run.rows {
          events.append(
            Event(
              time: Timestamp(nanoseconds: decoder.columns.times[row]), device: run.device,
              input: decoder.columns[row]))
        }
      }
    }
    return events
  }

  /// Replays traces, and reads the wake log that came of it.
  func replay(
    _ paths: [String], _ policy: Policy, threads: Int = 1,
    change: (inout ReplayOptions) -> Void = { _ in }
  ) throws -> Replayed {
    var options = ReplayOptions()
    options.policy = policy
    options.threads = threads
    options.wakeLog = folder.file("wakes-\(threads).jsonl")
    change(&options)
    let files = try paths.map { try TraceFile(path: $0) }
    let result = try Replayer(files: files, options: options).run()
    let log = try options.wakeLog.map { try String(contentsOfFile: $0, encoding: .utf8) } ?? ""
    return Replayed(log: log, result: result)
  }
}

/// What a replay gave: its wake log and its result.
struct Replayed {
  var log: String
  var result: ReplayResult

  /// The first difference in words, or nil.
  ///
  /// - Parameter checked: A replay that was found to be like the reference; a log with its very bytes
  ///   is not read again.
  func difference(
    from reference: Differential.Outcome, _ symbols: Symbols, unlike checked: Replayed? = nil
  ) throws -> String? {
    if let checked, checked.log.hasSameBytes(as: log) {
      return summaryDifference(from: reference.summary)
    }
    let wakes = try JSONValue.parsingLines(log)
    for (number, (line, wake)) in zip(wakes, reference.wakes).enumerated() {
      let expected = JSONValue.wakeLine(wake.wake, device: wake.device, symbols: symbols)
      if line != expected {
        return "wake \(number + 1) is \(line.text), in the reference \(expected.text)"
      }
    }
    if wakes.count != reference.wakes.count {
      return "\(wakes.count) wakes, in the reference \(reference.wakes.count)"
    }
    return summaryDifference(from: reference.summary)
  }

  /// The difference of the summaries alone, or nil.
  func summaryDifference(from reference: Summary) -> String? {
    let summary = JSONValue.summaryObject(result.summary)
    let expected = JSONValue.summaryObject(reference)
    if summary != expected { return "summary \(summary.text)\nin the reference \(expected.text)" }
    return result.digest == reference.digest ? nil : "digest beside the summary \(result.digest)"
  }
}

extension RandomInputs {
  /// The seed's events that JSON Lines can hold, spread over several devices.
  ///
  /// A push whose `content-available` is no number is a rejected input to a scheduler, and an error to
  /// a reader of JSON Lines (rule 5.8).
  func spread(over names: [String]) -> [Event] {
    var random = SplitMix64(seed: seed &+ 77)
    let devices = names.map(symbols.devices.intern)
    return events.compactMap { event in
      if case .push(_, let push) = event.input, let aps = push.aps, aps.contentAvailable == nil,
        aps.json.contains("content-available")
      {
        return nil
      }
      return Event(time: event.time, device: random.pick(devices), input: event.input)
    }
  }
}
