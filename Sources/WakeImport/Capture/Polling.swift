internal import Glibc

/// Waits for several descriptors (`poll`).
enum Polling {
  /// Waits until a descriptor is readable or closed, or the time is over.
  ///
  /// - Parameters:
  ///   - descriptors: Negative ones are ignored.
  ///   - time: nil is for ever.
  /// - Returns: For each descriptor whether it is ready.
  static func wait(for descriptors: [Int32], atMost time: Duration?) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let milliseconds: Int32 =
      if let time {
        // Rounded up, so that it never returns early.
        Int32(clamping: max(0, Int64((time / .milliseconds(1)).rounded(.up))))
      } else {
        -1
      }
    // Who takes a failure for silence may miss what was sent before an interrupt. A lack of memory may pass.
    var attempts = 1_000
    var count: Int32
    repeat {
      count = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
      attempts -= 1
      if count < 0, errno != EINTR { usleep(1_000) }
    } while count < 0 && attempts > 0
    guard count > 0 else { return descriptors.map { _ in false } }
    return entries.map { $0.revents != 0 }
  }
}
