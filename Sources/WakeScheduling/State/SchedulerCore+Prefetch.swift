import CKernels

// Devices whose events are interleaved: each has a run of a few rows, and then the next one. Its state has left the
// processor's caches since its last run, so it is asked for while those before it are scheduled.
extension SchedulerCore {
  /// Asks the processor to fetch what most runs of saves use; ``prefetch(objectAt:behind:)`` has fetched where that is.
  // Mutating for speed alone: for another call the compiler moves the whole struct through memory.
  package mutating func prefetch() {
    coalescer.typeCounts.prefetch()
    coalescer.furtherObserved.prefetch()
    coalescer.subscriptions.prefetch()
    apps.prefetch()
    timers.prefetch()
  }

  /// Asks the processor to fetch what most runs of saves touch of an object that has a scheduler.
  ///
  /// - Parameters:
  ///   - address: The object's.
  ///   - bytes: The scheduler is behind so many bytes, which are fetched too.
  package static func prefetch(objectAt address: UInt, behind bytes: Int) {
    unsafe kernels_prefetch(UnsafeRawPointer(bitPattern: address), bytes + touchedBytes)
  }

  /// From the scheduler's beginning up to the end of the coalescer's ``Coalescer/furtherObserved``.
  static var touchedBytes: Int { 400 }
}
