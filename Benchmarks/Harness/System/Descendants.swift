import BenchmarkModel
import Foundation
import Measurement

/// The processes that this one started, and those that they did: compilers lead groups of their own, which
/// a signal to the build does not reach, and would go on where it ended.
enum Descendants {
  /// Seconds within which the system ends what was killed.
  private static let patience = 10.0

  /// Ends all of them, also those that come to be meanwhile. Orphans are this process's children, see
  /// `rouse_adopt_orphans`, so none gets lost when its parent ends.
  static func endAll() {
    let deadline = MonotonicClock.now() + UInt64(patience * 1e9)
    while MonotonicClock.now() < deadline {
      let found = running()
      guard !found.isEmpty else { return }
      for process in found { kill(process, SIGKILL) }
      usleep(2_000)
    }
  }

  /// Those that have not ended; those that nobody has waited for yet have.
  private static func running() -> [Int32] {
    var children: [Int32: [Int32]] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let process = Int32(name), let parent = parent(of: process) else { continue }
      children[parent, default: []].append(process)
    }
    var found: [Int32] = []
    var rest = [getpid()]
    while let process = rest.popLast() {
      let own = children[process] ?? []
      found += own
      rest += own
    }
    return found
  }

  /// The parent of a process; nil if that has ended.
  private static func parent(of process: Int32) -> Int32? {
    // "17 (a name) S 4 …": the name may hold anything.
    guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat"),
      let end = data.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let words = String(decoding: data[(end + 1)...], as: UTF8.self).split(separator: " ")
    guard words.count > 1, words[0] != "Z", words[0] != "X" else { return nil }
    return Int32(words[1])
  }
}
