/// A slot: 32 bytes of a ring. An event takes one, and more where it has more to say.
///
///     word 0   its time
///     word 1   kind (8), marks (8), number of the event in its stream (48)
///     word 2   save, delete: type (32), source (32); else: app (32), further slots (32)
///     word 3   save: value; else: what the kind needs most
///
/// A further slot has the kind `more` in word 1 and 24 bytes in the others: for a save or delete start,
/// end and device; for others the words that ``OtherRecord`` lists, three a slot.
struct RingSlot {
  /// What follows in, or is said by, an event's slots.
  struct Marks {
    static let start: UInt64 = 1
    static let end: UInt64 = 2
    static let value: UInt64 = 4
    static let device: UInt64 = 8
    /// A save or delete with any of these has a second slot.
    static let second = start | end | device
  }

  /// The kind of a slot that goes on with the event before.
  static let more: UInt64 = 0xFF

  var word0: UInt64
  var word1: UInt64
  var word2: UInt64
  var word3: UInt64

  var kind: UInt64 { word1 & 0xFF }
  var marks: UInt64 { word1 >> 8 & 0xFF }
  var number: UInt64 { word1 >> 16 }
  /// The lower half of word 2: type or app.
  var subject: UInt32 { UInt32(truncatingIfNeeded: word2) }
  /// The upper half of word 2: source or number of further slots.
  var object: UInt32 { UInt32(truncatingIfNeeded: word2 >> 32) }

  @inline(__always)
  init(_ slots: SharedWords, _ place: Int) {
    word0 = slots.load(place)
    word1 = slots.load(place + 1)
    word2 = slots.load(place + 2)
    word3 = slots.load(place + 3)
  }

  /// Slots of the event that begins here; nil if none does.
  @inline(__always)
  var count: UInt64? {
    if kind <= 1 { return marks & Marks.second == 0 ? 1 : 2 }
    return kind == Self.more ? nil : 1 + UInt64(object)
  }
}
