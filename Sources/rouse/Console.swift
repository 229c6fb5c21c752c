import Glibc
import WakeTrace

/// Results on standard output, everything else on standard error.
enum Console {
  /// Prints a result.
  static func print(_ text: String) throws(TraceError) {
    let output = try FileOutput(path: "-")
    try output.write(Array(text.utf8))
    try output.commit()
  }

  /// Tells of a failure or of something odd.
  static func message(_ text: String) {
    write("rouse: \(text)\n")
  }

  static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
      bytes.removeFirst(count)
    }
  }

  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// `1 block`, `2 blocks`.
  static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
