import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("What a decoder is sure of")
struct OrderlinessTests {
  private let symbols = Symbols()

  /// What is sure about a block of saves, five of each of two runs' seconds, once something was done to it.
  ///
  /// - Parameter gaps: Of how many lengths the steps are: few for words, many for columns of their own.
  private func orderliness(
    gaps: Int, _ change: (inout InputColumns) -> Void
  ) throws -> Orderliness? {
    var columns = InputColumns()
    var random = SplitMix64(seed: 5)
    let types = (0..<3).map { symbols.types.intern("type \($0)") }
    let source = symbols.sources.intern("source")
    for run in 0..<2 {
      var time = Int64(1_000 - 500 * run)
      for row in 0..<500 {
        if row > 0 { time += Int64(random.below(gaps)) }
        columns.append(
          .save(Sample(type: types[random.below(3)], source: source)),
          at: Timestamp(nanoseconds: time))
      }
    }
    change(&columns)
    let runs = (0..<2).map {
      DeviceRun(device: symbols.devices.intern("device \($0)"), rows: 500 * $0..<500 * $0 + 500)
    }
    let block = try BlockEncoder(symbols: symbols, level: 1)
      .encode(columns, runs: runs, stream: 1, sequence: 0)
    let decoder = BlockDecoder(symbols: symbols)
    try decoder.decode(scheduling: block.scheduling, details: block.details)
    #expect(decoder.columns.times == columns.times)
    let found = decoder.orderliness
    var lent = DecodedBlock()
    decoder.exchange(for: &lent)
    #expect(lent.columns.times == columns.times)
    #expect(lent.runs == runs)
    #expect(lent.orderliness == found, "what is sure goes with its block")
    #expect(decoder.columns.count == 0 && decoder.runs.isEmpty && decoder.orderliness == nil)
    return found
  }

  @Test("is that saves are in order, whatever comes between runs", arguments: [3, 100_000])
  func saves(gaps: Int) throws {
    let found = try #require(try orderliness(gaps: gaps) { _ in })
    #expect(!found.hasDeletes)
    #expect(found.typeEnd == 3)
  }

  @Test("is that there may be deletes among them", arguments: [3, 100_000])
  func deletes(gaps: Int) throws {
    let found = try orderliness(gaps: gaps) { $0.kinds[700] = InputKind.delete.rawValue }
    #expect(try #require(found).hasDeletes)
  }

  @Test("is nothing where a row is late or another input", arguments: [3, 100_000])
  func nothing(gaps: Int) throws {
    let late = try orderliness(gaps: gaps) { $0.times[700] = $0.times[699] - 1 }
    #expect(late == nil, "a late row")
    let other = try orderliness(gaps: gaps) {
      $0.kinds[700] = InputKind.lock.rawValue
      $0.types[700] = $0.addOther(.lock)
    }
    #expect(other == nil, "another input")
  }
}
