import CRouse
import WakeRecorder
import WakeTrace

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
    23: "a file cannot be opened, read or written", 24: "another recorder writes the trace",
    25: "the existing file is no trace, or is damaged",
  ]

  static func text(_ code: Int32) -> UnsafePointer<CChar> {
    let text = texts[code] ?? "unknown code"
    return unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  static func code(_ error: TraceError) -> Int32 {
    switch error.code {
    case .closed: 3
    case .unknownName: 7
    case .invalidOption: 20
    case .tooLarge: 22
    case .inUse: 24
    case .notATrace, .truncated, .damaged, .malformed, .unknownVersion: 25
    default: 23
    }
  }
}
