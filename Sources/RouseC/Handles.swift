import CRouse
import WakeRecorder
import WakeTrace

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

  static func recorder(_ handle: UInt64) -> Recorder? {
    tables.withLock { $0.recorders[handle] }
  }

  /// Removes a recorder.
  static func removeRecorder(_ handle: UInt64) -> Recorder? {
    tables.withLock { $0.recorders.removeValue(forKey: handle) }
  }

  /// Removes the producers of a closed recorder; other threads' calls may be under way.
  static func removeProducers(of recorder: Recorder) {
    let left = tables.withLock { tables in
      let left = tables.producers.filter { $0.value === recorder }
      for handle in left.keys { tables.producers[handle] = nil }
      return left
    }
    if !left.isEmpty { recorder.keepAddresses() }
  }

  /// Adds a producer; false if its recorder was closed meanwhile.
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

/// Runs code with a recorder, and turns an error into a code.
func attempt(
  _ handle: UInt64, _ body: (Recorder) throws(TraceError) -> Int32
) -> Int32 {
  attempt { () throws(TraceError) in
    guard let recorder = Handles.recorder(handle) else { return fail(ROUSE_CLOSED) }
    guard recorder.isOwn else { return fail(ROUSE_FORKED) }
    return try body(recorder)
  }
}

/// Runs code inside the `ForkGate`, and turns an error into a code.
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

/// Returns a code, after setting the last error to a message, by default the code's text.
func fail(_ code: Int, _ message: String? = nil) -> Int32 {
  LastError.set(unsafe message ?? String(cString: CodeTexts.text(Int32(code))))
  return Int32(code)
}

/// A text from C; nil if it is not valid UTF-8.
func text(_ pointer: UnsafePointer<CChar>) -> String? {
  unsafe String(validatingCString: pointer)
}
