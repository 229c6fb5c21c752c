import Foundation
import Synchronization

/// What is in progress, on standard error: shown at once on a terminal, and elsewhere told in a line a minute, so that a
/// log shows that a long command goes on.
enum ProgressLines {
  private struct State {
    var text: String?
    var isStarted = false
  }

  private static let state = Mutex(State())
  private static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Seconds between two lines where there is no terminal.
  private static let interval: Double = {
    let text = ProcessInfo.processInfo.environment["ROUSE_PROGRESS"] ?? ""
    guard let seconds = Double(text), seconds > 0, seconds < 1e6 else { return 60 }
    return seconds
  }()

  /// Shows what is in progress; nil if nothing is.
  static func show(_ text: String?) {
    if isTerminal {
      Output.write("\r\u{1B}[K" + (text ?? ""), to: STDERR_FILENO)
      return
    }
    let isFirst = state.withLock { state in
      state.text = text
      defer { state.isStarted = true }
      return !state.isStarted
    }
    // It sleeps but for a moment a minute, so it does not disturb what is measured.
    if isFirst { Thread.detachNewThread { tell() } }
  }

  private static func tell() {
    let begin = Date.now
    while true {
      Thread.sleep(forTimeInterval: interval)
      let minutes = (Date.now.timeIntervalSince(begin) / 60).rounded(.down)
      guard let text = state.withLock({ $0.text }) else { continue }
      Output.message("\(text), since \(Int(minutes)) min")
    }
  }
}
