internal import Glibc

/// The system's monotonic clock (`CLOCK_MONOTONIC`), in nanoseconds since an arbitrary origin.
///
/// Readings can be compared within one machine and boot.
public enum MonotonicClock {
  /// The time now, in nanoseconds. Takes about 20 ns; see ``cost(batches:readingsPerBatch:)``.
  public static func now() -> UInt64 {
    nanoseconds(of: CLOCK_MONOTONIC)
  }

  /// The cost of a reading, in nanoseconds.
  public struct Cost: Hashable, Sendable {
    /// The mean of the fastest batch: the undisturbed cost.
    public let minimum: Double
    /// The mean of the median batch: the expected cost.
    public let median: Double
  }

  /// Measures the cost of a reading, which the difference of two readings includes once.
  ///
  /// With the default arguments it takes less than 10 ms.
  ///
  /// - Parameters:
  ///   - batches: The number of batches; at least 1 is measured.
  ///   - readingsPerBatch: The readings timed at once; at least 1.
  public static func cost(batches: Int = 101, readingsPerBatch: Int = 250) -> Cost {
    let readings = max(readingsPerBatch, 1)
    var costs: [Double] = []
    for _ in 0..<max(batches, 1) {
      let start = now()
      var last = start
      for _ in 0..<readings { last = now() }
      costs.append(Double(last &- start) / Double(readings))
    }
    return Cost(minimum: costs.min() ?? 0, median: Statistics.median(of: costs) ?? 0)
  }
}

/// Clocks of processor time, in nanoseconds. They stop while other processes run.
public enum CPUClock {
  /// The time of all threads of this process, including ended ones.
  public static func process() -> UInt64 {
    nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)
  }

  /// The time of the calling thread.
  public static func thread() -> UInt64 {
    nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
  }
}

/// A reading of `clock`. The call cannot fail for the clocks used here.
private func nanoseconds(of clock: clockid_t) -> UInt64 {
  var time = timespec()
  _ = unsafe clock_gettime(clock, &time)
  return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000
    &+ UInt64(bitPattern: Int64(time.tv_nsec))
}
