import WakeScheduling

/// Puts a device's wakes, which are told of as they end, into the order in which they began.
struct WakeOrder {
  /// Wakes that ended before one with a lower number did.
  private var early: [Int: Wake] = [:]
  private var next = 1

  /// Calls `body` with a wake that has ended and those that waited for it, or keeps it until all with lower numbers have
  /// ended.
  mutating func add(_ wake: borrowing Wake, _ body: (borrowing Wake) -> Void) {
    guard wake.number == next else {
      early[wake.number] = copy wake
      return
    }
    body(wake)
    next += 1
    // Whether any wake waits is asked first: to look a number up takes longer, and most wakes end in order.
    while !early.isEmpty, let waiting = early.removeValue(forKey: next) {
      body(waiting)
      next += 1
    }
  }
}
