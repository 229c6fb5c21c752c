import CRouse
import WakeTrace

/// The recorders behind handles.
enum Handles {
  private struct Tables {
    var recorders: [UInt64: Recorder] = [:]
    /// By the producer's handle, the recorder it belongs to.
    var producers: [UInt64: Recorder] = [:]
    var count: UInt64 = 0
  }

  /// Reached inside the ``ForkGate`` alone, so that a child finds it free.
  private static let tables = ThreadLock(Tables())
  /// Marks recorders, so that one is never taken for a producer.
  private static let mark: UInt64 = 1 << 63

  static func add(_ recorder: Recorder) -> UInt64 {
    tables.withLock { tables in
      tables.count += 1
      tables.recorders[mark | tables.count] = recorder
      return mark | tables.count
    }
  }

  static func recorder(_ handle: UInt64) -> Recorder? {
    tables.withLock { $0.recorders[handle] }
  }

  /// Lets nobody find a recorder any more.
  static func removeRecorder(_ handle: UInt64) -> Recorder? {
    tables.withLock { $0.recorders.removeValue(forKey: handle) }
  }

  /// Lets go of the producers of a recorder that is closed; other threads may be in their calls.
  static func removeProducers(of recorder: Recorder) {
    let left = tables.withLock { tables in
      let left = tables.producers.filter { $0.value === recorder }
      for handle in left.keys { tables.producers[handle] = nil }
      return left
    }
    if !left.isEmpty { recorder.keepAddresses() }
  }

  /// Lets a producer be found, unless its recorder was closed meanwhile; whether it does.
  static func addProducer(_ handle: UInt64, of recorder: Recorder, _ owner: UInt64) -> Bool {
    tables.withLock { tables in
      guard tables.recorders[owner] != nil else { return false }
      tables.producers[handle] = recorder
      return true
    }
  }

  static func removeProducer(_ handle: UInt64) -> Recorder? {
    tables.withLock { $0.producers.removeValue(forKey: handle) }
  }
}

/// Does something with a recorder, and turns what it throws into a code.
func attempt(
  _ handle: UInt64, _ body: (Recorder) throws(TraceError) -> Int32
) -> Int32 {
  attempt { () throws(TraceError) in
    guard let recorder = Handles.recorder(handle) else { return fail(ROUSE_CLOSED) }
    guard recorder.isOwn else { return fail(ROUSE_FORKED) }
    return try body(recorder)
  }
}

/// Does something inside the ``ForkGate``, and turns what it throws into a code.
func attempt(_ body: () throws(TraceError) -> Int32) -> Int32 {
  ForkGate.pass {
    do throws(TraceError) {
      return try body()
    } catch let error {
      LastError.set(error.description)
      return CodeTexts.code(error)
    }
  }
}

/// A code as it is returned, with its text, or a better one, as the last error.
func fail(_ code: Int, _ message: String? = nil) -> Int32 {
  LastError.set(unsafe message ?? String(cString: CodeTexts.text(Int32(code))))
  return Int32(code)
}

/// A text from C; nil if it is no UTF-8.
func text(_ pointer: UnsafePointer<CChar>) -> String? {
  unsafe String(validatingCString: pointer)
}
