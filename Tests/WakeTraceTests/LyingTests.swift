import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// Blocks whose checksums are right and whose content is not.
@Suite("Lies")
struct LyingTests {
  private let symbols: Symbols
  private let scratch: ScratchTrace
  private let members: [[UInt8]]

  init() throws {
    // The first seed that has several devices.
    let random = try #require(
      (0..<50).lazy.map { RandomInputs(seed: $0, count: 200) }
        .first { Set($0.events.map(\.device)).count > 1 })
    symbols = random.symbols
    scratch = try ScratchTrace()
    members = try TraceMaking.trace(of: random.events, symbols: symbols).members
    try #require(members.count == 2)
  }

  /// Reads a first member, the details behind it, and a good block behind those.
  private func expectRefusal(
    _ first: [UInt8], details: [UInt8]? = nil, _ codes: Set<TraceError.Code>, _ what: String
  ) throws {
    let good = try FormatDocumentTests.exampleTrace()
    let (contents, errors) = try scratch.read(
      first + (details ?? members[1]) + good, symbols: symbols)
    #expect(
      !errors.isEmpty && errors.allSatisfy { codes.contains($0.code) }, "\(what): \(errors)")
    let events = contents.all
    #expect(
      events.count == 3 && events[2].input.kind == .enable, "\(what): the good block is read")
  }

  @Test("lengths and numbers in headers")
  func lengths() throws {
    let forged = try ForgedMember(members[0])
    let detailsLength = members[1].count
    let lies: [(String, (inout BlockHeader) -> Void)] = [
      ("a byte less", { $0.memberLength -= 1 }),
      ("a byte more", { $0.memberLength += 1 }),
      ("the details too", { $0.memberLength += detailsLength }),
      ("no bytes", { $0.memberLength = 0 }),
      ("its beginning alone", { $0.memberLength = 16 + $0.encodedLength }),
      ("its beginning and end alone", { $0.memberLength = 24 + $0.encodedLength }),
      ("all that there may be", { $0.memberLength = TraceLimits.memberBytes }),
      ("more than there may be", { $0.memberLength = TraceLimits.memberBytes + 1 }),
      ("as much as can be said", { $0.memberLength = Int(UInt32.max) }),
      ("less payload", { $0.payloadLength -= 1 }),
      ("more payload", { $0.payloadLength += 1 }),
      ("no payload", { $0.payloadLength = 0 }),
      ("all payload that may be", { $0.payloadLength = TraceLimits.payloadBytes }),
      ("more payload than may be", { $0.payloadLength = TraceLimits.payloadBytes + 1 }),
      ("an event less", { $0.events -= 1 }),
      ("an event more", { $0.events += 1 }),
      ("no event", { $0.events = 0 }),
      ("too many events", { $0.events = TraceLimits.eventsPerBlock + 1 }),
      (
        "an event more in a run",
        {
          $0.events += 1; $0.runs[0].events += 1
        }
      ),
      (
        "an event less in a run",
        {
          $0.events -= 1; $0.runs[0].events -= 1
        }
      ),
      (
        "an event in another run",
        {
          $0.runs[0].events += 1; $0.runs[1].events -= 1
        }
      ),
      (
        "all events that may be",
        {
          $0.runs[0].events += TraceLimits.eventsPerBlock - $0.events
          $0.events = TraceLimits.eventsPerBlock
        }
      ),
      ("an empty run", { $0.runs.append(BlockHeader.Run(deviceHash: 0, events: 0)) }),
      ("no runs", { $0.runs = [] }),
      ("a run less", { $0.runs[0].events += $0.runs.removeLast().events }),
      (
        "more runs than may be",
        {
          $0.runs = Array(repeating: $0.runs[0], count: TraceLimits.runsPerBlock + 1)
        }
      ),
      ("times out of order", { swap(&$0.earliest, &$0.latest) }),
      ("an earlier time", { $0.earliest = -.max }),
    ]
    for (what, lie) in lies {
      try expectRefusal(
        forged.bytes(lying: lie), [.malformed, .damaged, .truncated, .notATrace], what)
      // The payload's length stands in two places; both may lie.
      var header = forged.header
      header.payloadLength = forged.payload.count
      lie(&header)
      if header.payloadLength != forged.payload.count {
        try expectRefusal(
          forged.bytes(tail: header.payloadLength, lying: lie), [.malformed, .damaged], what)
      }
    }
  }

  @Test("a payload that inflates to more than it says, and the largest that may be")
  func bombs() throws {
    var bomb = try ForgedMember(members[0])
    bomb.payload = [UInt8](repeating: 0, count: TraceLimits.payloadBytes)
    for length in [1, 100, 65_536] {
      try expectRefusal(
        bomb.bytes(tail: length) { $0.payloadLength = length }, [.damaged], "says \(length)")
    }
    let largest = try bomb.bytes()
    #expect(largest.count < 200_000)
    try expectRefusal(largest, [.malformed], "the largest payload, of nothing")

    // The largest payload, of an optional column, is borne.
    var borne = try ForgedMember(members[0])
    let room = TraceLimits.payloadBytes - borne.payload.count - 5
    borne.columns.append((200, [UInt8](repeating: 7, count: room)))
    let (contents, errors) = try scratch.read(try borne.bytes() + members[1], symbols: symbols)
    #expect(errors == [] && contents.all.count == 200)
  }

  @Test("as many names as may be are borne, and one more is not")
  func manyNames() throws {
    let example = try FormatDocumentTests.exampleTrace()
    var member = try ForgedMember(Array(example[..<205]))
    func names(_ count: Int) -> [UInt8] {
      var writer = ByteWriter()
      for name in ["watch", "Steps", "Phone", "a.b", "q"] {
        writer.appendVarint(count)
        writer.append(bytes: [UInt8(name.utf8.count)] + Array(name.utf8))
        for number in 1..<count {
          let digits = String(number, radix: 36)
          writer.append(bytes: [UInt8(digits.utf8.count)] + Array(digits.utf8))
        }
      }
      return writer.bytes
    }
    for (count, isBorne) in [(TraceLimits.namesInList, true), (TraceLimits.namesInList + 1, false)]
    {
      member.columns[0].bytes = names(count)
      let found = try scratch.verify(try member.bytes() + example[205...])
      #expect(found.isWhole == isBorne, "\(count) names: \(found.problems)")
    }
  }

  @Test("columns: unknown, optional, missing, twice, of the other member")
  func columns() throws {
    func forged(_ change: (inout ForgedMember) -> Void) throws -> [UInt8] {
      var member = try ForgedMember(members[0])
      change(&member)
      return try member.bytes()
    }
    let original = try scratch.read(members[0] + members[1], symbols: symbols).contents
    for optional: UInt8 in [128, 200, 255] {
      let bytes = try forged { $0.columns.insert((optional, [1, 2, 3]), at: 2) } + members[1]
      let (contents, errors) = try scratch.read(bytes, symbols: symbols)
      #expect(errors == [], "column \(optional)")
      #expect(contents.difference(from: original, symbols) == nil, "column \(optional)")
    }
    for mandatory: UInt8 in [0, 9, 16, 19, 100, 127] {
      try expectRefusal(
        forged { $0.columns.append((mandatory, [])) }, [.unknownVersion], "column \(mandatory)")
    }
    let count = try ForgedMember(members[0]).columns.count
    for index in 0..<count {
      try expectRefusal(
        forged { $0.columns.remove(at: index) }, [.malformed], "no column at \(index)")
      try expectRefusal(
        forged { $0.columns.append($0.columns[index]) }, [.malformed], "column \(index) twice")
      try expectRefusal(
        forged { $0.columns[index].bytes.append(0) }, [.malformed], "column \(index) too long")
      try expectRefusal(
        forged { $0.columns[index].bytes.removeLast() }, [.malformed, .unknownVersion],
        "column \(index) too short")
      try expectRefusal(
        forged { $0.columns[index].bytes = [] }, [.malformed], "column \(index) empty")
    }
    try expectRefusal(forged { $0.payload.append(0) }, [.malformed], "a byte too many")
    try expectRefusal(forged { $0.payload = [] }, [.malformed], "no directory")
    try expectRefusal(
      forged { $0.columns.append((4, [1, 0, 0, 0])) }, [.malformed], "words as well")
  }

  @Test("an unknown version, role or kind is said to be that")
  func unknown() throws {
    var bytes = members[0]
    bytes[16] = 2
    let good = try FormatDocumentTests.exampleTrace()
    let (contents, errors) = try scratch.read(bytes + members[1] + good, symbols: symbols)
    #expect(errors.map(\.code) == [.unknownVersion], "\(errors)")
    #expect(errors.first?.message.contains("version 2") == true)
    #expect(contents.all.count == 3)

    var member = try ForgedMember(members[0])
    let keys = try #require(member.columns.firstIndex { $0.id == Column.keys.rawValue })
    member.columns[keys].bytes[1] = 23
    try expectRefusal(member.bytes(), [.unknownVersion], "kind 23")
    member.columns[keys].bytes[1] = InputKind.observed.rawValue
    try expectRefusal(member.bytes(), [.malformed], "an observation among inputs")
  }
}
