import BenchmarkModel
import Foundation
import Measurement
import RegionHooks

/// Takes samples of two builds in turn, so that disturbances of the machine affect both.
///
/// Each round has a new process of each build, so that the layout of memory differs between rounds. Within a round
/// benchmarks run in random order, and the samples of each in quartets: before, after, after, before, or the reverse,
/// at random. Both processes are pinned to one processor, which changes with each benchmark and round, since processors
/// differ by the load of their neighbours.
struct Comparer {
  private let settings: Settings
  private var random: SeededNumbers
  private let origin = MonotonicClock.now()
  private let processors = (0..<1_024).filter { rouse_may_run_on(Int32($0)) != 0 }
  private var iterations: [String: Int] = [:]
  /// The duration of a sample in nanoseconds.
  private var lasting: [String: UInt64] = [:]
  private var units: [String: String] = [:]
  private var works: [String: BenchmarkComparison.Work] = [:]
  private var pairs: [String: [BenchmarkComparison.Pair]] = [:]
  private var skipped: [BenchmarkRun.Skip] = []
  /// Builds that do not report digests.
  private var reticent: Set<String> = []

  private init(_ settings: Settings) {
    self.settings = settings
    random = SeededNumbers(seed: settings.seed)
  }

  /// Compares two builds on benchmarks.
  static func compare(
    _ before: Build, _ after: Build, benchmarks: [String], _ settings: Settings
  ) throws -> BenchmarkComparison {
    var comparison = BenchmarkComparison(
      tool: RouseBench.tool, startedAt: Surroundings.timeNow(), machine: Surroundings.machine(),
      before: before.description, after: after.description, seed: settings.seed,
      rule: settings.rule, clock: settings.clock)
    var comparer = Comparer(settings)
    try comparer.run(before, after, benchmarks)
    let compared = benchmarks.filter { comparer.pairs[$0] != nil }
    let judgements = settings.rule.judge(compared.map { comparer.pairs[$0] ?? [] })
    comparison.results = zip(compared, judgements).map { name, judgement in
      BenchmarkComparison.Result(
        name: name, unit: comparer.units[name] ?? "operation", pairs: comparer.pairs[name] ?? [],
        judgement: judgement, work: comparer.works[name])
    }
    comparison.skipped = comparer.skipped
    let caveats = [before, after].map(\.label).filter(comparer.reticent.contains).map {
      "\($0) reports no digests: it is unknown whether both builds do the same work."
    }
    comparison.caveats = caveats.isEmpty ? nil : caveats
    return comparison
  }

  private mutating func run(_ before: Build, _ after: Build, _ benchmarks: [String]) throws {
    var names = benchmarks
    for round in 0..<settings.rounds {
      // Samples of long replays can take longer than their share.
      if round >= settings.fewestRounds, MonotonicClock.now() - origin > settings.nanoseconds {
        break
      }
      var rest = random.shuffled(names)
      // Again only where a scheduler under test has ended its process.
      while !rest.isEmpty {
        let children = try ProcessPair(before, after, &random)
        defer { children.end() }
        try measure(&rest, &names, children, round: round)
      }
    }
    Output.progress(nil)
  }

  /// Measures benchmarks, the last first, until there is none left or a process has ended.
  private mutating func measure(
    _ rest: inout [String], _ names: inout [String], _ children: ProcessPair, round: Int
  ) throws {
    while let name = rest.popLast() {
      Output.progress("round \(round + 1) of \(settings.rounds), \(rest.count + 1) left: \(name)")
      let slice = seconds(for: name, before: rest, round: round, of: names)
      func leaveOut(_ reason: String, isFailure: Bool) {
        Output.progress(nil)
        let skip = BenchmarkRun.Skip(
          name: name, reason: reason, isFailure: isFailure ? true : nil)
        Output.message(skip.line)
        skipped.append(skip)
        pairs[name] = nil
        names.removeAll { $0 == name }
      }
      do {
        try measure(name, children, round: round, seconds: slice)
      } catch let unfit as ChildProcess.Unfit {
        leaveOut(unfit.reason, isFailure: unfit.isFailure)
      } catch let ended as SchedulerEnded {
        leaveOut("\(ended)", isFailure: true)
        return
      }
    }
  }

  /// The share of the remaining time for a benchmark: more for longer samples, of which there are fewer.
  private func seconds(
    for name: String, before rest: [String], round: Int, of names: [String]
  ) -> Double {
    func weight(_ name: String) -> Double { Double(lasting[name] ?? 400_000).squareRoot() }
    let left = settings.seconds - Double(MonotonicClock.now() - origin) / 1_000_000_000
    let own = weight(name)
    let laterRounds = Double(settings.rounds - round - 1) * names.reduce(0) { $0 + weight($1) }
    return max(0, left) * own / (own + rest.reduce(0) { $0 + weight($1) } + laterRounds)
  }

  private mutating func measure(
    _ name: String, _ children: ProcessPair, round: Int,
    seconds: Double
  ) throws {
    let deadline = MonotonicClock.now() + UInt64(seconds * 1_000_000_000)
    try prepare(name, children)
    // Both do the same number of iterations, which is determined once.
    if iterations[name] == nil {
      var most = 1
      for child in children.both {
        let answer = try child.ask("calibrate \(settings.sampleNanoseconds)", "iterations")
        most = max(most, answer.first.flatMap { Int($0) } ?? 1)
      }
      iterations[name] = most
    }
    let count = iterations[name] ?? 1
    try keepOnQuietProcessor(name, children, count)
    // Read the clock after about 15 ms of samples.
    let quartets = Int(min(8, max(1, 4_000_000 / max(1, lasting[name] ?? 1))))
    repeat {
      let turns = (0..<quartets).map { _ in random.coin() ? "abba" : "baab" }.joined()
      note(try play(turns, children, count), of: name, round: round)
    } while MonotonicClock.now() < deadline
  }

  /// Sets up a benchmark in both; throws unless both do the same work.
  private mutating func prepare(
    _ name: String, _ children: ProcessPair
  ) throws {
    let work: (before: ChildProcess.Work, after: ChildProcess.Work)
    if random.coin() {
      let first = try children.before.prepare(name)
      work = (first, try children.after.prepare(name))
    } else {
      let first = try children.after.prepare(name)
      work = (try children.before.prepare(name), first)
    }
    units[name] = work.after.unit
    for (child, work) in [(children.before, work.before), (children.after, work.after)]
    where work.digest == nil || work.operations == nil {
      reticent.insert(child.label)
    }
    works[name] = .init(
      digestBefore: work.before.digest ?? "", digestAfter: work.after.digest ?? "",
      wakesBefore: work.before.wakes.flatMap { Int($0) },
      wakesAfter: work.after.wakes.flatMap { Int($0) })
    func refuse(_ what: String, _ before: String?, _ after: String?) throws {
      guard let before, let after, before != after else { return }
      throw ChildProcess.Unfit(
        reason: "the builds do different work: \(what) \(before) before and \(after) after",
        isFailure: true)
    }
    // Two schedulers may wake differently, which the report tells.
    if work.before.wakes == nil || work.after.wakes == nil {
      try refuse("the digest is", work.before.digest, work.after.digest)
    }
    try refuse("operations are", work.before.operations, work.after.operations)
  }

  /// Takes the samples of both.
  private func play(
    _ turns: String, _ children: ProcessPair, _ count: Int
  ) throws -> (before: [ChildProcess.Sample], after: [ChildProcess.Sample]) {
    try children.before.send("play a \(turns) \(count)")
    try children.after.send("play b \(turns) \(count)")
    try ChildProcess.waitForAnswers(of: children.both)
    // Both answers are read even if the first is an error, so that they are not taken for answers to the next request.
    let samples = children.both.map { child in Result { try child.samples() } }
    return (try samples[0].get(), try samples[1].get())
  }

  /// Makes pairs of the samples. The two pairs of a quartet have opposite orders, so that a steady trend cancels out.
  private mutating func note(
    _ samples: (before: [ChildProcess.Sample], after: [ChildProcess.Sample]), of name: String,
    round: Int
  ) {
    for (before, after) in zip(samples.before, samples.after) {
      let isWall = settings.clock == .wall
      pairs[name, default: []].append(
        .init(
          at: min(before.at, after.at) &- origin, round: round,
          before: isWall ? before.wall : before.processor,
          after: isWall ? after.wall : after.processor))
    }
  }

  /// Pins both processes to a random processor, or to the next one if it is busy. The samples taken to find out also
  /// warm them up.
  private mutating func keepOnQuietProcessor(
    _ name: String, _ children: ProcessPair, _ count: Int
  ) throws {
    for processor in random.shuffled(processors) {
      for child in children.both {
        _ = try child.ask("keep \(processor)", "kept")
      }
      // Long samples need no second one to be warm.
      let isLong = lasting[name] ?? 0 > 20_000_000
      let samples = try play(isLong ? "ab" : "abab", children, count)
      let last = [samples.before.last, samples.after.last].compactMap(\.self)
      lasting[name] = last.map(\.nanoseconds).max()
      if !last.contains(where: { $0.wall > 1.2 * $0.processor }) { return }
    }
  }
}
