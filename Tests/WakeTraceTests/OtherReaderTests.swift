import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// Reads traces by gzip and by a reader in Python, which was written from the page Format alone.
@Suite("Other programs read a trace")
struct OtherReaderTests {
  private func expectPythonToRead(
    _ events: [Event], _ symbols: Symbols, sorted: Bool = false, level: Int, _ what: String
  ) throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.wtrace")
    let trace = try TraceMaking.trace(of: events, symbols: symbols, sorted: sorted, level: level)
    try Data(trace.bytes).write(to: URL(filePath: path))
    let (status, output) = try OtherPrograms.run(
      ["python3", OtherPrograms.traceReader, path], into: folder.file("output"))
    try #require(status == 0, "\(what): \(output.suffix(2_000))")
    let read = TraceContents(try EventReader.events(ofLines: output, symbols: symbols))
    let difference = read.difference(from: TraceContents(events), symbols)
    #expect(difference == nil, "\(what): \(difference ?? "")")
  }

  @Test(
    "Python: random events of every kind, several devices",
    .enabled(if: OtherPrograms.has("python3"), "needs Python"), arguments: UInt64(100)..<108)
  func random(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_200)
    try expectPythonToRead(
      random.events, random.symbols, level: Int(seed % 10), "seed \(seed)")
  }

  @Test(
    "Python: observations among inputs",
    .enabled(if: OtherPrograms.has("python3"), "needs Python"), arguments: UInt64(200)..<206)
  func observations(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 600)
    try expectPythonToRead(
      random.eventsWithObservations, random.symbols, level: Int(seed % 10), "seed \(seed)")
  }

  @Test(
    "Python: any time, value and distance",
    .enabled(if: OtherPrograms.has("python3"), "needs Python"))
  func extremes() throws {
    let (events, symbols) = ExtremeEvents.samples(count: 5_000)
    try expectPythonToRead(events, symbols, level: 1, "extreme samples")
  }

  @Test(
    "Python: many devices by turns, observations too",
    .enabled(if: OtherPrograms.has("python3"), "needs Python"))
  func manyRuns() throws {
    let symbols = Symbols()
    let type = symbols.types.intern("HKQuantityTypeIdentifierHeartRate")
    let app = symbols.apps.intern("com.example.app")
    var random = SplitMix64(seed: 3)
    let events = (0..<5_000).map { number in
      let device = number / 2 % 150
      let source = symbols.sources.intern("\(device % 7)")
      return Event(
        time: Timestamp(nanoseconds: Int64(number / 300) << 50 + Int64(random.below(1 << 40))),
        device: symbols.devices.intern("device \(device)"),
        input: number.isMultiple(of: 2)
          ? .save(Sample(type: type, source: source))
          : .observed(app: app, Observation(types: [type])))
    }
    let trace = try TraceMaking.trace(of: events, symbols: symbols)
    let roles = try trace.members.map(ForgedMember.init)
      .filter { $0.columns.contains { $0.id == Column.manyRuns.rawValue } }.map(\.header.role)
    #expect(roles.contains(.scheduling) && roles.contains(.observations), "\(roles)")
    try expectPythonToRead(events, symbols, level: 1, "many devices")
  }

  @Test("gzip -t", .enabled(if: OtherPrograms.has("gzip"), "needs gzip"))
  func gzip() throws {
    let random = RandomInputs(seed: 7, count: 3_000)
    let folder = try ScratchFolder()
    let path = folder.file("a.wtrace.gz")
    let trace = try TraceMaking.trace(
      of: random.events, symbols: random.symbols, eventsPerBlock: 100)
    try Data(trace.bytes).write(to: URL(filePath: path))
    let (status, output) = try OtherPrograms.run(
      ["gzip", "-t", path], into: folder.file("output"))
    #expect(status == 0 && output.isEmpty, "\(output)")
  }
}
