/// Reads messages of Protocol Buffers, apart from the product's writer: the fields of a message by their numbers.
struct ProtobufMessage {
  enum Value: Equatable {
    case integer(Int64)
    case bytes([UInt8])
  }

  struct Malformed: Error {
    let offset: Int
  }

  private(set) var fields: [(number: Int, value: Value)] = []

  init(_ bytes: some Collection<UInt8>) throws {
    let bytes = Array(bytes)
    var place = 0
    func byte() throws -> UInt8 {
      guard place < bytes.count else { throw Malformed(offset: place) }
      defer { place += 1 }
      return bytes[place]
    }
    func varint() throws -> UInt64 {
      var (value, shift) = (0 as UInt64, 0 as UInt64)
      while true {
        let next = try byte()
        guard shift < 64 else { throw Malformed(offset: place) }
        value |= UInt64(next & 0x7F) << shift
        guard next & 0x80 != 0 else { return value }
        shift += 7
      }
    }
    while place < bytes.count {
      let key = try varint()
      let number = Int(key >> 3)
      switch key & 7 {
      case 0: fields.append((number, .integer(Int64(bitPattern: try varint()))))
      case 1:
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64 as UInt64, by: 8) {
          value |= UInt64(try byte()) << shift
        }
        fields.append((number, .integer(Int64(bitPattern: value))))
      case 2:
        let length = try varint()
        guard length <= UInt64(bytes.count - place) else { throw Malformed(offset: place) }
        fields.append((number, .bytes(Array(bytes[place..<place + Int(length)]))))
        place += Int(length)
      default: throw Malformed(offset: place)
      }
    }
  }

  func integer(_ number: Int) -> Int64? {
    for case (number, .integer(let value)) in fields { return value }
    return nil
  }

  func string(_ number: Int) -> String? {
    for case (number, .bytes(let bytes)) in fields { return String(decoding: bytes, as: UTF8.self) }
    return nil
  }

  func messages(_ number: Int) throws -> [ProtobufMessage] {
    try fields.compactMap { field in
      guard field.number == number, case .bytes(let bytes) = field.value else { return nil }
      return try ProtobufMessage(bytes)
    }
  }

  func message(_ number: Int) throws -> ProtobufMessage? { try messages(number).first }
}
