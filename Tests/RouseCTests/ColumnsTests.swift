import Foundation
import Testing
import WakeTestSupport

/// Tables as columns, through `rouse_columns.h`.
@Suite("Columns for other languages")
struct ColumnsTests {
  private static let traces = ["watch-day", "pushes", "three-strikes", "fleet"]

  @Test("C: every table, every byte, released in every order", arguments: traces)
  func tables(name: String) throws {
    let workshop = try ComponentWorkshop()
    let trace = ComponentWorkshop.package.appending(path: "Traces/\(name)").path
    let policy = trace + ".policy.json"
    let output = try workshop.compileAndRun(
      ["Resources/columns.c"], compiler: ["clang", "-std=c11", "-pedantic"],
      [trace + ".wtrace", policy])
    let lines = output.split(separator: "\n").map { $0.split(separator: " ") }
    try #require(lines.map(\.first) == ["wakes", "items", "waits", "samples"])
    for line in lines {
      let options = line[0] == "samples" ? [] : ["--policy", policy]
      let table = try workshop.run(
        [
          ComponentWorkshop.command, "export", "csv", trace + ".wtrace", "--table", String(line[0]),
        ] + options)
      #expect(Int(line[1]) == table.split(separator: "\r\n").count - 1, "\(line[0])")
    }
  }

  @Test("C++ takes the header")
  func plusPlus() throws {
    let workshop = try ComponentWorkshop()
    let source = workshop.file("a.cpp")
    try "#include <rouse_columns.h>\nint main() { rouse_table_close(nullptr); }\n".write(
      toFile: source, atomically: true, encoding: .utf8)
    let include = URL(filePath: ComponentWorkshop.header).deletingLastPathComponent().path
    try workshop.run([
      "clang++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I", include, source,
      ComponentWorkshop.library, "-Wl,-rpath,\(ComponentWorkshop.built)", "-o", workshop.file("a"),
    ])
    try workshop.run([workshop.file("a")])
  }
}
