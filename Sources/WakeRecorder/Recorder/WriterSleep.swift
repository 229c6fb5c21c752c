import CSystem

/// The sleep of a recorder's thread while little is recorded, so that a component that records little does not keep its
/// machine awake.
///
/// The thread calls ``prepare()``, looks at the rings, and calls ``begin(atMost:)`` if there is nothing to do. A producer calls
/// ``end()`` after each part of its ring, so that it may have looked just before ``prepare()``. The word is that of a cell which
/// no producer has, and is never freed: a call may still look at it when the recorder is closed.
struct WriterSleep: Sendable {
  /// Into so many parts a ring is divided.
  static let ringParts: UInt64 = 16

  /// The words of the cell.
  let words: SharedWords

  /// Lets ``end()`` end the next sleep from now on.
  func prepare() { words.storeInOrder(1, at: ProducerCell.Shared.asleep) }

  /// Sleeps until ``end()``, or for so long; not at all if ``end()`` was called since ``prepare()``. May return early.
  func begin(atMost time: Duration) {
    // A day is no flush interval that anyone would notice.
    let (seconds, attoseconds) = min(time, .seconds(86_400)).components
    unsafe system_sleep_while(address, 1, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  /// Ends the sleep; costs a load if there is none.
  @inline(__always)
  func end() {
    if words.loadInOrder(ProducerCell.Shared.asleep) != 0 { wake() }
  }

  @inline(never)
  private func wake() {
    words.storeInOrder(0, at: ProducerCell.Shared.asleep)
    unsafe system_wake_all(address)
  }

  /// The lower half of the word, as the kernel reads it.
  private var address: UnsafePointer<UInt32> {
    unsafe UnsafePointer(words.pointer(UInt32.self, atByte: 8 * ProducerCell.Shared.asleep))
  }
}
