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

  @Test("have the same symbols when they come again, whole or changed", arguments: [65, 512, 700])
  func comeAgain(count: Int) throws {
    let names = (0..<count).map { "a name of more than 15 bytes, \($0)" }
    var last = names
    last[count - 1] = "a name of more than 15 bytes, -"
    let lists = [
      names, names, names.dropLast(), names + ["new"], names + names, Array(names.reversed()),
      Array(names.dropFirst()), last,
    ]
    let table = SymbolTable<NameOf.Source>()
    for (turn, listed) in lists.enumerated() {
      // A reader of its own, whose cache knows none of them.
      var known = NameListReader<NameOf.Source>()
      var symbols: [Source] = []
      var unknown: [UnknownName] = []
      var reader = ByteReader(try list(listed), subject: "test")
      try known.read(&reader, table, &unknown, into: &symbols)
      #expect(symbols == listed.map(table.intern), "turn \(turn)")
    }
    #expect(table.count == count + 2)
  }

  @Test(
    "are refused if one of many is not UTF-8", arguments: [100, 600],
    [0, 1, 50, -1])
  func areUTF8(count: Int, place: Int) throws {
    let damaged = place < 0 ? count - 1 : place
    let names = (0..<count).map { "name \($0 + 100)" }
    let table = SymbolTable<NameOf.Source>()
    _ = table.intern(names)
    var bytes = try list(names)
    // Each name is its length and eight bytes, behind the length of the list.
    bytes[(count < 128 ? 1 : 2) + 9 * damaged + 1] = 0xFF
    var known = NameListReader<NameOf.Source>()
    var symbols: [Source] = []
    var unknown: [UnknownName] = []
    #expect(throws: BlockError.self) {
      var reader = ByteReader(bytes, subject: "test")
      try known.read(&reader, table, &unknown, into: &symbols)
    }
    #expect(table.count == names.count)
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
