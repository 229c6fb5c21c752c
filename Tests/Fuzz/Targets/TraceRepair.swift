import WakeTrace

/// Makes lengths and checksums of a mutated trace right, so that mutations reach what they guard.
///
/// It follows the members by their lengths. Payloads are to be stored (RFC 1951, 3.2.4), since a mutated code of any
/// other kind seldom inflates to anything new.
struct TraceRepair {
  /// What is made right.
  struct Repairs: OptionSet {
    let rawValue: UInt8
    static let headerChecksum = Repairs(rawValue: 1)
    static let payloadChecksum = Repairs(rawValue: 2)
    static let lengths = Repairs(rawValue: 4)
  }

  private(set) var bytes: [UInt8]
  private let repairs: Repairs

  /// The repaired trace.
  static func repaired(_ bytes: [UInt8], _ repairs: Repairs) -> [UInt8] {
    var repair = TraceRepair(bytes: bytes, repairs: repairs)
    var place = 0
    while let end = repair.repairMember(at: place), end > place { place = end }
    return repair.bytes
  }

  /// Repairs a member; returns where the next one begins, nil if that is unknown.
  private mutating func repairMember(at start: Int) -> Int? {
    let header = start + 16
    guard bytes.count >= header + 64, bytes[start] == 0x1F, bytes[start + 1] == 0x8B else {
      return nil
    }
    let headerEnd = header + Int(bytes.number(UInt16.self, at: start + 14))
    let payload = start + 12 + Int(bytes.number(UInt16.self, at: start + 10))
    guard headerEnd - header >= 64, headerEnd <= payload, payload + 8 <= bytes.count else {
      return nil
    }
    var end = start + Int(bytes.number(UInt32.self, at: header + 4))
    if let stored = storedBytes(from: payload) {
      if repairs.contains(.lengths) {
        end = stored.end + 8
        bytes.put(UInt32(end - start), at: header + 4)
        bytes.put(UInt32(stored.bytes.count), at: header + 8)
        bytes.put(UInt32(stored.bytes.count), at: stored.end + 4)
      }
      if repairs.contains(.payloadChecksum) {
        let checksum = Checksum.crc32(stored.bytes, in: stored.bytes.indices)
        bytes.put(checksum, at: stored.end)
      }
    }
    if repairs.contains(.headerChecksum) {
      bytes.put(Checksum.crc32(bytes, in: header..<headerEnd - 4), at: headerEnd - 4)
    }
    return end <= bytes.count ? end : nil
  }

  /// The bytes of stored blocks and where these end; nil if others are among them, or no room is left for a suffix.
  private mutating func storedBytes(from start: Int) -> (bytes: [UInt8], end: Int)? {
    var stored: [UInt8] = []
    var place = start
    while place + 5 + 8 <= bytes.count, bytes[place] & 6 == 0 {
      let isLast = bytes[place] & 1 > 0
      var length = Int(bytes.number(UInt16.self, at: place + 1))
      if repairs.contains(.lengths) {
        length = min(length, bytes.count - place - 5 - 8)
        bytes.put(UInt16(length), at: place + 1)
        bytes.put(~UInt16(length), at: place + 3)
      }
      let end = place + 5 + length
      guard end + 8 <= bytes.count else { return nil }
      stored += bytes[place + 5..<end]
      if isLast { return (stored, end) }
      place = end
    }
    return nil
  }
}
