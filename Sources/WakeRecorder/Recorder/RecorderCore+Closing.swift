import CSystem
import Glibc
import WakeTrace

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
    for handle in handles { cells.set(ProducerCell.State.closed, handle) }
    // After the barrier, a call either sees the state, or its reservation is visible here.
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
    // Everything left is written.
    if let removal { throw removal }
  }

  /// In a forked child: unmaps the memory that is shared with the parent.
  private func letGo() {
    // A thread that exists only in the parent may have held the lock.
    rings.withLockIfFree { rings in
      for ring in rings.all { ring.letGo() }
    }
    file.letGo()
  }

  /// Closes the producers that are left. Calls of other threads that are under way record nothing: they see that the
  /// recorder is closed, or find no cell.
  private func abandonProducers() {
    rings.withLock { rings in
      for place in rings.handles.indices {
        guard let handle = rings.handles[place] else { continue }
        cells.abandon(handle)
        rings.handles[place] = nil
      }
    }
  }

  /// Keeps the addresses mapped for calls of producers that are under way.
  func keepAddresses() {
    rings.withLock { rings in
      for ring in rings.all { ring.keepAddresses() }
    }
    file.keepAddresses()
  }
}
