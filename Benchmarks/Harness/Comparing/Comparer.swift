import Foundation
import Measurement
import RegionHooks

/// Takes samples of two builds in turn, so closely that what disturbs the machine meets both.
///
/// Each round has a fresh process of each build, so that where memory came to lie differs from round to
/// round; the programs are copied anew for it, to names of equal length, so that not even the pages of
/// their files stay the same. Within a round benchmarks come in random order, and the samples of each in
/// quartets: before, after, after, before, or the other way round, as chance wills. Both processes are kept
/// on one processor, another for each benchmark and round: processors differ by what their neighbours do,
/// and the system would leave each process where it is.
struct Comparer {
  /// A build as it is compared.
  struct Build {
    /// What messages call it.
    var label: String
    /// The program.
    var path: String
    /// Where its project stands, if not where it was built.
    var root: String?
    var description: BuildDescription
  }

  struct Settings {
    /// Seconds for everything.
    var seconds = 120.0
    /// Pairs of processes.
    var rounds = 20
    /// Samples are about so long.
    var sampleNanoseconds = 1_000_000.0
    /// Whether the clock decides and not the time on processors.
    var usesWallTime = false
    var seed: UInt64 = 1
    var rule = JudgementRule()
  }

  private let settings: Settings
  private var random: SeededNumbers
  private let origin = MonotonicClock.now()
  private let processors = (0..<1_024).filter { rouse_may_run_on(Int32($0)) != 0 }
  private var iterations: [String: Int] = [:]
  private var units: [String: String] = [:]
  private var pairs: [String: [BenchmarkComparison.Pair]] = [:]
  private(set) var skipped: [BenchmarkRun.Skip] = []

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
      rule: settings.rule)
    var comparer = Comparer(settings)
    try comparer.run(before, after, benchmarks)
    let compared = benchmarks.filter { comparer.pairs[$0] != nil }
    let judgements = settings.rule.judge(compared.map { comparer.pairs[$0] ?? [] })
    comparison.results = zip(compared, judgements).map { name, judgement in
      BenchmarkComparison.Result(
        name: name, unit: comparer.units[name] ?? "operation", pairs: comparer.pairs[name] ?? [],
        judgement: judgement)
    }
    comparison.skipped = comparer.skipped
    return comparison
  }

  private mutating func run(_ before: Build, _ after: Build, _ benchmarks: [String]) throws {
    var names = benchmarks
    for round in 0..<settings.rounds {
      let copies = try ProgramCopies(before.path, after.path, swapped: random.coin())
      defer { copies.remove() }
      // Which is started first matters no less than which is measured first.
      var children: (before: ChildProcess, after: ChildProcess)
      if random.coin() {
        let first = try ChildProcess(copies.before, label: before.label, root: before.root)
        children = (first, try ChildProcess(copies.after, label: after.label, root: after.root))
      } else {
        let first = try ChildProcess(copies.after, label: after.label, root: after.root)
        children = (try ChildProcess(copies.before, label: before.label, root: before.root), first)
      }
      defer {
        children.before.end()
        children.after.end()
      }
      for (number, name) in random.shuffled(names).enumerated() {
        Output.progress(
          "round \(round + 1) of \(settings.rounds), [\(number + 1)/\(names.count)] \(name)")
        let elapsed = Double(MonotonicClock.now() - origin) / 1_000_000_000
        let left = (settings.rounds - round) * names.count - number
        let slice = max(0, settings.seconds - elapsed) / Double(max(1, left))
        do {
          try measure(name, children, round: round, seconds: slice)
        } catch let absent as ChildProcess.Absent {
          Output.progress(nil)
          Output.message("SKIPPED: \(name): \(absent.reason)")
          skipped.append(.init(name: name, reason: absent.reason))
          pairs[name] = nil
          names.removeAll { $0 == name }
        }
      }
    }
    Output.progress(nil)
  }

  private mutating func measure(
    _ name: String, _ children: (before: ChildProcess, after: ChildProcess), round: Int,
    seconds: Double
  ) throws {
    let deadline = MonotonicClock.now() + UInt64(seconds * 1_000_000_000)
    for child in random.coin()
      ? [children.before, children.after] : [children.after, children.before]
    {
      units[name] = try child.ask("prepare \(name)", "ready").first
    }
    // Both do the same number of iterations, as found once.
    if iterations[name] == nil {
      var most = 1
      for child in [children.before, children.after] {
        let answer = try child.ask("calibrate \(settings.sampleNanoseconds)", "iterations")
        most = max(most, answer.first.flatMap { Int($0) } ?? 1)
      }
      iterations[name] = most
    }
    let count = iterations[name] ?? 1
    try keepOnQuietProcessor(children, count)
    repeat {
      // Two pairs that mirror each other, so that what grows or falls steadily cancels out.
      let beforeFirst = random.coin()
      for isFirst in [beforeFirst, !beforeFirst] {
        let at = MonotonicClock.now() - origin
        let pair: (before: Double, after: Double)
        if isFirst {
          let first = try time(children.before, count)
          pair = (first, try time(children.after, count))
        } else {
          let first = try time(children.after, count)
          pair = (try time(children.before, count), first)
        }
        pairs[name, default: []].append(
          .init(at: at, round: round, before: pair.before, after: pair.after))
      }
    } while MonotonicClock.now() < deadline
  }

  /// Keeps both children on a processor that chance chooses, unless somebody else has it: then on the next.
  /// What is run there for it warms them up.
  private mutating func keepOnQuietProcessor(
    _ children: (before: ChildProcess, after: ChildProcess), _ count: Int
  ) throws {
    for processor in random.shuffled(processors) {
      var share = 0.0
      for child in [children.before, children.after] {
        _ = try child.ask("keep \(processor)", "kept")
        _ = try child.sample(count)
        let sample = try child.sample(count)
        share = max(share, sample.wall / sample.processor)
      }
      if share < 1.2 { return }
    }
  }

  private func time(_ child: ChildProcess, _ iterations: Int) throws -> Double {
    let sample = try child.sample(iterations)
    return settings.usesWallTime ? sample.wall : sample.processor
  }
}

/// Copies of two programs in folders of their own, under names of equal length.
struct ProgramCopies {
  private let folder: URL
  let before: String
  let after: String

  init(_ before: String, _ after: String, swapped: Bool) throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "rouse-bench-\(UUID().uuidString)")
    self.before = folder.appending(path: swapped ? "y/rouse-bench" : "x/rouse-bench")
      .path(percentEncoded: false)
    self.after = folder.appending(path: swapped ? "x/rouse-bench" : "y/rouse-bench")
      .path(percentEncoded: false)
    for name in ["x", "y"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    for (source, copy) in swapped
      ? [(after, self.after), (before, self.before)]
      : [(before, self.before), (after, self.after)]
    {
      do {
        // Read and written, not linked: the copy's pages shall be its own.
        try Data(contentsOf: URL(filePath: source)).write(to: URL(filePath: copy))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy)
      } catch {
        throw BenchmarkFailure("\(source): cannot be copied")
      }
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// Random numbers that a seed decides.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Heads or tails.
  mutating func coin() -> Bool { next() >> 63 == 1 }

  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    elements.shuffled(using: &self)
  }
}
