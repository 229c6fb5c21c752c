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

  /// Asks the processor to fetch an object that has a scheduler, given by its address.
  package static func prefetch(objectAt address: UInt) {
    unsafe kernels_prefetch(
      UnsafeRawPointer(bitPattern: address), MemoryLayout<SchedulerCore>.size + 128)
  }
}
