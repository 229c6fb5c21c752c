import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

@Suite("Verification of a replay")
struct ReplayVerificationTests {
  private let symbols = Symbols()
  private static let device = #"my "phone""#

  /// Two devices with an app each that is woken for every save and never answers.
  private func trace(_ passage: Passage) throws -> TraceFile {
    var events: [Event] = []
    for name in [Self.device, "watch"] {
      let device = symbols.devices.intern(name)
      let app = symbols.apps.intern("app")
      let type = symbols.types.intern("type")
      let sample = Sample(type: type, source: symbols.sources.intern("a"))
      func add(_ seconds: Int64, _ input: Input) {
        events.append(
          Event(
            time: Timestamp(nanoseconds: seconds * 1_000_000_000), device: device, input: input))
      }
      add(1, .enable(app: app, type: type, frequency: .immediate))
      for second in 1...4 { add(Int64(second) * 1_000, .save(sample)) }
    }
    return try TraceFile(path: try passage.importing(events, symbols: symbols, as: "trace"))
  }

  @Test("finds the rules alone and all accelerations equal")
  func equal() throws {
    let passage = try Passage()
    let outcome = try ReplayVerification(files: [try trace(passage)], options: ReplayOptions())
      .run()
    guard case .equal(let result) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(result.summary.wakes > 0)
  }

  /// Types are hashed by the sum of their names' hashes (page Rules, 7), and FNV-1a lets sums collide on purpose: the
  /// last byte is combined by exclusive or, so two names that differ in its lowest bit have hashes that differ by the
  /// prime. Wakes for xb and zc, and for xc and zb, therefore have equal digests and counts.
  @Test("finds a wake whose types differ although counts and digests are equal")
  func equalDigests() throws {
    let passage = try Passage()
    let device = symbols.devices.intern(Self.device)
    let app = symbols.apps.intern("app")
    let source = symbols.sources.intern("a")
    var events: [Event] = []
    func add(_ seconds: Int64, _ input: Input) {
      events.append(
        Event(
          time: Timestamp(nanoseconds: seconds * 1_000_000_000), device: device, input: input))
    }
    let names = ["y", "xb", "zc", "xc", "zb"]
    let types = names.map { symbols.types.intern($0) }
    for type in types { add(1, .enable(app: app, type: type, frequency: .immediate)) }
    // The wake for y is still in flight when the others are saved, which the next wake carries together.
    add(1_000, .save(Sample(type: types[0], source: source)))
    for type in types.dropFirst() { add(1_001, .save(Sample(type: type, source: source))) }
    add(100_000, .save(Sample(type: types[0], source: source)))
    let file = try TraceFile(path: try passage.importing(events, symbols: symbols, as: "trace"))
    func options(_ types: [String]) -> ReplayOptions {
      var options = ReplayOptions()
      options.selection.types = Set(types.map { ExactName($0) })
      return options
    }
    let (first, second) = (options(["y", "xb", "zc"]), options(["y", "xc", "zb"]))
    let results = try [first, second].map { try Replayer(files: [file], options: $0).run() }
    #expect(results[0].summary == results[1].summary && results[0].digest == results[1].digest)
    let outcome = try ReplayVerification(files: [file], first, second).run()
    guard case .wakesDiffer(let wake) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(wake.number == 2)
    #expect(wake.accelerated?.contains(#""types":["xb","y","zc"]"#) == true)
    #expect(wake.plain?.contains(#""types":["xc","y","zb"]"#) == true)
  }

  @Test("finds the first wake that a planted difference changes")
  func planted() throws {
    let passage = try Passage()
    let file = try trace(passage)
    var other = ReplayOptions()
    // The app is stopped after its first unanswered wake, so that the second one is missing.
    other.policy.maxStrikes = 1
    let outcome = try ReplayVerification(files: [file], ReplayOptions(), other).run()
    guard case .wakesDiffer(let wake) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(wake.device == Self.device && wake.number == 2)
    #expect(wake.accelerated?.hasPrefix(#"{"device":"my \"phone\"","t":"#) == true)
    #expect(wake.plain == nil)
    // The other way round.
    guard
      case .wakesDiffer(let mirrored) = try ReplayVerification(
        files: [file], other, ReplayOptions()
      ).run()
    else {
      Issue.record("no wake differs")
      return
    }
    #expect(mirrored.number == 2 && mirrored.plain == wake.accelerated)
    #expect(mirrored.accelerated == nil)
  }
}
