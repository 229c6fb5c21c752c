import Testing
import WakeEvents

@testable import WakeTrace

/// Details of three events: two saves of one type, and a delete.
@Suite("Columns of details")
struct DetailColumnsTests {
  private static let time: Int64 = 1_700_000_000_000_000_000

  /// What a payload says; as it is, both saves have all fields.
  struct Stored {
    var fields: [Int64] = [7, 7, 0]
    var reference: UInt8 = 0
    var starts: [Int64] = [10, 20]
    var ends: [Int64] = [1, 2]
    var exponents: [UInt8] = [1]
    var values: [Int64] = [15, -25]
  }

  private static func decode(_ stored: Stored) throws -> SampleDetails {
    let symbols = Symbols()
    let (type, source) = (symbols.types.intern("type"), symbols.sources.intern("source"))
    var columns = InputColumns()
    for input in [
      Input.save(Sample(type: type, source: source)), .save(Sample(type: type, source: source)),
      .delete(type: type, source: source),
    ] {
      columns.append(input, at: Timestamp(nanoseconds: time))
    }
    var integers = IntegerColumn.Encoder()
    var payload = Payload()
    payload.add(.fields, integers.encode(stored.fields))
    let reference = Section(kind: .plain, bytes: [stored.reference])
    payload.add(.starts, [reference] + integers.encode(stored.starts))
    payload.add(.ends, integers.encode(stored.ends))
    let exponents = Section(
      kind: .plain, bytes: [UInt8(stored.exponents.count)] + stored.exponents)
    payload.add(.values, [exponents] + integers.encode(stored.values))
    let bytes = payload.sections.flatMap(\.bytes)
    let padding = [UInt8](repeating: 0xFF, count: IntegerColumn.padding)
    try DetailColumns.decode(bytes + padding, length: bytes.count, into: &columns)
    return columns.details
  }

  @Test("are relative to the event's time, or to the end of the type's last sample")
  func references() throws {
    for (reference, starts) in [(0, [-10, -20]), (1, [-10, -9 + 20])] as [(UInt8, [Int64])] {
      let details = try Self.decode(Stored(reference: reference))
      let ends = [starts[0] + 1, starts[1] + 2]
      #expect(details.starts == starts.map { Self.time + $0 } + [0], "reference \(reference)")
      #expect(details.ends == ends.map { Self.time + $0 } + [0], "reference \(reference)")
      #expect(details.values == [1.5, -2.5, 0], "reference \(reference)")
    }
  }

  private static let lies: [(lie: Stored, message: String)] = [
    (Stored(fields: [8, 7, 0]), "column fields has unknown fields"),
    (Stored(fields: [-1, 7, 0]), "column fields has unknown fields"),
    (Stored(fields: [7, 7, 1]), "an event that is not a save has details"),
    (Stored(reference: 2), "column starts has an unknown reference"),
    (Stored(starts: [.min, 0]), "a sample's start or end lies beyond ±4 × 10^18"),
    (Stored(ends: [0, .max]), "a sample's start or end lies beyond ±4 × 10^18"),
    (Stored(exponents: []), "column values has too few exponents"),
    (Stored(exponents: [16]), "column values has the exponent 16"),
    (
      Stored(exponents: [255], values: [0, Int64(bitPattern: Double.nan.bitPattern)]),
      "column values has a value not finite"
    ),
  ]

  @Test("are refused with what is wrong", arguments: lies)
  func refused(lie: Stored, message: String) {
    let error = #expect(throws: BlockError.self) { try Self.decode(lie) }
    #expect(error?.message == message)
  }
}
