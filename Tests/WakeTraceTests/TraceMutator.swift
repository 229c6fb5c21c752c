import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// Damages traces in random ways, by bytes alone or with checksums that are made right again.
struct TraceMutator {
  /// The members of the traces that are damaged.
  let corpus: [[[UInt8]]]
  private let deflater: Deflater

  /// Numbers at which codes tend to break.
  private static let edges: [UInt64] = [
    0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0xFFFF, 0x1_0000, 0x1_0001, 0x20_0000, 0x200_0000,
    0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, .max,
  ]

  init(corpus: [[[UInt8]]]) throws {
    self.corpus = corpus
    deflater = try Deflater(level: 1)
  }

  /// The trace of a number, damaged without care for checksums.
  func damaged(_ number: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: number)
    var bytes = Array(random.pick(corpus).joined())
    for _ in 0...random.below(3) { mutate(&bytes, using: &random) }
    return bytes
  }

  /// The trace of a number with one or two members that lie, all checksums being right.
  func forged(_ number: UInt64) throws -> [UInt8] {
    var random = SplitMix64(seed: number)
    let originals = random.pick(corpus)
    var members = originals
    for _ in 0...random.below(2) {
      let place = random.below(members.count)
      var member = try ForgedMember(originals[place])
      if random.chance(60) {
        var columns = member.columns
        let column = random.below(columns.count)
        for _ in 0...random.below(3) { mutate(&columns[column].bytes, using: &random) }
        if random.chance(5) { columns.swapAt(column, random.below(columns.count)) }
        if random.chance(5) { columns[column].id = UInt8(random.below(256)) }
        member.columns = columns
      }
      if random.chance(5) { mutate(&member.payload, using: &random) }
      if random.chance(40) { lie(in: &member.header, using: &random) }
      let liesInLengths = random.chance(15)
      let tail = random.chance(3) ? random.below(1 << 26) : nil
      members[place] = try member.bytes(with: deflater, tail: tail) { header in
        if liesInLengths { self.lieInLengths(of: &header, using: &random) }
      }
    }
    if random.chance(10) {
      members.swapAt(random.below(members.count), random.below(members.count))
    }
    return Array(members.joined())
  }

  private func lie(in header: inout BlockHeader, using random: inout SplitMix64) {
    let number = random.pick(Self.edges)
    switch random.below(12) {
    case 0: header.events = Int(number & 0xFFFF_FFFF)
    case 1: header.events += random.pick([-1, 1])
    case 2: header.flags = BlockHeader.Flags(rawValue: UInt16(random.below(1 << 16)))
    case 3: header.role = random.pick([.scheduling, .details])
    case 4: header.stream = number
    case 5: header.sequence = UInt32(truncatingIfNeeded: number)
    case 6: header.lostBefore = number
    case 7: header.earliest = Int64(bitPattern: number)
    case 8: header.latest = Int64(bitPattern: number)
    case 9 where !header.runs.isEmpty:
      let run = random.below(header.runs.count)
      let other = random.below(header.runs.count)
      header.runs[run].events += 1
      if random.chance(50) { header.events += 1 } else { header.runs[other].events -= 1 }
      header.runs[other].events = max(0, header.runs[other].events)
    case 10 where !header.runs.isEmpty:
      header.runs.append(random.pick(header.runs))
      if random.chance(50) { header.events += header.runs.last?.events ?? 0 }
    default: header.types = random.chance(50) ? [] : header.types + header.types
    }
    header.events = max(0, min(header.events, Int(UInt32.max)))
  }

  private func lieInLengths(of header: inout BlockHeader, using random: inout SplitMix64) {
    let number = Int(random.pick(Self.edges) & 0xFFFF_FFFF)
    switch random.below(4) {
    case 0: header.memberLength = number
    case 1: header.payloadLength = number
    case 2: header.memberLength = max(0, header.memberLength + random.below(200) - 100)
    default: header.payloadLength = max(0, header.payloadLength + random.below(20) - 10)
    }
  }

  private func mutate(_ bytes: inout [UInt8], using random: inout SplitMix64) {
    guard !bytes.isEmpty else {
      bytes = (0..<random.below(20)).map { _ in UInt8(random.below(256)) }
      return
    }
    let place = random.below(bytes.count)
    let length = min(1 + random.below(random.chance(80) ? 8 : 300), bytes.count - place)
    switch random.below(9) {
    case 0, 1: bytes[place] ^= 1 << UInt8(random.below(8))
    case 2: bytes[place] = UInt8(random.below(256))
    case 3: bytes[place] &+= random.chance(50) ? 1 : 255
    case 4: bytes.removeSubrange(place..<place + length)
    case 5: bytes.insert(contentsOf: bytes[place..<place + length], at: random.below(bytes.count))
    case 6:
      let number = random.pick(Self.edges)
      for index in 0..<min([1, 2, 4, 8][random.below(4)], bytes.count - place) {
        bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index))
      }
    case 7:
      // A varint of any length in place of what may be one.
      var writer = ByteWriter()
      writer.appendVarint(random.pick(Self.edges) &+ UInt64(random.below(3)) &- 1)
      bytes.replaceSubrange(place..<place + min(length, 2), with: writer.bytes)
    default:
      let other = Array(random.pick(corpus).joined())
      let from = random.below(other.count)
      let piece = other[from..<min(other.count, from + length)]
      if random.chance(50) {
        bytes.insert(contentsOf: piece, at: place)
      } else {
        bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
      }
    }
  }
}
