import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// Traces damaged at random. The trace of a failure is the one of its number; after a crash it is also
/// left over as `scratch.wtrace` in a test's temporary folder.
@Suite("Random damage")
struct FuzzTests {
  /// How many traces to damage: some by default, more if the environment says so.
  private static let count =
    ProcessInfo.processInfo.environment["ROUSE_FUZZ"].flatMap { UInt64($0) } ?? 3_000

  private let scratch: ScratchTrace
  private let mutator: TraceMutator
  /// The events of all traces that are damaged, in ``symbols``.
  private let known: Set<Event>
  private let symbols = Symbols()

  init() throws {
    scratch = try ScratchTrace()
    var corpus: [[[UInt8]]] = []
    var known: Set<Event> = []
    for seed: UInt64 in 0..<12 {
      let random = RandomInputs(seed: seed, count: Int(8 + 4 * seed))
      let trace = try TraceMaking.trace(
        of: random.events, symbols: random.symbols, sorted: seed.isMultiple(of: 3),
        level: Int(seed % 10), eventsPerBlock: 8 + Int(seed))
      corpus.append(trace.members)
    }
    let (samples, symbols) = ExtremeEvents.samples(count: 120)
    corpus.append(
      try TraceMaking.trace(of: samples, symbols: symbols, eventsPerBlock: 60).members)
    // A block with the column manyRuns.
    let manyDevices = (0..<80).map { number in
      Event(
        time: Timestamp(nanoseconds: Int64(number * number) << 20),
        device: symbols.devices.intern("\(number % 40)"), input: samples[number].input)
    }
    corpus.append(try TraceMaking.trace(of: manyDevices, symbols: symbols).members)
    for members in corpus {
      known.formUnion(
        try scratch.read(Array(members.joined()), symbols: self.symbols).contents.all)
    }
    mutator = try TraceMutator(corpus: corpus)
    self.known = known
  }

  @Test("gives errors, or events that were written")
  func damaged() throws {
    var refused = 0
    for number in 0..<Self.count / 2 {
      let (contents, errors) = try scratch.read(mutator.damaged(number), symbols: symbols)
      let isKnown = contents.all.allSatisfy(known.contains)
      #expect(isKnown, "damaged trace \(number) has other events")
      if number.isMultiple(of: 3) { try verify("damaged trace \(number)", errors: errors) }
      if !errors.isEmpty { refused += 1 }
    }
    #expect(refused > Int(Self.count) / 4, "\(refused) of \(Self.count / 2) were refused")
  }

  @Test("with right checksums gives errors, or events that can be written again")
  func forged() throws {
    var accepted = 0
    var symbols = Symbols()
    for number in 0..<Self.count / 2 {
      // Names that are damaged pile up.
      if number.isMultiple(of: 500) { symbols = Symbols() }
      let (contents, errors) = try scratch.read(mutator.forged(number), symbols: symbols)
      if number.isMultiple(of: 3) { try verify("forged trace \(number)", errors: errors) }
      let events = contents.all
      guard !events.isEmpty else { continue }
      accepted += 1
      let again = try TraceMaking.trace(of: events, symbols: symbols, level: 1)
      let read = try scratch.read(again.bytes, symbols: symbols)
      #expect(read.errors == [], "forged trace \(number)")
      #expect(read.contents.all == events, "forged trace \(number)")
    }
    // Most traces have other blocks, too.
    #expect(accepted > Int(Self.count) / 8, "\(accepted) of \(Self.count / 2) had events")
  }

  /// A verification finds at least what reading finds.
  private func verify(_ what: String, errors: [TraceError]) throws {
    guard let file = try? TraceFile(path: scratch.path) else { return }
    let found = TraceVerification(of: file)
    let (places, expected) = (found.problems.map(\.offset), errors.map(\.offset))
    #expect(Set(places).isSuperset(of: expected), "\(what): \(found.problems), not \(errors)")
  }
}
