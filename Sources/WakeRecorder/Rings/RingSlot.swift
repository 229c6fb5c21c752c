/// A slot: 16 bytes of a ring. An event takes one slot, and one more for each further word.
///
///     word 0   the event's time
///     word 1   kind (8 bits), marks (8), object (24), subject (24), from the highest bit
///
/// A save or delete has a type as its subject and a source as its object; a slot for each mark follows. Another
/// input has the number of its further slots as its object: the device if it is marked, then the bytes of
/// `InputCodec`, eight a slot. A further slot has the kind ``more`` and its word in word 0.
///
/// An event's number in its stream is one more than that of the event before, unless a slot of the kind
/// ``number`` in front of it says otherwise.
@usableFromInline
struct RingSlot {
  /// What further slots hold.
  struct Marks {
    static let start: UInt64 = 1
    static let end: UInt64 = 2
    static let value: UInt64 = 4
    static let device: UInt64 = 8
    static let all = start | end | value | device
  }

  /// The kind of a slot that continues an event.
  static let more: UInt64 = 0xFF
  /// The kind of a slot that holds the next event's number.
  static let number: UInt64 = 0xFE
  /// Bits of word 1 that are 0 in saves and deletes of one slot.
  static let notPlain: UInt64 = 0xFEFF << 48

  var word0: UInt64
  var word1: UInt64

  var kind: UInt64 { word1 >> 56 }
  var marks: UInt64 { word1 >> 48 & 0xFF }
  var subject: UInt32 { UInt32(truncatingIfNeeded: word1 & 0xFF_FFFF) }
  /// Source or number of further slots.
  var object: UInt32 { UInt32(truncatingIfNeeded: word1 >> 24 & 0xFF_FFFF) }

  @inline(__always)
  init(_ slots: SharedWords, _ place: Int) {
    word0 = slots.load(place)
    word1 = slots.load(place &+ 1)
  }

  @inlinable @inline(__always)
  static func head(_ kind: UInt8, _ marks: UInt64, _ subject: UInt32, _ object: UInt32) -> UInt64 {
    UInt64(kind) << 56 | marks << 48 | UInt64(object) << 24 | UInt64(subject)
  }

  /// Slots of the event that begins here; nil if none does.
  @inline(__always)
  var count: UInt64? {
    if kind <= 1 {
      guard marks & ~Marks.all == 0 else { return nil }
      return 1 + UInt64(marks.nonzeroBitCount)
    }
    return kind >= Self.number ? nil : 1 + UInt64(object)
  }
}
