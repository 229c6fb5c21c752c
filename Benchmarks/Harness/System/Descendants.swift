import BenchmarkModel
import Foundation
import Measurement

/// The processes that this one started, with their descendants: compilers lead process groups of their own, which a
/// signal to the build does not reach.
enum Descendants {
  /// Seconds within which a killed process ends.
  private static let patience = 10.0

  /// Kills all of them, including those started meanwhile. Orphans become children of this process (see
  /// `rouse_adopt_orphans`), so none is missed when its parent ends.
  static func endAll() {
    let deadline = MonotonicClock.now() + UInt64(patience * 1e9)
    while MonotonicClock.now() < deadline {
      let found = running()
      guard !found.isEmpty else { return }
      for process in found { kill(process, SIGKILL) }
      usleep(2_000)
    }
  }

  /// Those that have not ended. A zombie counts as ended.
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

  /// The parent of a process; nil if the process has ended.
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
