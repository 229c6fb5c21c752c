import Foundation
import Testing
import WakeTestSupport

@Suite("Compressed inputs are opened as they come")
struct CompressedInputTests {
  /// The programs that compress, where they are installed.
  private static let compressors = ["gzip", "xz", "zstd"].filter(OtherPrograms.has)

  @Test("whatever their names, from files and pipes", arguments: compressors)
  func programs(program: String) throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3_000), as: "plain")
    try shop.write(AppleHealthExport.text, to: "export.xml")
    try shop.write(Workshop.policy, to: "policy.json")
    let result = try shop.shell(
      """
      set -e
      pack() { \(program) -c <"$1"; }
      pack plain.jsonl >lines.txt; pack plain.wtrace >trace.zip; pack export.xml >export.json
      pack policy.json >policy
      "$ROUSE" import jsonl lines.txt -o 1.wtrace; pack plain.jsonl | "$ROUSE" import jsonl - -o 2.wtrace
      cmp plain.wtrace 1.wtrace; cmp plain.wtrace 2.wtrace
      "$ROUSE" import apple-health export.json -o 3.wtrace; "$ROUSE" info 3.wtrace | grep -q 'save 2$'
      digest() { "$ROUSE" replay "$@" | grep Digest; }
      digest plain.wtrace --policy policy.json >expected
      digest trace.zip --policy policy | cmp - expected
      digest - --policy policy <trace.zip | cmp - expected
      cat trace.zip | digest - --policy policy | cmp - expected
      "$ROUSE" recover trace.zip -o 4.wtrace; digest 4.wtrace --policy policy | cmp - expected
      """)
    #expect(result.status == .exited(0), "\(result.output) \(result.errors)")
  }

  @Test("or told in one line what is wrong with them", arguments: compressors)
  func cutShort(program: String) throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3_000), as: "plain")
    let made = try shop.shell(
      """
      set -e
      for file in plain.jsonl plain.wtrace; do
        \(program) -c $file >whole; head -c $(($(wc -c <whole) - 20)) whole >$file.cut
      done
      """)
    try #require(made.status == .exited(0), "\(made.errors)")
    for line in [
      "import jsonl plain.jsonl.cut -o out.wtrace", "replay plain.wtrace.cut",
      "import jsonl - -o out.wtrace <plain.jsonl.cut",
    ] {
      let result = try shop.shell("\"$ROUSE\" \(line)")
      #expect(result.status == .exited(1), "\(line)")
      let name =
        line.hasSuffix("<plain.jsonl.cut")
        ? "standard input" : line.contains("import") ? "plain.jsonl.cut" : "plain.wtrace.cut"
      let start =
        program == "gzip"
        ? "rouse: \(name): is cut short: its gzip stream does not end"
        : "rouse: \(name): cannot be decompressed: \(program) failed: "
      let end = line.contains("import") ? "; copy, download or export it again\n" : "\n"
      #expect(result.errors.hasPrefix(start), "\(line): \(result.errors)")
      #expect(result.errors.hasSuffix(end), "\(line): \(result.errors)")
      #expect(result.errors.count { $0 == "\n" } == 1, "\(line): \(result.errors)")
      #expect(!shop.files.contains("out.wtrace"), "\(line)")
    }
  }

  @Test("also where they expand to more than any memory")
  func bombs() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(10), as: "plain")
    // Members of a megabyte, as gzip(1) joins them.
    let made = try shop.shell(
      """
      set -e
      head -c 1048576 /dev/zero | gzip -9 >1; for i in 1 2 3 4 5 6 7 8 9 10; do cat 1 1 >2; mv 2 1; done
      (gzip -c plain.wtrace; cat 1) >trace
      """)
    try #require(made.status == .exited(0), "\(made.errors)")
    for (line, message) in [
      ("import jsonl 1 -o out", "1:1: the line is longer than 8388608 bytes"),
      (
        "import apple-health 1 -o out",
        "1:1: no XML, so no Apple Health export: text before the first tag"
      ),
      ("info 1", "1: byte 0: a gzip member that is not a trace block begins here"),
      (
        "info trace",
        "trace: has more than 200 times its length when decompressed, which no trace has: decompress "
          + "it yourself if it is one"
      ),
    ] {
      let result = try shop.shell("ulimit -v 500000; \"$ROUSE\" \(line)")
      #expect(result.errors == "rouse: \(message)\n", "\(line)")
      #expect(result.status == .exited(1), "\(line)")
    }
  }

  @Test("unless the program for that is not installed", arguments: ["xz", "zstd"])
  func missingProgram(program: String) throws {
    let shop = try Workshop()
    let magic: [UInt8] =
      program == "xz" ? [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0] : [0x28, 0xB5, 0x2F, 0xFD]
    try shop.write(magic + [0, 0], to: "lines")
    let result = try RouseCommand.run(
      ["import", "jsonl", "lines", "-o", "out"], folder: shop.path,
      environment: ["PATH": shop.path])
    let package = program == "xz" ? "xz-utils (or xz)" : program
    #expect(
      result.errors
        == "rouse: lines: is compressed by \(program), and the program \(program) that decompresses "
        + "it is not installed: install \(package)\n")
    #expect(result.status == .exited(1))
  }

  @Test("and the program ends with the command")
  func interrupt() throws {
    let shop = try Workshop()
    // Blank lines without end.
    try shop.writeProgram("#!/bin/sh\necho $$ >pid\nexec yes ''\n", to: "xz")
    try shop.write([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], to: "lines")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let command = try RouseCommand.start(
      ["import", "jsonl", "lines", "-o", "out"], folder: shop.path,
      environment: ["PATH": "\(shop.path):\(path)"])
    func program() -> Int32? {
      (try? String(contentsOfFile: shop.path + "/pid", encoding: .utf8))
        .flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
    let deadline = Date(timeIntervalSinceNow: 20)
    while program() == nil, Date() < deadline { usleep(1_000) }
    let process = try #require(program(), "\(command.errorsSoFar)")
    #expect(kill(process, 0) == 0)
    command.signal(SIGINT)
    #expect(try command.wait().status == .signalled(SIGINT))
    while kill(process, 0) == 0, Date() < deadline { usleep(1_000) }
    #expect(kill(process, 0) != 0, "process \(process) runs on")
    #expect(shop.files == ["lines", "pid", "xz"])
  }
}
