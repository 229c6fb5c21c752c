internal import AllocationHooks

/// Counts the heap allocations that a closure makes, so that "allocates nothing" is a test.
///
/// Counts repeat where times do not. They are those of the calling thread: other tests may run at
/// the same time, and what the closure hands to other threads is not counted.
///
/// ```swift
/// let made = AllocationCounter.allocations { histogram.record(42) }
/// #expect(made.count == 0)
/// ```
public enum AllocationCounter {
  /// What was asked of the heap.
  public struct Allocations: Hashable, Sendable {
    /// Calls of `malloc` and its kin, whatever was freed again; a `realloc` is one.
    public var count: Int
    /// The bytes they asked for.
    public var bytes: Int
  }

  /// Whether allocations are counted at all; not under a sanitizer. Tests that need the counts say
  /// `.enabled(if: AllocationCounter.isAvailable)`.
  public static var isAvailable: Bool { rouse_allocation_hooks_are_active() }

  /// The allocations of this thread while `body` ran.
  public static func allocations<Failure: Error>(
    during body: () throws(Failure) -> Void
  ) throws(Failure) -> Allocations {
    let count = rouse_allocation_count()
    let bytes = rouse_allocation_bytes()
    try body()
    return Allocations(
      count: Int(truncatingIfNeeded: rouse_allocation_count() &- count),
      bytes: Int(truncatingIfNeeded: rouse_allocation_bytes() &- bytes))
  }
}
