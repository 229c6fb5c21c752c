import WakeTrace

/// The layout of a ring file, in 64-bit words of the machine's byte order.
///
///     header             one page: what the file is, and the path of its trace
///     names              all interned names, in order
///     rings              for each: one page of state, then its slots
///
/// Only programs of the same version on the same machine read it; it is no interchange format.
@usableFromInline
enum RingLayout {
  static let version: UInt64 = 4
  /// "RWRING", a byte that no text contains, and the version.
  static let magic: UInt64 = version << 56 | 0x80_47_4E_49_52_57_52
  static let pageBytes = 4_096
  /// Where a ring's file was cut short, it has this in place of ``Ring/reserved``, which no head ever equals.
  static let cut: UInt64 = 1 << 62
  /// Bytes of a slot: two words.
  static let slotBytes = 16
  /// The word of a ring at which its slots begin.
  @inlinable static var slotsWord: Int { 4_096 / 8 }
  /// Bytes of the names' part, which is sparse. A name takes more than four bytes, so that the 24 bits of a slot
  /// hold any name's number.
  static let nameBytes = 16 << 20
  /// Memory for names is allocated in steps of this many bytes.
  static let nameStep = 64 << 10
  static let ringsOffset = pageBytes + nameBytes
  /// Where the trace's path begins in the header.
  static let pathOffset = 512
  static let pathBytes = pageBytes - pathOffset

  static func ringBytes(slots: Int) -> Int { pageBytes + slots * slotBytes }

  /// Words of the file's header.
  enum File {
    /// Written last, so that a header with it is complete.
    static let magic = 0
    static let mode = 3
    static let slotsPerRing = 4
    static let pathLength = 5
    /// The number of the rotated file that is written; 0 if files are not rotated.
    static let fileNumber = 6
    static let ringCount = 8
    /// 1 if the path is that of an attached process's trace.
    static let isAttached = 10
    static let namesLength = 16
    /// The first of the counts of names, by ``NameSort``.
    static let nameCounts = 17
    static let path = pathOffset / 8
  }

  /// Words of a ring's page. The producer's and the consumer's words are on different cache lines, to avoid
  /// false sharing.
  @usableFromInline
  enum Ring {
    /// The device of events that name none.
    static let device = 1
    /// The end of the slots that the producer writes or has written.
    @inlinable static var reserved: Int { 16 }
    /// The end of the slots that are written.
    @inlinable static var head: Int { 17 }
    /// One more than the number of the last event that was lost.
    static let lostEnd = 18
    static let lost = 19
    /// The number of the next event, written when a producer is closed.
    static let number = 20
    /// 1 in every ring, so 0 where zeros stand in place of a file that was cut short: the producer may have overwritten
    /// the mark of ``RingLayout/cut`` as the zeros were mapped.
    static let isWhole = 21
    /// The start of the slots that the producer may not overwrite.
    static let tail = 32
    /// Which of the two progresses is valid.
    static let current = 48
    /// 1 while a block is written. Then the other progress is valid once the trace has the block.
    static let isWriting = 49
    static let progress = (64, 72)
    /// In a copy of a ring that was overwritten, the number of the event at its tail.
    static let firstNumber = 80
  }
}

/// The sorts of names, numbered as ring files and `rouse.h` number them.
package enum NameSort: UInt8, CaseIterable {
  case type, source, app, query, device
}

/// How far the consumer of a ring has come.
struct RingProgress: Equatable {
  /// The end of the slots that the trace has, or that were skipped.
  var tail: UInt64 = 0
  /// The stream of the ring's blocks.
  var stream: UInt64 = 0
  /// The number of the stream's next block.
  var sequence: UInt64 = 0
  /// The number of the next event if none is lost before it.
  var nextEvent: UInt64 = 0
  /// The trace that the last block went to, which a rename does not change; nil if it is no file.
  var trace: SystemCalls.Identity?
}

extension RingProgress {
  /// Reads one of the two progresses of a ring's page.
  init(_ words: SharedWords, _ which: UInt64) {
    let place = Self.place(which)
    (tail, stream) = (words.load(place), words.load(place + 1))
    (sequence, nextEvent) = (words.load(place + 2), words.load(place + 3))
    let number = words.load(place + 5)
    trace = number == 0 ? nil : .init(device: words.load(place + 4), number: number)
  }

  func store(in words: SharedWords, _ which: UInt64) {
    let all: [UInt64] = [
      tail, stream, sequence, nextEvent, trace?.device ?? 0, trace?.number ?? 0,
    ]
    for (index, word) in all.enumerated() { words.store(word, at: Self.place(which) + index) }
  }

  private static func place(_ which: UInt64) -> Int {
    which == 0 ? RingLayout.Ring.progress.0 : RingLayout.Ring.progress.1
  }
}
