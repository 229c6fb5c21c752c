import Testing

@testable import WakeEvents

@Suite("The cache of names")
struct NameCacheTests {
  private func symbol(
    _ name: String, _ cache: inout NameCache<NameOf.Source>, _ table: SymbolTable<NameOf.Source>
  ) -> Source {
    cache.symbol(of: Array(name.utf8).span) { table.intern(name) }
  }

  @Test("gives the table's symbols, for few, many and long names", arguments: [1, 40, 5_000])
  func givesTheTablesSymbols(count: Int) {
    let table = SymbolTable<NameOf.Source>()
    var cache = NameCache<NameOf.Source>()
    for turn in 0..<3 {
      for number in 0..<count {
        let name = String(repeating: "n", count: number % 40) + " \(number)"
        #expect(symbol(name, &cache, table) == table.intern(name), "turn \(turn), \(name)")
      }
    }
    #expect(table.count == count)
  }

  @Test("tells names apart that differ in one byte, at any length")
  func tellsNamesApart() {
    let table = SymbolTable<NameOf.Source>()
    var cache = NameCache<NameOf.Source>()
    for length in 0..<40 {
      let name = [UInt8](repeating: 0x61, count: length)
      for place in 0..<length {
        var other = name
        other[place] = 0x62
        #expect(symbol(String(decoding: other, as: UTF8.self), &cache, table).index < table.count)
      }
      _ = symbol(String(decoding: name, as: UTF8.self), &cache, table)
    }
    #expect(table.count == 1 + (1..<40).reduce(0) { $0 + $1 + 1 })
  }

  @Test("does not ask twice for a name that it holds, and holds no failure")
  func asksOnce() throws {
    struct Refusal: Error {}
    let table = SymbolTable<NameOf.Source>()
    var cache = NameCache<NameOf.Source>()
    let name = Array("Apple Watch".utf8)
    #expect(throws: Refusal.self) {
      try cache.symbol(of: name.span) { () throws(Refusal) in throw Refusal() }
    }
    let first = cache.symbol(of: name.span) { table.intern("Apple Watch") }
    let second = cache.symbol(of: name.span) { Source(index: 99) }
    #expect(first == second)
  }

  @Test(
    "starts anew when the names need too many bytes, and passes over one that is longer than all")
  func startsAnew() {
    let table = SymbolTable<NameOf.Source>()
    var cache = NameCache<NameOf.Source>()
    for length in [100_000, 100_001, 100_002, 300_000, 5] {
      let name = String(repeating: "x", count: length)
      #expect(symbol(name, &cache, table) == symbol(name, &cache, table))
      #expect(cache.slots.bytes.count <= 1 << 18)
    }
    #expect(table.count == 5)
  }
}
