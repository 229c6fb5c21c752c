import BenchmarkModel
import Glibc
import Synchronization
import WakeEvents

/// Writes results to standard output and everything else to standard error.
enum Output {
  /// The descriptor of results: that of standard output, unless ``keepFromLibraries()`` has moved it.
  private static let results = Atomic<Int32>(STDOUT_FILENO)

  /// Moves results to a descriptor of their own and makes standard output standard error: what a library under test
  /// prints does not stand between the answers.
  static func keepFromLibraries() throws {
    let own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard own >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw BenchmarkFailure("standard output cannot be moved: \(reason())")
    }
    results.store(own, ordering: .relaxed)
  }

  /// Prints a result; ends the command if it cannot be written.
  static func print(_ text: String) {
    guard !write(text, to: results.load(ordering: .relaxed)) else { return }
    endUnprinted()
  }

  /// Ends the command since standard output cannot be written, for the reason in `errno`.
  static func endUnprinted() -> Never {
    if errno != EPIPE { message("standard output cannot be written: \(reason())") }
    exit(ExitStatus.failure.rawValue)
  }

  /// Prints a failure or a warning. Names in it cannot steer a terminal.
  static func message(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(
      "rouse-bench: \(lines.map { String($0).shown }.joined(separator: "\n"))\n", to: STDERR_FILENO)
  }

  /// Shows progress; nil removes it.
  static func progress(_ text: String?) { ProgressLines.show(text) }

  /// The reason why the last system call failed.
  static func reason() -> String { unsafe String(cString: strerror(errno)) }

  /// Writes a text; returns false and sets `errno` on failure.
  @discardableResult
  static func write(_ text: String, to file: Int32) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(file, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      bytes.removeFirst(count)
    }
    return true
  }

  /// Whether results are coloured: on a terminal, unless `NO_COLOR` is set.
  static var isColoured: Bool {
    guard isatty(STDOUT_FILENO) == 1 else { return false }
    guard let value = unsafe getenv("NO_COLOR") else { return true }
    return unsafe value.pointee == 0
  }

  /// Colours the verdicts, the last words of lines.
  static func coloured(_ table: String) -> String {
    guard isColoured else { return table }
    let colours: [(Verdict, Int)] = [(.slower, 31), (.faster, 32), (.inconclusive, 33)]
    return colours.reduce(table) { text, colour in
      text.replacing(
        " \(colour.0.rawValue)\n", with: " \u{1B}[\(colour.1)m\(colour.0.rawValue)\u{1B}[0m\n")
    }
  }

  /// Pads a text with spaces at its end.
  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// Pads a text with spaces at its beginning.
  static func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

/// A table whose first column is aligned left and whose others are aligned right. Its cells cannot steer a terminal.
struct Table {
  private var rows: [[String]]

  init(_ head: [String]) { rows = [head] }

  /// Whether it has nothing but its head.
  var isEmpty: Bool { rows.count == 1 }

  mutating func append(_ row: [String]) { rows.append(row.map(\.shown)) }

  /// The lines, each with a newline.
  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        column == 0
          ? Output.padded(cell, row.count == 1 ? 0 : widths[column])
          : Output.aligned(cell, widths[column])
      }.joined(separator: "  ") + "\n"
    }.joined()
  }
}
