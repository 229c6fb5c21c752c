import CSystem
import Glibc
import WakeTrace

// The end of a recording.
extension RecorderCore {
  /// For so long ``close()`` waits for calls that are under way. Another process may write anything to a ring file.
  private static let longestCall = Duration.seconds(10)

  func close() throws(TraceError) {
    guard isOwn else { return letGo() }
    let open: Rings? = rings.withLock { rings in
      if rings.isClosed { return nil }
      rings.isClosed = true
      return rings
    }
    guard let open else { return }
    for case let handle? in open.handles { cells.set(ProducerCell.State.closed, handle) }
    // After the barrier, a call either sees the state, or its reservation is visible here.
    if Self.hasBarrier { system_barrier_in_all_threads() } else { usleep(10_000) }
    let deadline = ContinuousClock.now + Self.longestCall
    for ring in open.all {
      func reserved() -> UInt64 {
        ring.words.acquire(RingLayout.Ring.reserved) &- ring.words.acquire(RingLayout.Ring.head)
      }
      // More than the capacity, or for long, is nothing that a producer of this process has reserved.
      while (1...ring.capacity).contains(reserved()),
        ring.words.load(RingLayout.Ring.isWhole) != 0, .now < deadline
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
      do throws(TraceError) {
        try taking.drain?.output.end()
      } catch let error {
        taking.failure = taking.failure ?? error
      }
      removal = taking.drain?.output.takeRemoval()
      return taking.failure
    }
    // Calls of other threads that are under way record nothing: they see that the recorder is closed, or find no cell.
    rings.withLock { rings in
      for case let handle? in rings.handles { cells.abandon(handle) }
      rings.handles = rings.handles.map { _ in nil }
    }
    if let failure { throw failure }
    // Everything is written, or there is nothing to write.
    let isNeeded = options.trace == nil && options.mode != .overwrite && !isUnused(open.all)
    if !isNeeded, !SystemCalls.remove(file.path) {
      throw .system("is not needed any more, and cannot be removed", file: file.path)
    }
    if let removal { throw removal }
  }

  /// Whether rings without a trace hold no event, have lost none, and no process is attached to them.
  private func isUnused(_ rings: [Ring]) -> Bool {
    rings.allSatisfy {
      $0.words.acquire(RingLayout.Ring.head) == 0 && $0.words.acquire(RingLayout.Ring.lostEnd) == 0
    } && !system_is_byte_locked(file.descriptor, RingFile.consumerLock)
  }

  /// In a forked child: unmaps the memory that is shared with the parent.
  private func letGo() {
    // A thread that exists only in the parent may have held the lock.
    rings.withLockIfFree { rings in
      for ring in rings.all { ring.region.letGo() }
    }
    file.front.letGo()
  }

  /// Keeps the rings' addresses mapped after this ends, for calls through the C API that may be under way. A
  /// ``Producer`` retains what it needs.
  package func keepAddresses() {
    for region in rings.withLock({ $0.all.map(\.region) }) + [file.front] {
      region.keepAddresses()
    }
  }
}
