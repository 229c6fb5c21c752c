/// The texts of a few points in time that a log had before, in one form. For speed alone: apps are woken at the same time, and
/// a wake often carries the save that started it. A third to eight tenths of the times in wake logs of real traces are found
/// here.
///
/// Each time is in its ``place(of:)``, if no other has taken that since.
@usableFromInline
package struct TimeTexts: ~Copyable {
  /// ``TextRoom/timeRoom`` bytes.
  @usableFromInline typealias Text = SIMD32<UInt8>

  @usableFromInline
  struct Entry {
    @usableFromInline var time: Int64
    /// How many bytes of ``text`` are used; 0 in an entry that has no time yet.
    @usableFromInline var count: Int
    @usableFromInline var text: Text

    @inlinable
    init(time: Int64, count: Int, text: Text) {
      self.time = time
      self.count = count
      self.text = text
    }
  }

  /// How a time in nanoseconds begins.
  @usableFromInline
  struct Beginning {
    /// Nanoseconds. Times within one such step, of 1,000 s, have the same digits but for the last 12.
    @inlinable static var unit: Int64 { 1_000_000_000_000 }
    /// The first time of the step; before there is one, a value of which no time is within a step.
    @usableFromInline var time = UInt64.max
    /// The number of digits, and these, the first one in the lowest byte.
    @usableFromInline var (count, text): (Int, UInt64) = (0, 0)
  }

  /// The digits of a time in nanoseconds from ``Beginning/unit`` on, in the sizes in which they are stored: a processor can
  /// forward a recent store to a load of the same bytes, but not several stores to one load.
  @usableFromInline
  struct Digits {
    /// The time; 0 if there is none yet.
    @usableFromInline var time: Int64 = 0
    /// The digits with which it begins, and how many they are (``Beginning``).
    @usableFromInline var (beginning, count): (UInt64, Int) = (0, 0)
    /// The next four digits.
    @usableFromInline var middle: UInt32 = 0
    /// The last eight.
    @usableFromInline var low: UInt64 = 0

    @inlinable
    init() {}
  }

  /// How the last time began that was not among ``digits``.
  @usableFromInline var beginning = Beginning()

  /// Times in nanoseconds from ``Beginning/unit`` on.
  @usableFromInline var digits = InlineArray<4, Digits>(repeating: Digits())

  /// Other times.
  @usableFromInline var entries: InlineArray<4, Entry>

  package init() {
    // Each entry begins with a time that belongs to another place, so that no time is found before its text is kept.
    entries = InlineArray { place in
      Entry(time: Self.place(of: 0) == place ? 1 : 0, count: 0, text: Text())
    }
  }

  /// There is a place for each value of the topmost two bits.
  @inlinable
  @inline(__always)
  static func place(of time: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: time) &* 0x9E37_79B9_7F4A_7C15) &>> 62)
  }
}

extension TimeTexts.Digits {
  /// Makes the digits of a time.
  ///
  /// - Parameter time: From ``TimeTexts/Beginning/unit`` on.
  @inlinable
  @inline(__always)
  init(of time: Int64, beginningKeptIn kept: inout TimeTexts.Beginning) {
    var rest = UInt64(bitPattern: time) &- kept.time
    if rest >= UInt64(TimeTexts.Beginning.unit) { rest = kept.set(to: UInt64(bitPattern: time)) }
    let (middle, low) = rest.quotientAndRemainder(dividingBy: 100_000_000)
    self.init()
    self.time = time
    (beginning, count) = (kept.text, kept.count)
    self.middle = (UInt32(truncatingIfNeeded: middle.fourDigits) | 0x3030_3030).littleEndian
    // Many times are whole seconds, or whole tenths.
    self.low = (0x3030_3030_3030_3030 | (low == 0 ? 0 : low.eightDigits)).littleEndian
  }
}

extension TimeTexts.Beginning {
  /// Sets it to how a time begins; returns the rest of the time.
  @usableFromInline
  @inline(never)
  mutating func set(to time: UInt64) -> UInt64 {
    let (number, rest) = time.quotientAndRemainder(dividingBy: UInt64(Self.unit))
    let digits = number.eightDigits
    let zeros = digits.trailingZeroBitCount / 8
    self.time = time - rest
    count = 8 - zeros
    text = ((digits | 0x3030_3030_3030_3030) &>> UInt64(8 * zeros)).littleEndian
    return rest
  }
}
