import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeReplay

@Suite("The bounds of a replay")
struct BoundsReplayTests {
  private static let devices = ["", "watch", "phone", "pad/2"]

  @Test(
    "are those of the worked cases, through a trace, with any number of threads",
    arguments: PackageFolder.cases)
  func cases(folder: String) throws {
    let given = try CaseFile.load(folder)
    let passage = try Passage()
    let trace = try passage.importing(folder + "/input.jsonl", .jsonLines, as: "trace")
    for threads in 1...2 {
      let bounds = try replay(passage, [trace], given.policy, threads: threads)
      #expect(
        try JSONValue.parsing(bounds.json) == given.bounds, "\(given.name), \(threads) threads")
    }
  }

  @Test(
    "are those of the reference, in one pass or several, from one trace or two",
    arguments: RandomSeeds.orFirst(15))
  func random(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 600)
    let events = random.spread(over: Self.devices)
    let figures = ReferenceScheduler.bounds(
      events: events, policy: random.policy, symbols: random.symbols)
    let expected = BoundsFigures.sums(figures.map(\.figures), symbols: random.symbols)
    let passage = try Passage()
    let whole = try passage.importing(events, symbols: random.symbols)
    let parts = try Self.devices.enumerated().map { place, name in
      let device = random.symbols.devices.intern(name)
      return try passage.importing(
        events.filter { $0.device == device }, symbols: random.symbols, as: "part\(place)")
    }
    for (traces, threads, mostSizes) in [
      ([whole], 1, GainCounter.usualSizes), ([whole], 2, 2), (parts, 2, GainCounter.usualSizes),
      (parts, 1, 0),
    ] {
      let bounds = try replay(passage, traces, random.policy, threads: threads) {
        $0.mostSizes = mostSizes
      }
      let what = "seed \(seed), \(traces.count) traces, \(threads) threads, \(mostSizes) sizes"
      #expect(
        bounds.apps.map { ExactName($0.app) } == expected.keys.sorted { $0 < $1 }, "\(what)")
      for app in bounds.apps {
        let figures = BoundsFigures(
          app: try #require(expected[ExactName(app.app)]).app, wakes: app.wakes,
          behind: app.behind, leastBehind: app.leastBehind, fewestWakes: app.fewestWakes,
          within: app.fewestWakesWithin.map(\.wakes))
        #expect(figures == expected[ExactName(app.app)], "\(what)")
      }
    }
  }

  @Test("leave the result as it is without")
  func withAndWithout() throws {
    let random = RandomInputs(seed: 3, count: 1_000)
    let passage = try Passage()
    let trace = try passage.importing(random.spread(over: Self.devices), symbols: random.symbols)
    let with = try passage.replay([trace], random.policy) { $0.bounds = .init() }
    let without = try passage.replay([trace], random.policy)
    #expect(without.result.bounds == nil)
    #expect(with.result.summary == without.result.summary)
    #expect(with.result.apps == without.result.apps)
    #expect(with.log == without.log)
  }

  @Test("add up over devices, unless a result has none")
  func merged() throws {
    // Of apps whose names are different strings, too.
    let seeds = (0..<50 as Range<UInt64>).lazy.map { RandomInputs(seed: $0, count: 1_000) }
    let random = try #require(
      seeds.first { random in
        let names = (0..<random.symbols.apps.count).map {
          random.symbols.apps.name(of: App(index: UInt32($0)))
        }
        return names.count > 2 && Set(names).count == names.count
      })
    let passage = try Passage()
    let trace = try passage.importing(random.spread(over: Self.devices), symbols: random.symbols)
    func result(_ devices: [String], _ bounds: Bool = true) throws -> ReplayResult {
      let replayed = try passage.replay([trace], random.policy) {
        $0.bounds = bounds ? .init() : nil
        $0.selection.devices = Set(devices.map { ExactName($0) })
      }.result
      // As `rouse merge` reads it.
      let read = try JSONDecoder().decode(ReplayResult.self, from: Data(replayed.json.utf8))
      #expect(read.bounds == replayed.bounds && read.implausibleCount == nil)
      return read
    }
    let parts = try Self.devices.map { try result([$0]) }
    let merged = try #require(ReplayResult.merged(parts))
    #expect(try merged.bounds == result(Self.devices).bounds)
    func merge(_ results: [ReplayResult]) throws -> (bounds: ReplayResult.Bounds?, remark: String?)
    {
      let merge = ReplayMerge()
      for result in results { try merge.add(result) }
      return (try merge.finish()?.bounds, merge.remarks.first)
    }
    let (all, nothing) = try merge(parts)
    #expect(all == merged.bounds && nothing == nil)
    let place = try #require(Self.devices.firstIndex { $0 != "watch" })
    let (lacking, remark) = try merge([parts[place], try result(["watch"], false)])
    #expect(
      lacking == nil
        && remark == "bounds are left out: 1 of 2 results have none; replay with --bounds")
    var twins = parts[0]
    twins.apps += [.init(app: "\u{E9}"), .init(app: "e\u{301}")]
    let (ambiguous, other) = try merge([twins, parts[1]])
    #expect(ambiguous == nil && other?.hasPrefix("bounds are left out: two apps") == true)
    var changed = parts[0]
    changed.bounds?.apps[0].fewestWakesWithin[0].seconds = 61
    #expect(changed.implausibleCount == "bounds")
  }

  @Test("have a curve on which the figures lie")
  func curve() throws {
    let random = RandomInputs(seed: 9, count: 2_000)
    let events = random.spread(over: [""])
    let passage = try Passage()
    let trace = try passage.importing(events, symbols: random.symbols)
    let bounds = try replay(passage, [trace], random.policy, threads: 1) { $0.keepsCurve = true }
    let small = try replay(passage, [trace], random.policy, threads: 2) {
      $0.keepsCurve = true
      $0.mostSizes = 1
    }
    #expect(small == bounds, "the curve is the same whatever is kept")
    #expect(bounds.apps.contains { $0.curve.count > 5 })
    for app in bounds.apps {
      #expect(app.curve[0].wakes == 0)
      let slopes = zip(app.curve, app.curve.dropFirst()).map {
        Double($0.leastBehind - $1.leastBehind) / Double($1.wakes - $0.wakes)
      }
      #expect(slopes.allSatisfy { $0 > 0 }, "\(app.app)")
      #expect(zip(slopes, slopes.dropFirst()).allSatisfy { $0 > $1 }, "\(app.app) is convex")
      if let point = app.curve.last(where: { $0.wakes <= app.wakes }) {
        #expect(point.leastBehind >= app.leastBehind)
        #expect(point.wakes < app.wakes || point.leastBehind == app.leastBehind, "\(app.app)")
      }
      let isEnough = app.curve.first { $0.leastBehind <= app.behind }
      #expect(isEnough.map { $0.wakes >= app.fewestWakes } == true, "\(app.app)")
    }
  }

  private func replay(
    _ passage: Passage, _ traces: [String], _ policy: Policy, threads: Int,
    _ change: (inout ReplayOptions.Bounds) -> Void = { _ in }
  ) throws -> ReplayResult.Bounds {
    var asked = ReplayOptions.Bounds()
    change(&asked)
    let replayed = try passage.replay(traces, policy, threads: threads) {
      $0.wakeLog = nil
      $0.bounds = asked
    }
    return try #require(replayed.result.bounds)
  }
}
