import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Lists of names")
struct NameListReaderTests {
  private func list(_ names: [String]) throws -> [UInt8] {
    var writer = ByteWriter()
    writer.appendVarint(names.count)
    for name in names { try writer.append(text: name, upTo: TraceLimits.nameBytes) }
    return writer.bytes
  }

  @Test("have the symbols of the table, be they few, many or long", arguments: 0..<6)
  func areThoseOfTheTable(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let (count, padding) = [(40, 0), (400, 3), (6_000, 0), (900, 900), (0, 0), (1, 60_000)][seed]
    let names = (0..<count).map { "name \($0)" + String(repeating: "-", count: padding) }
    let table = SymbolTable<NameOf.Source>()
    var known = NameListReader<NameOf.Source>()
    var symbols: [Source] = []
    var unknown: [UnknownName] = []
    for turn in 0..<8 {
      var listed = names.filter { _ in random.chance(70) }
      // The same name twice, and one that nobody meets again.
      listed += listed.prefix(2) + ["", "of turn \(turn)"]
      var reader = ByteReader(try list(listed), subject: "test")
      try known.read(&reader, table, &unknown, into: &symbols)
      #expect(reader.remaining == 0)
      #expect(symbols == listed.map(table.intern), "seed \(seed), turn \(turn)")
    }
    #expect(table.count <= count + 9, "seed \(seed): names that nobody wrote")
  }

  @Test("are as before after a list that is damaged")
  func areKeptBehindDamage() throws {
    let table = SymbolTable<NameOf.Source>()
    var known = NameListReader<NameOf.Source>()
    var symbols: [Source] = []
    var unknown: [UnknownName] = []
    let whole = try list(["one", "two"])
    let cut = Array(try list(["three", "one", "four"]).dropLast(3))
    let foreign: [UInt8] = [2, 3, 0x66, 0xFF, 0x66, 3] + Array("two".utf8)
    for bytes in [cut, foreign] {
      var reader = ByteReader(whole, subject: "test")
      try known.read(&reader, table, &unknown, into: &symbols)
      #expect(symbols == ["one", "two"].map(table.intern))
      #expect(throws: BlockError.self) {
        var reader = ByteReader(bytes, subject: "test")
        try known.read(&reader, table, &unknown, into: &symbols)
      }
    }
  }
}
