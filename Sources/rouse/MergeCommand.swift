import CommandLineSupport
import WakeEvents
import WakeImport
import WakeJSON
import WakeReplay
import WakeScheduling

enum MergeCommand: Command {
  static let specification = Specification(
    name: "merge",
    summary: "Add the results of replays of different devices.",
    operands: "RESULT…",
    operandCount: 1...(.max),
    discussion: """
      RESULT is a file with what 'rouse replay --results' or '--json' or this command wrote: one result,
      or any number of them as JSON Lines or in an array. '-' is standard input, and @LIST the files that
      the lines of LIST name. The merged counts and digest equal those of one replay of all the devices,
      in whatever order and in whatever steps results are merged.

      Results of another policy, other filters or another version of the rules are refused, and a shard or
      a device that is there twice. A task that ran twice leaves the same result twice: --repeats skip
      counts it once. If the results are shards, a message says which are missing.

      Why wakes came no sooner (--waits) is told if all results tell it, and so are bounds (--bounds); a
      message says what is left out. Lists of traces, damages and notices are cut to their first
      lines.
      """,
    options: [
      .init("--json", "Print the merged result as JSON."),
      .init("--by-policy", "Add the results of each policy by themselves."),
      .init(
        "--repeats", value: "HOW", words: ReplayMerge.Repeats.allCases.map(\.rawValue),
        "What to do about a result that is there twice: refuse (default) or skip."),
      .init("--complete", "Fail if shards are missing."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let word = arguments.value("--repeats") ?? ReplayMerge.Repeats.refused.rawValue
    guard let repeats = ReplayMerge.Repeats(rawValue: word) else {
      throw arguments.usage("--repeats: '\(word)' is neither refuse nor skip")
    }
    var merges = ResultMerges(byPolicy: arguments.has("--by-policy"), repeats: repeats)
    let paths = try arguments.paths()
    try Progress.during("merging", total: Int64(paths.count), unit: "files") { progress in
      for place in 0..<paths.count {
        try merges.add(paths[place])
        progress.update(Int64(place + 1))
      }
    }
    let results = try merges.finish()
    try Console.print(
      arguments.has("--json")
        ? results.count == 1 ? results[0].json : ReplayResult.json(results)
        : ReplayResult.report(results))
    return merges.isIncomplete && arguments.has("--complete") ? .failure : .success
  }
}

/// Adds results from files.
private struct ResultMerges {
  private let byPolicy: Bool
  private let repeats: ReplayMerge.Repeats
  /// By policy, or one for all.
  private var merges: [Digest: ReplayMerge] = [:]
  private(set) var isIncomplete = false

  init(byPolicy: Bool, repeats: ReplayMerge.Repeats) {
    self.byPolicy = byPolicy
    self.repeats = repeats
  }

  private static let longestResult = 256 << 20

  mutating func add(_ path: String) throws {
    let file = try InputFile(path: path)
    var sequence = JSONSequence()
    var isEmpty = true
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var span = piece.mutableSpan
      let count = try file.read(into: &span)
      guard count > 0 else { break }
      sequence.append(piece[..<count])
      while let element = try next(&sequence, file.name) {
        isEmpty = false
        try add(element, of: file.name)
      }
      guard sequence.unfinishedLength <= Self.longestResult else {
        throw ImportError(
          code: .tooLong, file: file.name, line: sequence.line,
          message: "a result is longer than \(Self.longestResult) bytes")
      }
    }
    guard !sequence.isUnfinished else {
      throw ImportError(
        code: .truncated, file: file.name, line: sequence.line,
        message: "the file ends within a result")
    }
    // As a task leaves it that was ended before it had a result.
    guard !isEmpty else {
      throw ImportError(code: .empty, file: file.name, message: "there is no result")
    }
  }

  private func next(
    _ sequence: inout JSONSequence, _ name: String
  ) throws(ImportError) -> JSONSequence.Element? {
    do throws(JSONError) {
      return try sequence.next()
    } catch {
      throw ImportError(
        code: .invalidJSON, file: name, line: sequence.line,
        message: "not a result of 'rouse replay --json': \(error.message)")
    }
  }

  private mutating func add(_ element: JSONSequence.Element, of name: String) throws(ImportError) {
    let result: ReplayResult
    do throws(JSONError) {
      result = try element.bytes.withJSONBytes { bytes throws(JSONError) in
        var parser = JSONParser(bytes)
        return try ReplayResult(reading: &parser)
      }
    } catch {
      let place = element.bytes.withJSONBytes { $0.position(ofByteAt: error.offset ?? 0) }
      throw ImportError(
        code: .invalidJSON, file: name, line: element.line + place.newlines, field: error.path,
        message: "not a result of 'rouse replay --json': \(error.message)")
    }
    let key = byPolicy ? result.basis.policy : Digest()
    let merge = merges[key] ?? ReplayMerge(repeats: repeats)
    merges[key] = merge
    do throws(ReplayMerge.Refusal) {
      if try !merge.add(result) {
        Console.message(
          "\(name.shown): line \(element.line): repeats an earlier result, not counted")
      }
    } catch {
      throw ImportError(
        code: .outOfRange, file: name, line: element.line, field: error.field,
        message: error.message)
    }
  }

  /// The sums, by the names of their policies.
  mutating func finish() throws -> [ReplayResult] {
    var finished: [(merge: ReplayMerge, result: ReplayResult)] = []
    for merge in merges.values {
      do throws(ReplayMerge.Refusal) {
        if let result = try merge.finish() { finished.append((merge, result)) }
      } catch {
        throw ImportError(
          code: .outOfRange, file: "the results", field: error.field, message: error.message)
      }
    }
    finished.sort {
      ($0.result.basis.policyName, $0.result.basis.policy.value)
        < ($1.result.basis.policyName, $1.result.basis.policy.value)
    }
    for (merge, result) in finished {
      let policy = merges.count > 1 ? "policy \(result.basis.policyName.shown): " : ""
      for remark in merge.remarks { Console.message(policy + remark) }
      if let missing = merge.missingShards {
        isIncomplete = true
        Console.message(policy + missing)
      }
    }
    return finished.map(\.result)
  }
}
