/// The texts of a few points in time that a log had before, in one form. For speed alone: apps are woken at the same time, and
/// a wake often carries the save that started it. A third to eight tenths of the times in wake logs of real traces are found
/// here.
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
    /// Nanoseconds for each step of ``number``. Times within one step, of 1,000 s, have the same digits but for the last 12.
    @inlinable static var unit: Int64 { 1_000_000_000_000 }
    /// Nothing begins with 0.
    var number: UInt64 = 0
    /// The number of digits, and these, the first one in the lowest byte.
    var (count, text): (Int, UInt64) = (0, 0)
  }

  /// How the last time began that was not among ``entries``.
  @usableFromInline var beginning = Beginning()

  /// Each time is in its ``place(of:)``, if no other has taken that since.
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
