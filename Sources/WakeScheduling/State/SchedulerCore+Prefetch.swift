import CKernels

// Devices whose events are interleaved: each has a run of a few rows, and then the next one. Its state has left the
// processor's caches since its last run, so it is asked for while those before it are scheduled.
extension SchedulerCore {
  /// Asks the processor to fetch what most runs of saves use; ``prefetch(_:)`` has fetched the rest before.
  // Mutating for speed alone: for another call the compiler moves the whole struct through memory.
  package mutating func prefetch() {
    coalescer.typeCounts.prefetch()
    coalescer.furtherObserved.prefetch()
    coalescer.subscriptions.prefetch()
    apps.prefetch()
    timers.prefetch()
  }

  /// Asks the processor to fetch what most runs of saves touch of an object that begins with a scheduler, or with up to 48
  /// bytes and then a scheduler, given by its address.
  package static func prefetch(objectAt address: UInt) {
    unsafe kernels_prefetch(UnsafeRawPointer(bitPattern: address), touchedBytes)
  }

  /// From the object's beginning up to the first arrays of the coalescer.
  private static var touchedBytes: Int { 448 }
}
