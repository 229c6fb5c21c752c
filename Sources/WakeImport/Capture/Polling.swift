internal import Glibc

/// Waits for several descriptors at once.
enum Polling {
  /// Waits until one of the descriptors can be read from, has ended, or the time is over.
  ///
  /// - Parameters:
  ///   - descriptors: Negative ones are passed over.
  ///   - time: nil is for ever.
  /// - Returns: Of which something is to be had, place by place.
  static func wait(for descriptors: [Int32], atMost time: Duration?) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let milliseconds: Int32 =
      if let time {
        // Rounded up, so that the time is over when this says so.
        Int32(clamping: max(0, Int64((time / .milliseconds(1)).rounded(.up))))
      } else {
        -1
      }
    let count = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
    guard count > 0 else { return descriptors.map { _ in false } }
    return entries.map { $0.revents != 0 }
  }
}
