import WakeEvents
import WakeTrace

/// The members of a block with given payloads, whose headers say what the payloads say.
struct ForgedBlock {
  var flags: UInt16
  var scheduling: [UInt8]
  var details: [UInt8]
  var times: ClosedRange<Int64> = 0...0
  private var runs: [(hash: UInt64, events: UInt32)] = []

  init(flags: UInt16, scheduling: [UInt8], details: [UInt8]) {
    self.flags = flags & ~8 | (details.isEmpty ? 0 : 8)
    self.scheduling = scheduling
    self.details = details
    let hashes = column(1).flatMap(Self.deviceHashes) ?? []
    guard var runs = column(2).map(InputBytes.init), let count = runs.varint() else { return }
    for _ in 0..<min(count, 2_048) {
      guard let place = runs.varint(), runs.varint() != nil, let events = runs.varint(),
        runs.varint() != nil
      else { break }
      let hash = place < UInt64(hashes.count) ? hashes[Int(place)] : 0
      self.runs.append((hash, UInt32(truncatingIfNeeded: events)))
    }
  }

  /// How many events the runs have, modulo 2^32.
  var events: UInt32 { runs.reduce(0) { $0 &+ $1.events } }

  var members: (scheduling: [UInt8], details: [UInt8]) {
    (member(role: 0), details.isEmpty ? [] : member(role: 1))
  }

  /// The bytes of a column of the scheduling payload, by its directory.
  private func column(_ id: UInt8) -> [UInt8]? {
    var start = 1 + 5 * Int(scheduling.first ?? 0)
    for entry in stride(from: 1, to: start, by: 5) where entry + 5 <= scheduling.count {
      let end = start + Int(scheduling.number(UInt32.self, at: entry + 1))
      guard end <= scheduling.count else { return nil }
      if scheduling[entry] == id { return Array(scheduling[start..<end]) }
      start = end
    }
    return nil
  }

  private static func deviceHashes(_ names: [UInt8]) -> [UInt64] {
    var names = InputBytes(names)
    var hashes: [UInt64] = []
    for _ in 0..<min(names.varint() ?? 0, UInt64(names.rest.count)) {
      guard let length = names.varint(), length <= UInt64(names.rest.count) else { break }
      hashes.append(
        NameHash.device(String(decoding: names.rest.prefix(Int(length)), as: UTF8.self)))
      for _ in 0..<length { _ = names.byte() }
    }
    return hashes
  }

  private func member(role: UInt8) -> [UInt8] {
    let payload = role == 0 ? scheduling : details
    let listed = role == 0 ? runs : []
    let headerLength = 64 + 12 * listed.count
    let chunks = max(1, (payload.count + 0xFFFE) / 0xFFFF)
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 0xFF]
    bytes.append(number: UInt16(headerLength + 4))
    bytes += [0x52, 0x57]
    bytes.append(number: UInt16(headerLength))
    bytes += [1, role]
    bytes.append(number: role == 0 ? flags : 0)
    bytes.append(number: UInt32(16 + headerLength + 5 * chunks + payload.count + 8))
    bytes.append(number: UInt32(payload.count))
    bytes.append(number: events)
    bytes.append(number: UInt64(7))
    bytes.append(number: UInt32(0))
    bytes.append(number: UInt16(listed.count))
    bytes.append(number: UInt16(0))
    bytes.append(number: times.lowerBound)
    bytes.append(number: times.upperBound)
    bytes.append(number: UInt64(0))
    bytes.append(number: UInt32(0))
    for run in listed {
      bytes.append(number: run.hash)
      bytes.append(number: run.events)
    }
    bytes.append(number: Checksum.crc32(bytes, in: 16..<bytes.count))
    for chunk in 0..<chunks {
      let part = payload[chunk * 0xFFFF..<min(payload.count, (chunk + 1) * 0xFFFF)]
      bytes.append(chunk == chunks - 1 ? 1 : 0)
      bytes.append(number: UInt16(part.count))
      bytes.append(number: ~UInt16(part.count))
      bytes += part
    }
    bytes.append(number: Checksum.crc32(payload, in: payload.indices))
    bytes.append(number: UInt32(payload.count))
    return bytes
  }
}
