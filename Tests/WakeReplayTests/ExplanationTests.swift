import Foundation
import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeReplay

@Suite("The stories of waits")
struct ExplanationTests {
  private static let devices = ["", "watch", "phone"]

  /// A random trace, and what the reference says of it.
  private struct Scene {
    let random: RandomInputs
    let events: [Event]
    let files: [TraceFile]
    let passage: Passage

    init(seed: UInt64) throws {
      random = RandomInputs(seed: seed, count: 300)
      events = random.spread(over: ExplanationTests.devices)
      passage = try Passage()
      files = [try TraceFile(path: try passage.importing(events, symbols: random.symbols))]
    }

    func explanation(
      _ app: String, _ choice: StoryCollector.Question.Choice, threads: Int = 1
    ) throws -> Explanation {
      var options = ReplayOptions()
      options.policy = random.policy
      options.threads = threads
      return try Explanation(
        of: .init(app: app, type: nil, choice: choice), files: files, options: options)
    }

    /// The waits of an app that are over for good, as lines of the wait log: those that a wake or the last input ended, and
    /// those that ended without a wake.
    func waits(
      of app: String, without: Set<String> = [], areDropped: [Bool] = [false, true]
    ) -> [JSONValue] {
      areDropped.flatMap {
        ReferenceScheduler.waitLog(
          events: events, policy: random.policy, symbols: random.symbols, without: without,
          isDropped: $0)
      }.filter { !$0.wait.cameBack }
        .map { $0.wait.line(device: $0.device, symbols: random.symbols) }
        .filter { $0["app"]?.string.map { ExactName($0) } == ExactName(app) }
    }
  }

  private static func length(_ line: JSONValue) -> Int64 {
    (line["waits"]?.elements ?? []).reduce(0) { $0 + ($1["ns"]?.wholeNumber ?? 0) }
  }

  private static func end(_ line: JSONValue) -> Int64 {
    (line["since"]?.wholeNumber ?? 0) + length(line)
  }

  @Test(
    "are the longest waits of the reference, told from the first to the last wake",
    arguments: RandomSeeds.orFirst(3))
  func longest(seed: UInt64) throws {
    let scene = try Scene(seed: seed)
    let wakes = ReferenceScheduler.run(
      events: scene.events, policy: scene.random.policy, symbols: scene.random.symbols
    ).wakes
    for app in scene.random.symbols.apps.names.prefix(4) {
      let told = try scene.explanation(app, .longest(10))
      let expected = scene.waits(of: app)
      let ended = scene.waits(of: app, areDropped: [false])
      #expect(told.findings.waits == ended.count)
      #expect(told.findings.waited == ended.reduce(0) { $0 + Self.length($1) })
      let dropped = told.findings.dropped.values
      #expect(dropped.reduce(0) { $0 + $1.waits } == expected.count - ended.count)
      #expect(
        told.findings.stories.map(\.waited)
          == Array(expected.map(Self.length).sorted(by: >).prefix(10)))
      for story in told.findings.stories {
        #expect(story.wait.stretches.reduce(0) { $0 + $1.nanoseconds } == story.waited)
        // Every stretch without an answer begins with a wake that carried the saves in vain.
        var time = story.wait.since
        for stretch in story.wait.stretches {
          if stretch.reasons.contains(.unanswered) {
            #expect(story.flights.contains { $0.time == time }, "seed \(seed)")
          }
          time += stretch.nanoseconds
        }
        for flight in story.flights {
          let wake = try #require(
            wakes.first {
              scene.random.symbols.devices.name(of: $0.device) == story.device
                && $0.wake.number == flight.number
            }?.wake)
          #expect(wake.time.nanoseconds == flight.time)
          #expect(wake.outcome == flight.wake?.outcome, "seed \(seed), wake \(flight.number)")
          #expect(wake.saves == flight.wake?.saves)
        }
        #expect(story.wait.wake == nil || story.wait.wake == story.flights.last?.number)
      }
      #expect(try scene.explanation(app, .longest(10), threads: 2).json() == told.json())
    }
  }

  @Test("say what replays without reasons give", arguments: RandomSeeds.orFirst(3))
  func changes(seed: UInt64) throws {
    let scene = try Scene(seed: seed)
    let app = scene.random.symbols.apps.names[0]
    let told = try scene.explanation(app, .longest(5))
    // A refresh that comes sooner moves the others.
    for (story, changes) in zip(told.findings.stories, told.changes)
    where story.wait.item.kind != .refresh {
      for change in changes where change.answersAfter == nil {
        let lines = scene.waits(of: app, without: Set(change.without.map(\.word))).filter {
          ($0["device"]?.string ?? "") == story.device
            && $0["item"]?.string == story.wait.item.kind.word
            && $0["name"]?.string.map { ExactName($0) } == story.name.map { ExactName($0) }
            && $0["since"]?.wholeNumber ?? .max <= story.wait.since
            && story.wait.since <= Self.end($0)
        }
        let last = lines.max { Self.end($0) < Self.end($1) }
        let isCarried = lines.allSatisfy { $0["wake"] != .null }
        #expect(
          change.wake == (isCarried ? last.map(Self.end) : nil),
          "seed \(seed), without \(change.without.map(\.word))")
      }
    }
  }

  @Test(
    "are of what waited at a time, or of what a wake carried", arguments: RandomSeeds.orFirst(3))
  func chosen(seed: UInt64) throws {
    let scene = try Scene(seed: seed)
    let app = scene.random.symbols.apps.names[0]
    let waits = scene.waits(of: app)
    let middle = try #require(waits.dropFirst(waits.count / 2).first)
    let time = Self.end(middle)
    let covering = waits.filter {
      ($0["since"]?.wholeNumber ?? 0) <= time && time <= Self.end($0)
    }
    let told = try scene.explanation(app, .at(time))
    #expect(
      told.findings.stories.map(\.waited) == covering.map(Self.length).sorted(by: >), "seed \(seed)"
    )
    let early = try scene.explanation(app, .at(Timestamp.validRange.lowerBound))
    let first = waits.compactMap { $0["since"]?.wholeNumber }.min()
    if early.findings.stories.isEmpty {
      #expect(early.findings.after?.wait.since == first && early.findings.before == nil)
    }
  }
}
