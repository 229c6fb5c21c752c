/// Writes messages of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/): a key for each field, with the
/// field's number and its wire type, then the value.
struct ProtobufWriter {
  private enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
  }

  /// The bytes written so far.
  private(set) var bytes: [UInt8] = []

  /// A varint: seven bits a byte, the lowest first; the top bit says that another byte follows.
  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func key(_ field: UInt64, _ type: WireType) {
    varint(field << 3 | type.rawValue)
  }

  /// An integer of a field of type uint64, int64, uint32, int32 or an enumeration; a negative one takes ten bytes.
  mutating func integer(_ field: UInt64, _ value: some BinaryInteger) {
    key(field, .varint)
    varint(UInt64(truncatingIfNeeded: value))
  }

  mutating func boolean(_ field: UInt64, _ value: Bool) { integer(field, value ? 1 : 0) }

  /// An integer of a field of type fixed64.
  mutating func fixed(_ field: UInt64, _ value: UInt64) {
    key(field, .fixed64)
    for shift in stride(from: 0, to: 64 as UInt64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func string(_ field: UInt64, _ text: String) {
    key(field, .lengthDelimited)
    varint(UInt64(text.utf8.count))
    bytes += text.utf8
  }

  /// A message within this one.
  mutating func message(_ field: UInt64, _ write: (inout ProtobufWriter) -> Void) {
    key(field, .lengthDelimited)
    // Most messages are shorter than 128 bytes; then a byte has their length.
    let place = bytes.count
    bytes.append(0)
    write(&self)
    let length = bytes.count - place - 1
    guard length >= 0x80 else {
      bytes[place] = UInt8(length)
      return
    }
    var prefix = ProtobufWriter()
    prefix.varint(UInt64(length))
    bytes.replaceSubrange(place...place, with: prefix.bytes)
  }

  /// The bytes so far, which are then no longer here.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}
