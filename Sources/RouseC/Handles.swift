import CRouse
import Glibc
import Synchronization
import WakeRecorder
import WakeTrace

/// The recorders behind handles.
enum Handles {
  private struct Table {
    /// By the handle of a recorder or of one of its producers.
    var recorders: [UInt64: Recorder] = [:]
    var count: UInt64 = 0
  }

  /// Accessed inside the `ForkGate` alone, so that it is free in a forked child.
  private static let table = ThreadLock(Table())
  /// The flag of recorders' handles, which producers' do not have.
  private static let mark: UInt64 = 1 << 63

  static func add(_ recorder: Recorder) -> UInt64 {
    table.withLock { table in
      table.count += 1
      table.recorders[mark | table.count] = recorder
      return mark | table.count
    }
  }

  /// The open recorder of this process that a handle stands for.
  static func recorder(_ handle: UInt64) throws(Refusal) -> Recorder {
    guard handle & mark != 0, let recorder = table.withLock({ $0.recorders[handle] }) else {
      throw .closed
    }
    guard recorder.core.isOwn else { throw Refusal(code: Int(ROUSE_FORKED)) }
    return recorder
  }

  /// Closes what is open when the process exits; done once.
  static let closedAtExit: Int32 = atexit {
    SystemCalls.isExiting.store(true, ordering: .relaxed)
    let recorders = ForkGate.passBriefly {
      Handles.table.withLock { $0.recorders.keys.filter { $0 & Handles.mark != 0 } }
    }
    for handle in recorders { _ = rouse_close(handle) }
  }

  /// Removes the handle of a recorder, or else of a producer; returns the recorder.
  static func remove(_ handle: UInt64, isRecorder: Bool) throws(Refusal) -> Recorder {
    guard (handle & mark != 0) == isRecorder,
      let removed = table.withLock({ $0.recorders.removeValue(forKey: handle) })
    else { throw .closed }
    return removed
  }

  /// Removes the producers of a closed recorder; other threads' calls may be under way.
  static func removeProducers(of recorder: Recorder) {
    let left = table.withLock { table in
      let before = table.recorders.count
      table.recorders = table.recorders.filter { $0.value !== recorder }
      return before - table.recorders.count
    }
    if left > 0 { recorder.core.keepAddresses() }
  }

  /// Adds a producer; false if its recorder was closed meanwhile.
  static func addProducer(_ handle: UInt64, of recorder: Recorder, _ owner: UInt64) -> Bool {
    table.withLock { table in
      guard table.recorders[owner] != nil else { return false }
      table.recorders[handle] = recorder
      return true
    }
  }
}
