import Foundation
import Testing
import WakeTestSupport

@Suite("Damaged traces")
struct DamagedTraceTests {
  /// Damage to the second of three blocks, of a hundred saves each.
  struct Damage: CustomTestStringConvertible, Sendable {
    let name: String
    /// The line that tells of it, behind file and place.
    let message: String
    /// How far behind the block's first byte the damage is told to be.
    let distance: @Sendable (TraceBlock) -> Int
    let apply: @Sendable (TraceBlock) -> [UInt8]

    var testDescription: String { name }

    init(
      _ name: String, _ message: String,
      distance: @escaping @Sendable (TraceBlock) -> Int = { _ in 0 },
      _ apply: @escaping @Sendable (TraceBlock) -> [UInt8]
    ) {
      self.name = name
      self.message = message
      self.distance = distance
      self.apply = apply
    }
  }

  static let headerCheck = "block header is damaged (its checksum does not match)"
  static let payloadCheck = "block is damaged (its checksum does not match)"

  static let damages = [
    Damage("flipped byte in the header", headerCheck) { $0.flipping(30) },
    Damage("flipped byte of the header's check", headerCheck) { $0.flipping($0.payloadStart - 1) },
    Damage("flipped byte of the magic number", "no trace block begins here") { $0.flipping(1) },
    Damage("flipped byte of Rouse's mark", "a gzip member that is not a trace block begins here") {
      $0.flipping(12)
    },
    Damage("flipped byte in the payload", "block's compressed bytes are damaged") {
      $0.flipping($0.payloadStart + 5)
    },
    Damage("flipped byte of the payload's CRC", payloadCheck) { $0.flipping($0.memberLength - 8) },
    Damage("flipped byte of the payload's length", "block is damaged (its two lengths differ)") {
      $0.flipping($0.memberLength - 1)
    },
    Damage("a length that lies, with a wrong check", headerCheck) { block in
      var block = block
      block.memberLength += 100
      return block.bytes
    },
    Damage(
      "a length that lies", "no trace block begins here", distance: { $0.memberLength + 10 }
    ) { $0.with { $0.memberLength += 10 } },
    Damage(
      "a length beyond all bounds",
      "block header gives a length of 2147483648 bytes, more than the limit"
    ) { $0.with { $0.memberLength = 1 << 31 } },
    Damage(
      "a length shorter than the header", "block header gives a length shorter than the header"
    ) { $0.with { $0.memberLength = 100 } },
    Damage(
      "a payload beyond all bounds",
      "block header gives a payload of 2147483648 bytes, more than the limit"
    ) { $0.with { $0.payloadLength = 1 << 31 } },
    Damage("a bomb", "block inflates to more bytes than its header says") {
      $0.withPayload(TraceBlock.bomb(bytes: 300 << 20), length: $0.payloadLength)
    },
    Damage(
      "a bomb that says what it is",
      "block header gives a payload of 314572800 bytes, more than the limit"
    ) {
      $0.withPayload(TraceBlock.bomb(bytes: 300 << 20), length: 300 << 20)
    },
    Damage(
      "an unknown version", "trace format version 2; this program reads version 1"
    ) { $0.with { $0.bytes[16] = 2 } },
    Damage("other gzip", "a gzip member that is not a trace block begins here") { _ in
      // What `gzip -n` makes of "hello\n".
      [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xE7, 2, 0, 0x20, 0x30,
        0x3A, 0x36, 6, 0, 0, 0,
      ]
    },
    Damage("what is no gzip", "no trace block begins here") { _ in Array("hello\n".utf8) },
    Damage("a block cut short", headerCheck) { Array($0.bytes[..<50]) },
  ]

  private func blocks(in shop: Workshop) throws -> [[UInt8]] {
    try ["first", "second", "third"].enumerated().map { number, name in
      try shop.importing(
        Workshop.saves(100, device: name, from: number * 1_000), as: name)
    }
  }

  @Test(
    "end a replay and an export with one line, and cost one block where a replay goes on",
    arguments: damages)
  func tell(damage: Damage) throws {
    let shop = try Workshop()
    let blocks = try blocks(in: shop)
    let damaged = damage.apply(TraceBlock(blocks[1]))
    try shop.write(blocks[0] + damaged + blocks[2], to: "damaged.wtrace")
    try shop.write(Workshop.policy, to: "policy.json")
    let offset = blocks[0].count + damage.distance(TraceBlock(blocks[1]))
    let place = "damaged.wtrace: byte \(offset): \(damage.message)"
    let files = shop.files

    for arguments in [
      ["replay", "damaged.wtrace", "--wakes", "wakes.jsonl"],
      ["export", "damaged.wtrace", "-o", "out.jsonl"],
    ] {
      let result = try RouseCommand.run(arguments, folder: shop.path)
      #expect(result.status == .exited(1), "\(damage.name), \(arguments[0])")
      #expect(result.errors == "rouse: \(place)\n", "\(damage.name), \(arguments[0])")
      #expect(result.output == "", "\(damage.name), \(arguments[0])")
      #expect(shop.files == files, "\(damage.name), \(arguments[0]): nothing is left behind")
    }

    let rest = try RouseCommand.run(
      ["replay", "first.wtrace", "third.wtrace", "--policy", "policy.json", "--json"],
      folder: shop.path
    ).json()
    for threads in ["1", "2"] {
      let result = try shop.rouse(
        "replay", "damaged.wtrace", "--policy", "policy.json", "--keep-going", "--json",
        "--threads", threads)
      #expect(result.status == .exited(1), "\(damage.name): \(result.errors)")
      #expect(result.errors == "rouse: skipped: \(place)\n", "\(damage.name)")
      let json = try result.json()
      #expect(
        json["summary"] == rest["summary"],
        "\(damage.name): the blocks before and behind are replayed: \(json["summary"]?.text ?? "")")
      #expect(json["summary"]?["saves"] == .integer(200), "\(damage.name)")
      let told = json["loss"]?["damages"]?.elements ?? []
      #expect(told.count == 1, "\(damage.name)")
      #expect(told.first?["file"] == .string("damaged.wtrace"), "\(damage.name)")
      #expect(told.first?["offset"] == .integer(offset), "\(damage.name)")
      #expect(told.first?["message"] == .string(damage.message), "\(damage.name)")
    }
    let verified = try shop.rouse("replay", "damaged.wtrace", "--keep-going", "--verify")
    #expect(verified.status == .exited(1) && verified.output.hasPrefix("equal: "))
    #expect(verified.errors.contains("skipped: damaged.wtrace: byte "), "\(verified.errors)")
    let text = try shop.rouse("replay", "damaged.wtrace", "--keep-going")
    #expect(text.status == .exited(1), "\(damage.name)")
    #expect(
      text.output.contains("\nLost             1 damaged place ("), "\(damage.name): \(text.output)"
    )
    #expect(text.output.contains(place), "\(damage.name): \(text.output)")
  }

  @Test("that end too early tell how much of the last block there is")
  func truncated() throws {
    let shop = try Workshop()
    let blocks = try blocks(in: shop)
    let last = TraceBlock(blocks[2])
    try shop.write(blocks[0] + blocks[1] + last.bytes[..<150], to: "cut.wtrace")
    let start = blocks[0].count + blocks[1].count
    let message =
      "cut.wtrace: byte \(start): the file ends within this block, of which it holds "
      + "150 of \(last.memberLength) bytes\n"
    let result = try shop.rouse("replay", "cut.wtrace")
    #expect(result.status == .exited(1))
    #expect(result.errors == "rouse: \(message)")
    let json = try shop.rouse("replay", "cut.wtrace", "--keep-going", "--json")
    #expect(json.status == .exited(1))
    #expect(json.errors.hasPrefix("rouse: skipped: \(message)"), "\(json.errors)")
    #expect(try json.json()["summary"]?["inputs"] == .integer(200))

    // Only the details are cut; without predicates they are not needed, and still they are missing.
    try shop.write(blocks[0] + blocks[1] + last.bytes.dropLast(3), to: "cut.wtrace")
    let details = try shop.rouse("replay", "cut.wtrace")
    #expect(details.status == .exited(1))
    #expect(
      details.errors.hasPrefix(
        "rouse: cut.wtrace: byte \(start + last.memberLength): the file ends within this block"))

    // In the midst of a header.
    try shop.write(Array(blocks[0][..<10]), to: "cut.wtrace")
    let header = try shop.rouse("replay", "cut.wtrace")
    #expect(
      header.errors == "rouse: cut.wtrace: byte 0: the file ends within a block's header\n")
  }

  @Test("that miss a block of a stream say so")
  func missingBlock() throws {
    let shop = try Workshop()
    // More than one block of one device.
    let trace = try shop.importing(Workshop.saves(140_000), as: "long")
    let first = TraceBlock(trace)
    let start = first.memberLength + TraceBlock(Array(trace[first.memberLength...])).memberLength
    let second = TraceBlock(Array(trace[start...]))
    let end =
      start + second.memberLength
      + TraceBlock(Array(trace[(start + second.memberLength)...])).memberLength
    try shop.write(Array(trace[..<start] + trace[end...]), to: "gap.wtrace")
    let result = try shop.rouse("replay", "gap.wtrace", "--json")
    let json = try result.json()
    #expect(json["loss"]?["missingBlocks"] == .integer(1))
    #expect(json["summary"]?["saves"] == .integer(140_000 - 65_536))
    let text = try shop.rouse("replay", "gap.wtrace")
    #expect(text.output.contains("1 missing block, "), "\(text.output)")
  }
}
