import CommandLineSupport
import Measurement
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTrace

/// `rouse replay`
enum ReplayCommand: Command {
  static let name = "replay"
  static let specification = Specification(
    name: name,
    summary: "Feed traces to the wake scheduler: which wakes come out, and how fast.",
    operands: "TRACE…",
    operandCount: 1...(.max),
    discussion: """
      Several traces, and the streams of one device, are merged by time. T is an instant such as
      2026-01-01, 2026-01-01T08:00:00Z, or nanoseconds since 1970. With --keep-going damaged blocks
      are passed over, the loss is told in the result, and the exit status is 1. With --skip-quiet the
      wakes and all counts are the same; blocks from which nothing but counts can come are not read, so
      damage within them is not found, and speeds are those of the other events.
      """,
    options: [
      .init("--policy", value: "POLICY", "ios (default), watchos, or a JSON file (SPEC 3)."),
      .init("--wakes", value: "FILE", "Write the wake log as JSON Lines; '-' is standard output."),
      .init("--json", "Print the result as JSON."),
      .init("--from", value: "T", "Leave out inputs before T."),
      .init("--to", value: "T", "Leave out inputs at or after T."),
      .init("--type", value: "TYPE", repeats: true, "Leave out saves of other types (repeatable)."),
      .init("--device", value: "NAME", repeats: true, "Leave out other devices (repeatable)."),
      .init("--threads", value: "N", "Threads that read and feed (default 1)."),
      .init("--repeat", value: "N", "Replay N times; the speed is the median (default 1)."),
      .init("--speed", value: "SPEED", "max (default), or paced by the trace: 1x, 60x …"),
      .init("--skip-quiet", "Count blocks that can wake nobody by their headers, unread."),
      .init("--keep-going", "Pass over damaged blocks."),
      .init("--no-latency", "Do not sample the latency of events."),
      .init(
        "--perf-control", value: "CTL,ACK",
        "Let perf record --control=fifo:CTL,ACK see the replay alone."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    var options = try options(arguments)
    if arguments.value("--wakes") == "-", arguments.has("--json") {
      throw arguments.usage("--json and --wakes - both want standard output")
    }
    let repetitions = try arguments.number("--repeat", in: 1...1_000_000) ?? 1
    try Console.refuse(options.wakeLog, over: arguments.operands)
    let files = try arguments.operands.map { path throws(TraceError) in try TraceFile(path: path) }
    let perf = try arguments.value("--perf-control").map { paths throws(PerfControlError) in
      try PerfControl(paths: paths)
    }
    let region = MeasuredRegion("replay", perf: perf)
    var result = try region.measure { try replay(files, options) }
    options.wakeLog = nil
    var speeds = [result.performance?.eventsPerSecond ?? 0]
    for _ in 1..<max(1, repetitions) where repetitions > 1 {
      let again = try region.measure { try replay(files, options) }
      guard again.summary == result.summary else {
        throw ReplayDiffers(first: result.digest, second: again.digest)
      }
      speeds.append(again.performance?.eventsPerSecond ?? 0)
    }
    if repetitions > 1 {
      result.performance?.repetitions = speeds
      result.performance?.eventsPerSecond = Statistics.median(of: speeds) ?? 0
    }
    for notice in result.notices { Console.message(notice) }
    for damage in result.loss.damages {
      let place = damage.offset.map { ": byte \($0)" } ?? ""
      Console.message("passed over: \(damage.file)\(place): \(damage.message)")
    }
    let text = arguments.has("--json") ? result.json : result.report
    if arguments.value("--wakes") == "-" {
      // The wake log has standard output, so the report goes beside it.
      Console.write(text)
    } else {
      try Console.print(text)
    }
    return result.loss.damages.isEmpty ? .success : .failure
  }

  private static func replay(
    _ files: [TraceFile], _ options: ReplayOptions
  ) throws -> ReplayResult {
    let progress = Progress("replaying", total: nil, unit: "events")
    defer { progress.finish() }
    return try Replayer(files: files, options: options).run { done, _ in
      progress.update(Int64(done))
    }
  }

  private static func options(_ arguments: Arguments) throws -> ReplayOptions {
    var options = ReplayOptions()
    if let policy = arguments.value("--policy") { options.policy = try readPolicy(policy) }
    options.wakeLog = arguments.value("--wakes")
    options.selection.from = try instant("--from", arguments)
    options.selection.to = try instant("--to", arguments)
    options.selection.types = Set(arguments.all("--type"))
    options.selection.devices = Set(arguments.all("--device"))
    options.threads = try arguments.number("--threads", in: 1...1_024) ?? 1
    options.keepsGoing = arguments.has("--keep-going")
    options.skipsQuiet = arguments.has("--skip-quiet")
    if options.skipsQuiet, options.keepsGoing {
      throw arguments.usage(
        "--skip-quiet finds no damage in what it skips, so --keep-going does not go with it; "
          + "'rouse recover' leaves damage out")
    }
    options.measuresLatency = !arguments.has("--no-latency")
    if let speed = arguments.value("--speed"), speed != "max" {
      guard speed.hasSuffix("x"), let factor = Double(speed.dropLast()), factor > 0,
        factor.isFinite
      else { throw arguments.usage("--speed: '\(speed)' is neither max nor like 1x or 60x") }
      guard options.threads == 1 else {
        throw arguments.usage("a paced replay has one thread; leave out --threads or --speed")
      }
      guard !options.skipsQuiet else {
        throw arguments.usage("a paced replay feeds every event; leave out --skip-quiet or --speed")
      }
      options.speed = .paced(factor)
    }
    return options
  }

  static func readPolicy(_ name: String) throws -> Policy {
    if let preset = Policy.named(name) { return preset }
    let file = try InputFile(path: name)
    return try PolicyReader(file: file.name).read(try file.readAll(limit: 16 << 20))
  }

  static func instant(_ option: String, _ arguments: Arguments) throws -> Int64? {
    guard let text = arguments.value(option) else { return nil }
    do throws(TimestampSyntaxError) {
      return try Timestamp(parsing: text).nanoseconds
    } catch let error {
      throw arguments.usage("\(option): '\(text)' is no instant: \(error)")
    }
  }
}

/// Two replays of the same traces gave two results, which must never happen.
struct ReplayDiffers: Error, CustomStringConvertible {
  var first: Digest
  var second: Digest

  var description: String { "two replays of the same traces differ: \(first) and \(second)" }
}
