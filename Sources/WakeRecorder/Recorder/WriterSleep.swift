import CSystem

/// The sleep of recorders' threads while little is recorded, so that a component that records nothing does not keep its
/// machine awake.
///
/// A producer looks after each part of its ring whether to end it. So the thread is awake when two parts are filled: the
/// producer may have looked just before the thread fell asleep. The threads of a process share one word, which is never
/// freed: a call may still look at it when its recorder is closed.
struct WriterSleep {
  /// Into so many parts a ring is divided.
  static let ringParts: UInt64 = 8

  let words: SharedWords

  /// Sleeps until a producer or ``end()`` ends it, or for so long; may return early.
  ///
  /// - Parameter isStopped: Looked at after ``end()`` can end the sleep.
  func begin(atMost time: Duration, unless isStopped: () -> Bool) {
    // A day is no flush interval that anyone would notice.
    let (seconds, attoseconds) = min(time, .seconds(86_400)).components
    words.storeInOrder(1, at: ProducerCell.Shared.asleep)
    guard !isStopped() else { return }
    unsafe system_sleep_while(address, 1, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  /// Ends the sleep of all threads; costs a load if none sleeps.
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
