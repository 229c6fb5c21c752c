import CRouse
import Glibc
import WakeTrace

/// The recorders behind handles.
enum Handles {
  private struct Tables {
    var recorders: [UInt64: Recorder] = [:]
    /// By the producer's handle, the recorder it belongs to.
    var producers: [UInt64: Recorder] = [:]
    var count: UInt64 = 0
  }

  /// A fork waits for it, so that the child finds it free.
  private static let tables: ThreadLock<Tables> = {
    pthread_atfork(
      { Handles.tables.lock() }, { Handles.tables.unlock() }, { Handles.tables.unlock() })
    return ThreadLock(Tables())
  }()
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

  static func removeRecorder(_ handle: UInt64) -> Recorder? {
    tables.withLock { $0.recorders.removeValue(forKey: handle) }
  }

  static func addProducer(_ handle: UInt64, of recorder: Recorder) {
    tables.withLock { $0.producers[handle] = recorder }
  }

  static func removeProducer(_ handle: UInt64) -> Recorder? {
    tables.withLock { $0.producers.removeValue(forKey: handle) }
  }
}

/// Does something with a recorder, and turns what it throws into a code.
func attempt(
  _ handle: UInt64, _ body: (Recorder) throws(TraceError) -> Int32
) -> Int32 {
  guard let recorder = Handles.recorder(handle) else { return fail(ROUSE_CLOSED) }
  return attempt { () throws(TraceError) in try body(recorder) }
}

/// Does something, and turns what it throws into a code.
func attempt(_ body: () throws(TraceError) -> Int32) -> Int32 {
  do throws(TraceError) {
    return try body()
  } catch let error {
    LastError.set(error.description)
    return CodeTexts.code(error)
  }
}

/// A code as it is returned, with its text as the last error.
func fail(_ code: Int) -> Int32 {
  LastError.set(unsafe String(cString: CodeTexts.text(Int32(code))))
  return Int32(code)
}

/// A text from C; nil if it is no UTF-8.
func text(_ pointer: UnsafePointer<CChar>) -> String? {
  unsafe String(validatingCString: pointer)
}
