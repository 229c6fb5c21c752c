import Foundation

@testable import WakeTrace

extension QueryTrace {
  /// Turns the bits of a byte in the payload of a block round; returns where the block begins.
  func damageBlock(_ number: Int) throws -> Int64 {
    var scan = BlockScan(try open())
    var blocks: [BlockEntry] = []
    while let block = try scan.next() { blocks.append(block) }
    let member = blocks[number].scheduling
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let payloadEnd = Int(member.offset) + member.header.memberLength - 8
    bytes[(Int(member.offset) + member.payloadStart + payloadEnd) / 2] ^= 0xFF
    try Data(bytes).write(to: URL(filePath: path))
    return member.offset
  }

  /// Appends the bytes of another trace, as `cat` would.
  func appendBytes(of other: QueryTrace) throws {
    let bytes =
      try Data(contentsOf: URL(filePath: path)) + Data(contentsOf: URL(filePath: other.path))
    try bytes.write(to: URL(filePath: path))
  }
}
