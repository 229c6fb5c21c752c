import Foundation
import Testing
import WakeTestSupport
import WakeTrace

/// The component that keeps samples in SQLite, whose trace is a golden one.
@Suite("A component with SQLite")
struct SQLiteTests {
  private static let isThere = FileManager.default.fileExists(atPath: "/usr/include/sqlite3.h")

  /// Samples of each type and source that were saved and not deleted, as the component prints them.
  private func left(_ lines: String) -> String {
    var counts: [String: Int] = [:]
    for line in lines.split(separator: "\n") {
      guard
        let match = line.firstMatch(
          of: /"k":"(save|delete)","type":"([^"]*)","source":"([^"]*)"/)
      else { continue }
      counts["\(match.2) \(match.3)", default: 0] += match.1 == "save" ? 1 : -1
    }
    return counts.filter { $0.value != 0 }.map { "\($0.key) \($0.value)\n" }.sorted().joined()
  }

  @Test(
    "records what is committed and nothing else, and its golden trace",
    .enabled(if: isThere, "needs SQLite's header: apt-get install libsqlite3-dev"))
  func capture() throws {
    let workshop = try ComponentWorkshop()
    let trace = workshop.file("a.wtrace")
    let printed = try workshop.compileAndRun(
      ["Examples/sqlite_component.c", "Examples/sqlite_store.c"],
      compiler: ["clang", "-std=c11", "-pedantic"], libraries: ["-lsqlite3"],
      [workshop.file("store.db"), trace])
    let exported = try workshop.export(trace)
    #expect(try workshop.verification("a.wtrace").isWhole)
    // The table is what its recording adds up to: nothing of what was rolled back, all that was deleted.
    #expect(left(exported) == printed)
    #expect(printed.split(separator: "\n").count == 6)
    // Not the bytes, as streams have random ids.
    let golden = ComponentWorkshop.package.appending(path: "Traces/sqlite-store.wtrace").path
    #expect(try workshop.export(golden) == exported)
  }
}
