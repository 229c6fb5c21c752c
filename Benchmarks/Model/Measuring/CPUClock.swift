import Glibc

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

  /// A reading of `clock`. The call cannot fail for the clocks used here.
  private static func nanoseconds(of clock: clockid_t) -> UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000
      &+ UInt64(bitPattern: Int64(time.tv_nsec))
  }
}
