import Testing

@testable import WakeEvents

@Suite("Tables of names")
struct SymbolTableTests {
  @Test("a name in a message neither steers a terminal nor turns its text around")
  func shownNames() {
    let name = "a\u{1b}[31m\n\u{9b}\u{202e}b\u{2066}é🏃"
    #expect(name.shown == #"a\u{1b}[31m\u{a}\u{9b}\u{202e}b\u{2066}é🏃"#)
  }

  @Test("give many names the symbols that one after the other would get")
  func internMany() {
    let one = SymbolTable<NameOf.Device>()
    let many = SymbolTable<NameOf.Device>()
    for turn in 0..<60 {
      // Known ones, new ones, new ones twice, the empty one, two that only look alike.
      let names =
        (turn * 30..<turn * 30 + 60).map { "device \($0)" }
        + ["", "new \(turn)", "new \(turn)", "caf\u{E9} \(turn)", "cafe\u{301} \(turn)"]
      #expect(many.intern(names) == names.map(one.intern), "turn \(turn)")
      #expect(many.count == one.count, "turn \(turn)")
      #expect(many.nameBytes == one.nameBytes, "turn \(turn)")
    }
    for index in 0..<UInt32(one.count) {
      let symbol = Symbol<NameOf.Device>(index: index)
      #expect(many.name(of: symbol).utf8.elementsEqual(one.name(of: symbol).utf8))
      #expect(many.hash(of: symbol) == NameHash.of(one.name(of: symbol)))
    }
    #expect(many.intern([]) == [])
  }

  @Test("rank names by their bytes, however they come")
  func ranks() {
    let table = SymbolTable<NameOf.SampleType>()
    #expect(table.ranks() == [])
    for turn in 0..<30 {
      // Some are prefixes of others, some have bytes above 127, some were there before.
      for number in 0..<turn % 3 {
        let name = turn * 17 % 40 + number
        _ = table.intern(["", "a", "name \(name)", "é\(name)", "name \(name)é"][name % 5])
      }
      let sorted = table.names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let expected = table.names.map { name in
        sorted.firstIndex { $0.utf8.elementsEqual(name.utf8) }
      }
      #expect(table.ranks().map(Int.init) == expected, "turn \(turn)")
    }
  }

  @Test("tell the hashes of many devices, 0 for the one without a name")
  func hashMany() {
    let symbols = Symbols()
    let names = ["watch", "", "a phone with a name that no small string holds"]
    let devices = symbols.devices.intern(names)
    var hashes: [UInt64] = [1, 2, 3, 4]
    symbols.deviceHashes(of: devices, into: &hashes)
    #expect(hashes == names.map { NameHash.device($0) })
    #expect(hashes[1] == 0)
  }
}
