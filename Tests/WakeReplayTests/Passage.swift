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
    var wakes: [JSONValue] = []
    if let log = options.wakeLog {
      wakes = try JSONValue.parsingLines(String(contentsOfFile: log, encoding: .utf8))
    }
    return Replayed(wakes: wakes, result: result)
  }
}

/// What a replay gave: its wake log and its result.
struct Replayed {
  var wakes: [JSONValue]
  var result: ReplayResult

  /// The first difference in words, or nil.
  func difference(from reference: Differential.Outcome, _ symbols: Symbols) -> String? {
    let expected = reference.wakes.map {
      JSONValue.wakeLine($0.wake, device: $0.device, symbols: symbols)
    }
    for (number, (line, expected)) in zip(wakes, expected).enumerated() where line != expected {
      return "wake \(number + 1) is \(line.text), in the reference \(expected.text)"
    }
    if wakes.count != expected.count {
      return "\(wakes.count) wakes, in the reference \(expected.count)"
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
  /// The seed's events, spread over several devices.
  func spread(over names: [String]) -> [Event] {
    var random = SplitMix64(seed: seed &+ 77)
    let devices = names.map(symbols.devices.intern)
    return events.map { event in
      Event(time: event.time, device: random.pick(devices), input: event.input)
    }
  }
}
