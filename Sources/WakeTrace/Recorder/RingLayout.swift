/// Where things stand in a ring file, in 64-bit words of the machine's byte order.
///
///     header             a page: what the file is, and the path of the trace it belongs to
///     names              every name that was interned, in order
///     rings              each a page of its own state, then its slots
///
/// The file is read by the program that wrote it or by one of the same version on the same machine; it
/// is no interchange form.
enum RingLayout {
  /// The layout's version.
  static let version: UInt64 = 2
  /// "RWRING", a byte that no text has, and the version.
  static let magic: UInt64 = version << 56 | 0x80_47_4E_49_52_57_52
  static let pageBytes = 4_096
  /// Bytes of a slot: two words.
  static let slotBytes = 16
  /// The word of a ring where its slots begin.
  static let slotsWord = pageBytes / 8
  /// Bytes of the names' part. It is sparse: what is not used takes no memory. A name takes more than
  /// four, so no name's number needs more than the 24 bits that a slot has for it.
  static let nameBytes = 16 << 20
  /// Names take their memory in steps of this many bytes.
  static let nameStep = 64 << 10
  static let ringsOffset = pageBytes + nameBytes
  /// Where the trace's path begins in the header.
  static let pathOffset = 512
  static let pathBytes = pageBytes - pathOffset

  static func ringBytes(slots: Int) -> Int { pageBytes + slots * slotBytes }

  /// Words of the file's header.
  enum File {
    /// Written last, so that a header that is there is whole.
    static let magic = 0
    static let mode = 3
    static let slotsPerRing = 4
    static let pathLength = 5
    /// Which of the rotated files blocks go to; 0 if they are not rotated.
    static let fileNumber = 6
    /// Rings that there are.
    static let ringCount = 8
    /// Bytes of names.
    static let namesLength = 16
    /// How many names of each sort there are; the sorts by ``NameSort``.
    static let nameCounts = 17
  }

  /// Words of a ring's page. What the producer writes and what the consumer writes stand apart, as
  /// two cores that write to one line of cache slow each other.
  enum Ring {
    /// The device of events that name none.
    static let device = 1
    /// Slots that the producer has begun to write: those that they overwrite may be torn.
    static let reserved = 16
    /// Slots that are written.
    static let head = 17
    /// The number behind that of the last event that was lost.
    static let lostEnd = 18
    /// Events that were lost.
    static let lost = 19
    /// The number of the next event, written when a producer leaves.
    static let number = 20
    /// Slots that the producer may write to again.
    static let tail = 32
    /// Which of the two progresses holds.
    static let current = 48
    /// Whether the other one holds as soon as its block stands in the trace.
    static let isWriting = 49
    static let progress = (64, 72)
    /// In a copy of a ring that was overwritten, the number of the event at its tail.
    static let firstNumber = 80
  }
}

/// The sorts of names, numbered as ring files store them.
enum NameSort: UInt8, CaseIterable {
  case type = 0
  case source = 1
  case app = 2
  case query = 3
  case device = 4
}

/// How far the consumer of a ring has come.
struct RingProgress: Equatable {
  /// Slots that stand in the trace, or are passed over.
  var tail: UInt64 = 0
  /// The stream that the ring's blocks belong to.
  var stream: UInt64 = 0
  /// The number of the stream's next block.
  var sequence: UInt64 = 0
  /// The number of the next event if none is lost before it.
  var nextEvent: UInt64 = 0
}
