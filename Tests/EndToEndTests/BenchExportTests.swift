import Foundation
import Testing
import WakeTestSupport

/// `rouse-bench export` and `profile`, on a benchmark that is quick even without optimisation.
@Suite("rouse-bench export and profile")
struct BenchExportTests {
  private func bench(_ arguments: String..., folder: String) throws -> RouseCommand.Result {
    try RouseCommand.start(arguments, program: BenchCommand.path, folder: folder).wait()
  }

  private func text(_ file: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
  }

  @Test("a run is told in each format, at once or later")
  func formats() throws {
    let scratch = try ScratchFolder()
    let made = try bench(
      "run", "backoff", "--seconds", "0.01", "-o", "run.json", "--export", "go=run.go",
      "--export=html=run.html", folder: scratch.path)
    #expect(made.status == .exited(0), "\(made.errors)")
    let beginnings = [
      "json": "{\n", "google": "{\n  \"context\" : {\n", "go": "goos: linux\n",
      "github": "[\n  {\n    \"name\" : \"backoff\",\n    \"unit\" : \"ns/strike\",\n",
      "markdown": "# Benchmarks\n", "html": "<!DOCTYPE html>\n",
    ]
    for (format, beginning) in beginnings {
      let told = try bench("export", format, "run.json", folder: scratch.path)
      #expect(told.status == .exited(0), "\(format): \(told.errors)")
      #expect(told.output.hasPrefix(beginning), "\(format): \(told.output.prefix(100))")
      let written = try bench("export", format, "run.json", "-o", "again", folder: scratch.path)
      #expect(written.status == .exited(0) && written.output == "", "\(format)")
      #expect(try text(scratch.file("again")) == told.output, "\(format)")
      let piped = try RouseCommand.start(
        ["-c", "cat run.json | \"$0\" export \(format) /dev/stdin", BenchCommand.path],
        program: "/bin/sh", folder: scratch.path
      ).wait()
      #expect(piped.output == told.output, "\(format): \(piped.errors)")
      // Nothing is lost on the way through the file.
      guard format == "go" || format == "html" || format == "json" else { continue }
      #expect(try text(scratch.file("run.\(format)")) == told.output, "\(format)")
    }
  }

  @Test("what cannot be exported is refused in a line")
  func refusals() throws {
    let scratch = try ScratchFolder()
    _ = try bench("run", "backoff", "--seconds", "0.01", "-o", "run.json", folder: scratch.path)
    let calls: [([String], RouseCommand.Status, String)] = [
      (["export", "png", "run.json"], .exited(64), "unknown format 'png'; use one of json"),
      (["export", "go", "run.json", "run.json"], .exited(64), "only html takes two files"),
      (["export", "go", "run.json", "--side", "left"], .exited(64), "neither before nor after"),
      (["run", "backoff", "--export", "go"], .exited(64), "'go' is not like FORMAT=FILE"),
      (["export", "html", "run.json", "run.json"], .exited(1), "run.json: is a second run"),
      (["export", "hdr", "run.json"], .exited(1), "the run has no latencies"),
      (
        ["export", "go", "nowhere.json"], .exited(1),
        "nowhere.json: cannot be read (No such file or directory)"
      ), (["export", "go", "."], .exited(1), ".: cannot be read (Is a directory)"),
      (["profile", "nothing"], .exited(1), "no benchmark is named 'nothing'"),
    ]
    for (call, status, message) in calls {
      let result = try RouseCommand.start(call, program: BenchCommand.path, folder: scratch.path)
        .wait()
      #expect(result.status == status, "\(call): \(result.errors)")
      #expect(result.errors.contains(message), "\(call): \(result.errors)")
    }
  }

  @Test("what is no FIFO of perf's is not written over")
  func perfFile() throws {
    let shop = try Workshop()
    try shop.write("something long", to: "file")
    let result = try BenchCommand.run(
      ["profile", "backoff", "--seconds", "0.01", "--perf-control", "file"], folder: shop.path)
    #expect(result.status == .exited(1))
    #expect(result.errors == "rouse-bench: perf control: file: is not a FIFO\n")
    #expect(try shop.read("file") == Array("something long".utf8))
  }

  @Test("a file of another schema is refused")
  func schema() throws {
    let scratch = try ScratchFolder()
    try Data(#"{"schemaVersion": 99}"#.utf8).write(to: URL(filePath: scratch.file("new.json")))
    let result = try bench("export", "markdown", "new.json", folder: scratch.path)
    #expect(result.status == .exited(1))
    #expect(result.errors.contains("new.json: schema version 99, only version 1 is supported"))
  }

  @Test("a profile switches perf on once, for the region alone")
  func profile() throws {
    let scratch = try ScratchFolder()
    let perf = #"""
      mkfifo control answers
      exec 3<>control 4<>answers
      for command in 1 2; do read -r line <&3; echo "$line"; printf 'ack\n\0' >&4; done > told &
      "$0" profile backoff --seconds 0.01 --perf-control control,answers || exit 1
      wait
      """#
    let result = try RouseCommand.start(
      ["-c", perf, BenchCommand.path], program: "/bin/sh", folder: scratch.path
    ).wait()
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output.hasPrefix("backoff: "), "\(result.output)")
    #expect(result.output.contains("/strike, in "), "\(result.output)")
    #expect(try text(scratch.file("told")) == "enable\ndisable\n")
  }
}
