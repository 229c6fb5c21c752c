import CRouse
import WakeRecorder

/// The recorders behind handles.
enum Handles {
  private struct Tables {
    var recorders: [UInt64: Recorder] = [:]
    /// By the producer's handle, the recorder it belongs to.
    var producers: [UInt64: Recorder] = [:]
    var count: UInt64 = 0
  }

  /// Accessed inside the `ForkGate` alone, so that it is free in a forked child.
  private static let tables = ThreadLock(Tables())
  /// The flag of recorders' handles, which producers' do not have.
  private static let mark: UInt64 = 1 << 63

  static func add(_ recorder: Recorder) -> UInt64 {
    tables.withLock { tables in
      tables.count += 1
      tables.recorders[mark | tables.count] = recorder
      return mark | tables.count
    }
  }

  /// The open recorder of this process that a handle stands for.
  static func recorder(_ handle: UInt64) throws(Refusal) -> Recorder {
    guard let recorder = tables.withLock({ $0.recorders[handle] }) else { throw .closed }
    guard recorder.core.isOwn else { throw Refusal(code: Int(ROUSE_FORKED)) }
    return recorder
  }

  static func removeRecorder(_ handle: UInt64) throws(Refusal) -> Recorder {
    let removed = tables.withLock { $0.recorders.removeValue(forKey: handle) }
    guard let removed else { throw .closed }
    return removed
  }

  /// Removes the producers of a closed recorder; other threads' calls may be under way.
  static func removeProducers(of recorder: Recorder) {
    let left = tables.withLock { tables in
      let before = tables.producers.count
      tables.producers = tables.producers.filter { $0.value !== recorder }
      return before - tables.producers.count
    }
    if left > 0 { recorder.core.keepAddresses() }
  }

  /// Adds a producer; false if its recorder was closed meanwhile.
  static func addProducer(_ handle: UInt64, of recorder: Recorder, _ owner: UInt64) -> Bool {
    tables.withLock { tables in
      guard tables.recorders[owner] != nil else { return false }
      tables.producers[handle] = recorder
      return true
    }
  }

  /// Removes a producer; returns its recorder.
  static func removeProducer(_ handle: UInt64) throws(Refusal) -> Recorder {
    let removed = tables.withLock { $0.producers.removeValue(forKey: handle) }
    guard let removed else { throw .closed }
    return removed
  }
}
