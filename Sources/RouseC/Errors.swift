import CRouse
import Glibc
import WakeImport
import WakeRecorder
import WakeTrace

/// Why a call from C is refused.
struct Refusal: Error {
  var code: Int
  var message: String?

  static let closed = Refusal(
    code: Int(ROUSE_CLOSED),
    message: "no recorder or producer of this process is open with the handle")

  static func argument(_ message: String) -> Refusal {
    Refusal(code: Int(ROUSE_INVALID_ARGUMENT), message: message)
  }
}

/// Runs code inside the `ForkGate`, and turns an error into a code. A thread that is cancelled meanwhile ends after it,
/// as it would leave locks and descriptors behind.
func attempt(_ body: () throws -> Void) -> Int32 {
  withoutCancellation { ForkGate.pass { code(body) } }
}

/// Runs code, and turns an error into a code and the last error.
func code(_ body: () throws -> Void) -> Int32 {
  do {
    try body()
    return 0
  } catch let refusal as Refusal {
    return fail(refusal.code, refusal.message)
  } catch let error as ImportError {
    return fail(CodeTexts.code(ofPolicy: error), "\(error)")
  } catch {
    return fail((error as? TraceError).map(CodeTexts.code) ?? ROUSE_IO, "\(error)")
  }
}

/// Runs code during which the thread is not cancelled.
func withoutCancellation<Result>(_ body: () -> Result) -> Result {
  var state: Int32 = 0
  unsafe pthread_setcancelstate(Int32(PTHREAD_CANCEL_DISABLE), &state)
  defer { pthread_setcancelstate(state, nil) }
  return body()
}

/// Returns a code, after setting the last error to a message, by default the code's text.
func fail(_ code: Int, _ message: String? = nil) -> Int32 {
  LastError.set(unsafe message ?? String(cString: CodeTexts.text(Int32(code))))
  return Int32(code)
}

/// A text from C; nil if there is none.
func optionalText(_ pointer: UnsafePointer<CChar>?) throws(Refusal) -> String? {
  guard let pointer = unsafe pointer else { return nil }
  guard let text = unsafe String(validatingCString: pointer) else {
    throw Refusal(code: Int(ROUSE_INVALID_TEXT))
  }
  return text
}

/// Static texts of the codes.
enum CodeTexts {
  private static let texts: [Int32: StaticString] = [
    0: "recorded", 1: "recorded in memory, but the trace could not be written",
    2: "lost, as the ring is full", 3: "the handle is closed or invalid",
    4: "the handle belongs to the process that this one was forked off",
    5: "the call interrupted another one of the same producer",
    6: "the event is too large for the ring or a trace", 7: "a name's number is unknown",
    8: "a time is out of range", 9: "a number is not finite or out of range",
    20: "an argument is null, or has an invalid size or value",
    21: "a text is not valid UTF-8 or JSON",
    22: "no room: a name is too long, or there are too many names or producers",
    23: "a file cannot be opened, read or written",
    24: "another recorder writes the trace, or a ring is overwritten faster than it can be copied",
    25: "the existing file is no trace, or is damaged; or the ring file was cut short",
  ]

  static func text(_ code: Int32) -> UnsafePointer<CChar> {
    unsafe pointer(to: texts[code] ?? "unknown code")
  }

  static func pointer(to text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  static func code(ofPolicy error: ImportError) -> Int {
    switch error.code {
    case .unreadable: ROUSE_IO
    case .invalidJSON, .zip, .empty: ROUSE_INVALID_TEXT
    default: ROUSE_INVALID_ARGUMENT
    }
  }

  static func code(_ error: TraceError) -> Int {
    switch error.code {
    case .closed: 3
    case .unknownName: 7
    case .invalidOption, .sameDeviceHash: 20
    case .tooLarge: 22
    case .inUse: 24
    case .notATrace, .truncated, .damaged, .malformed, .unknownVersion: 25
    default: 23
    }
  }
}

/// The message of each thread's last failure.
enum LastError {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key) { unsafe free($0) }
    return key
  }()

  static func set(_ text: String) {
    unsafe free(pthread_getspecific(key))
    unsafe _ = pthread_setspecific(key, strdup(text))
  }

  static var text: UnsafePointer<CChar> {
    guard let text = unsafe pthread_getspecific(key) else {
      return unsafe CodeTexts.pointer(to: "no error")
    }
    return unsafe UnsafePointer(text.assumingMemoryBound(to: CChar.self))
  }
}
