internal import Glibc

/// The system's monotonic clock, in nanoseconds since some moment before the process started.
///
/// It never goes back; readings compare only with those of the same machine since it started.
public enum MonotonicClock {
  /// The time now, in nanoseconds. Takes about 20 ns; see ``cost(batches:readingsPerBatch:)``.
  public static func now() -> UInt64 {
    nanoseconds(of: CLOCK_MONOTONIC)
  }

  /// What a reading of the clock costs, in nanoseconds.
  public struct Cost: Hashable, Sendable {
    /// Of the fastest batch: the cost undisturbed.
    public let minimum: Double
    /// Of the median batch: the cost to expect.
    public let median: Double
  }

  /// Measures what a reading costs: batches of readings, the mean of each.
  ///
  /// Whoever takes the difference of two readings measures one reading more than the work between.
  /// As given it takes less than a millisecond.
  ///
  /// - Parameters:
  ///   - batches: how many batches; at least 1 is measured.
  ///   - readingsPerBatch: how many readings are timed at once; at least 1.
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

/// Time spent on a processor, in nanoseconds.
///
/// Unlike the monotonic clock these stand still while others run, and count every busy processor.
public enum CPUClock {
  /// What all threads of this process have spent, ended ones included.
  public static func process() -> UInt64 {
    nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)
  }

  /// What the calling thread has spent.
  public static func thread() -> UInt64 {
    nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
  }
}

/// A reading of `clock`. Linux has had each clock used here for longer than Swift, so the call does
/// not fail; a reading would be 0 if it did.
private func nanoseconds(of clock: clockid_t) -> UInt64 {
  var time = timespec()
  _ = unsafe clock_gettime(clock, &time)
  return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000
    &+ UInt64(bitPattern: Int64(time.tv_nsec))
}
