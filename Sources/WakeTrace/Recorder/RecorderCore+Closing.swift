import CSystem
import Glibc

// The end of a recording.
extension RecorderCore {
  func close() throws(TraceError) {
    guard isOwn else { return letGo() }
    let handles: [UInt64]? = rings.withLock { rings in
      if rings.isClosed { return nil }
      rings.isClosed = true
      return rings.handles.compactMap(\.self)
    }
    guard let handles else { return }
    for handle in handles { ProducerCells.set(ProducerCell.State.closed, handle) }
    // Now a call either sees that the recorder closes, or is seen here to be under way.
    if Self.hasBarrier { rouse_barrier_in_all_threads() } else { usleep(10_000) }
    let all = rings.withLock { $0.all }
    for ring in all {
      while ring.words.acquire(RingLayout.Ring.reserved)
        > ring.words.acquire(RingLayout.Ring.head)
      {
        sched_yield()
      }
    }
    var removal: TraceError?
    let failure: TraceError? = taking.withLockOverWrites { taking in
      taking.isEnded = true
      do throws(TraceError) {
        try write(&taking, isDue: true, isLast: true)
        taking.failure = nil
      } catch let error {
        taking.failure = error
      }
      let output = taking.output.take()
      output?.removeIfEmpty()
      removal = output?.takeRemoval()
      return taking.failure
    }
    abandonProducers()
    if let failure { throw failure }
    if options.trace != nil || options.mode == .overwrite { SystemCalls.remove(file.path) }
    // All that there still was is written.
    if let removal { throw removal }
  }

  /// Gives back the memory that this process, which was forked off, shares with its parent.
  private func letGo() {
    // A thread that is only in the parent may have had the lock.
    rings.withLockIfFree { rings in
      for ring in rings.all { ring.letGo() }
    }
    file.letGo()
  }

  /// Closes the producers that are left, in whose calls other threads may be.
  ///
  /// Nothing that those record is kept: they see that the recorder is closed, or find no cell.
  private func abandonProducers() {
    rings.withLock { rings in
      for place in rings.handles.indices {
        guard let handle = rings.handles[place] else { continue }
        ProducerCells.abandon(handle)
        rings.handles[place] = nil
      }
    }
  }

  /// Lets calls of producers that are under way when this ends do no harm.
  func keepAddresses() {
    rings.withLock { rings in
      for ring in rings.all { ring.keepAddresses() }
    }
    file.keepAddresses()
  }
}
