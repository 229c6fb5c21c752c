import WakeEvents

/// For how long a device was locked, up to any time so far.
struct LockedTime {
  /// When the device was locked or unlocked, in turn, and for how long it had been locked by then.
  private var changes: [(time: Int64, before: Int64)] = []

  /// Whether the device was ever locked.
  var isEmpty: Bool { changes.isEmpty }

  private var isLocked: Bool { changes.count % 2 == 1 }

  /// Takes an input at its effective time.
  mutating func take(_ input: InputKind, at time: Int64) {
    let locks: Bool
    switch input {
    case .lock, .reboot: locks = true
    case .unlock: locks = false
    default: return
    }
    guard locks != isLocked else { return }
    changes.append((time, locked(until: time)))
  }

  /// Nanoseconds for which the device was locked between two times.
  ///
  /// - Complexity: O(log changes).
  func locked(from start: Int64, to end: Int64) -> Int64 {
    changes.isEmpty ? 0 : locked(until: end) - locked(until: start)
  }

  private func locked(until time: Int64) -> Int64 {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    let change = changes[low - 1]
    // The first, third … change locks.
    return low % 2 == 1 ? change.before + (time - change.time) : change.before
  }
}
