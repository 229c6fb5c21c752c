import Glibc
import WakeEvents

/// The directory of a zip archive in a regular file (PKWARE's APPNOTE 6.3), with Zip64.
struct ZipArchive {
  let file: PlainSource
  private let directory: Range<Int64>

  private static let longestComment = 65_535
  private static let endLength = 22

  /// Finds the directory.
  init(_ file: PlainSource) throws(TraceError) {
    self.file = file
    guard file.isRegular, let length = SystemCalls.status(of: file.descriptor)?.length else {
      throw TraceError(
        .inputOutput, file.name,
        "is a zip archive, which is read from its end, and a pipe: name the file instead")
    }
    let start = max(0, length - Int64(Self.longestComment + Self.endLength))
    let bytes = try Self.read(Int(length - start), at: start, of: file)
    // None if the file is shorter than that record.
    let places = (0..<max(0, bytes.count - Self.endLength + 1)).reversed()
    let end = places.first { place in
      bytes[place...].starts(with: [0x50, 0x4B, 5, 6])
        && place + Self.endLength + bytes.number(at: place + 20, bytes: 2) <= bytes.count
    }
    guard let end else {
      throw TraceError(
        .truncated, file.name, "is a zip archive that is cut short: it has no directory at its end")
    }
    var size = bytes.number(at: end + 12, bytes: 4)
    var offset = bytes.number(at: end + 16, bytes: 4)
    var limit = start + Int64(end)
    if size == UInt32.max || offset == UInt32.max || bytes.number(at: end + 10, bytes: 2) == 0xFFFF,
      let large = try Self.largeEnd(before: limit, of: file)
    {
      (size, offset, limit) = large
    }
    guard offset <= limit, size <= Int(limit) - offset else { throw Self.damaged(file) }
    directory = Int64(offset)..<Int64(offset + size)
  }

  /// The size and offset of the directory, and where the record that has them begins; nil if the archive is no Zip64.
  private static func largeEnd(
    before end: Int64, of file: PlainSource
  ) throws(TraceError) -> (Int, Int, Int64)? {
    guard end >= 20 else { return nil }
    let locator = try read(20, at: end - 20, of: file)
    guard locator.count == 20, locator.starts(with: [0x50, 0x4B, 6, 7]) else { return nil }
    let place = Int64(locator.number(at: 8, bytes: 8))
    guard place <= end - 76 else { throw damaged(file) }
    let record = try read(56, at: place, of: file)
    guard record.count == 56, record.starts(with: [0x50, 0x4B, 6, 6]) else { throw damaged(file) }
    return (record.number(at: 40, bytes: 8), record.number(at: 48, bytes: 8), place)
  }

  /// Calls `body` with each entry until it returns false.
  func forEachMember(_ body: (ZipMember) throws(TraceError) -> Bool) throws(TraceError) {
    var place = directory.lowerBound
    while place < directory.upperBound {
      let head = try Self.read(ZipMember.entryLength, at: place, of: file)
      guard head.starts(with: [0x50, 0x4B, 1, 2]), head.count == ZipMember.entryLength else {
        throw Self.damaged(file)
      }
      let length = [28, 30, 32].reduce(0) { $0 + head.number(at: $1, bytes: 2) }
      let rest = try Self.read(length, at: place + Int64(head.count), of: file)
      guard rest.count == length, let member = ZipMember(head, rest) else {
        throw Self.damaged(file)
      }
      guard try body(member) else { return }
      place += Int64(head.count + length)
    }
  }

  /// Where a file's compressed bytes begin: its own header may be longer than its entry in the directory.
  func start(of member: ZipMember) throws(TraceError) -> Int64 {
    let header = try Self.read(30, at: member.header, of: file)
    guard header.count == 30, header.starts(with: [0x50, 0x4B, 3, 4]) else {
      throw Self.damaged(file)
    }
    let names = header.number(at: 26, bytes: 2) + header.number(at: 28, bytes: 2)
    let start = member.header + 30 + Int64(names)
    guard start + member.compressed <= directory.lowerBound else { throw Self.damaged(file) }
    return start
  }

  static func read(
    _ count: Int, at offset: Int64, of file: PlainSource
  ) throws(TraceError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard let got = SystemCalls.read(file.descriptor, count: count, at: offset, into: &bytes) else {
      throw .system("cannot be read", file: file.name)
    }
    bytes.removeLast(count - got)
    return bytes
  }

  static func damaged(_ file: PlainSource) -> TraceError {
    TraceError(.damaged, file.name, "is a zip archive whose directory is damaged")
  }
}

/// A file in a zip archive.
struct ZipMember {
  static let entryLength = 46

  var name: String
  var isEncrypted: Bool
  /// 0 is stored, 8 deflated.
  var method: Int
  var checksum: UInt32
  /// Bytes in the archive, and of the content.
  var compressed, length: Int64
  /// Where its own header begins.
  var header: Int64

  /// Neither a folder, nor what a Mac adds to a file.
  var isContent: Bool { !name.hasSuffix("/") && !name.hasPrefix("__MACOSX/") }

  /// Reads an entry of the directory: the fixed fields, and the name, extra fields and comment; nil if it is damaged.
  init?(_ head: [UInt8], _ rest: [UInt8]) {
    let nameEnd = head.number(at: 28, bytes: 2)
    name = String(decoding: rest[..<nameEnd], as: UTF8.self)
    isEncrypted = head[8] & 1 != 0
    method = head.number(at: 10, bytes: 2)
    checksum = UInt32(head.number(at: 16, bytes: 4))
    // In the order in which Zip64's field has those that do not fit.
    var numbers = [24, 20, 42].map { head.number(at: $0, bytes: 4) }
    var place = nameEnd
    let end = nameEnd + head.number(at: 30, bytes: 2)
    while place + 4 <= end {
      let (id, size) = (rest.number(at: place, bytes: 2), rest.number(at: place + 2, bytes: 2))
      place += 4
      guard place + size <= end else { break }
      if id == 1 {
        var field = place
        for index in numbers.indices where numbers[index] == UInt32.max {
          guard field + 8 <= place + size else { return nil }
          numbers[index] = rest.number(at: field, bytes: 8)
          field += 8
        }
      }
      place += size
    }
    // No file is longer; sums then cannot overflow.
    guard numbers.allSatisfy({ $0 < 1 << 60 }) else { return nil }
    (length, compressed) = (Int64(numbers[0]), Int64(numbers[1]))
    header = Int64(numbers[2])
  }
}

extension [UInt8] {
  /// A number of up to eight bytes, lowest first; at most `Int.max`.
  fileprivate func number(at place: Int, bytes count: Int) -> Int {
    let value = self[place..<place + count].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return Int(clamping: value)
  }
}
