import Foundation
import Testing
import WakeTestSupport

/// Files that `rouse-bench` writes, and damaged files that it reads.
@Suite("rouse-bench's files")
struct BenchFileTests {
  private static let quick = ["run", "backoff", "--seconds", "0.01"]

  @Test("what is no regular file is written to, and a link stays one")
  func specialFiles() throws {
    let shop = try Workshop()
    let bench = "'\(BenchCommand.path)' \(Self.quick.joined(separator: " "))"
    // A FIFO that somebody reads.
    let fifo = try shop.shell("mkfifo pipe; cat pipe > got & \(bench) -o pipe; wait; test -p pipe")
    #expect(fifo.status == .exited(0), "\(fifo.errors)")
    #expect(String(decoding: try shop.read("got"), as: UTF8.self).hasSuffix("}\n"))
    // Standard output, which goes to a file: behind what is there, before what follows, without the table.
    for path in ["-", "/dev/stdout", "/proc/self/fd/1"] {
      let both = try shop.shell(
        "{ echo first; \(bench) -o \(path); echo last; } > both; test ! -L both")
      #expect(both.status == .exited(0), "\(both.errors)")
      let text = String(decoding: try shop.read("both"), as: UTF8.self)
      #expect(
        text.hasPrefix("first\n{\n") && text.hasSuffix("\n}\nlast\n"), "\(text.suffix(500))")
      #expect(both.errors.contains("\nbenchmark "), "the table is missing: \(both.errors)")
    }
    // A link, to a file and to one that is not there yet.
    let link = try shop.shell(
      """
      mkdir there; echo old > there/file; ln -s there/file link; ln -s there/new other
      \(bench) -o link --export go=other && test -L link && test -L other && test -s there/new
      """)
    #expect(link.status == .exited(0), "\(link.errors)")
    #expect(String(decoding: try shop.read("there/file"), as: UTF8.self).hasPrefix("{\n"))
    #expect(!shop.files.contains { $0.hasSuffix(".partial") })
  }

  @Test("unwritable files and unfit formats are refused before the measurement")
  func refusedEarly() throws {
    let scratch = try ScratchFolder()
    // Would take minutes.
    let long = ["run", "replay/events/100000000", "coalescer"]
    let calls: [([String], RouseCommand.Status, String)] = [
      (long + ["-o", "nowhere/run.json"], .exited(1), "nowhere/run.json: cannot be written"),
      (long + ["-o", scratch.path], .exited(1), "\(scratch.path): is a folder"),
      (long + ["-o", "run.html"], .exited(64), "run.html would be json; by its name it is html"),
      (long + ["--export", "go=run.json"], .exited(64), "run.json would be go; by its name it is"),
      (
        ["run", "coalescer", "--export", "hdr=a.hgrm"], .exited(64),
        "hdr needs latencies, and none of these benchmarks measures them"
      ),
      (
        ["run", "replay", "--long", "--export", "hdr=a.hgrm"], .exited(64),
        "hdr holds the latencies of one benchmark, and"
      ),
      (
        ["run", "long", "--export", "hdr=a.hgrm"], .exited(64),
        "hdr holds the latencies of one benchmark, and"
      ),
      (
        ["compare", "this", "this", "--export", "google=a.json"], .exited(64),
        "google holds one build, and a comparison has two"
      ),
      (
        ["compare", "this", "this", "--export", "hdr=a.hgrm"], .exited(64),
        "hdr needs latencies, and a comparison has none"
      ),
      (
        long + ["-o", "a.json", "--export", "google=./a.json"], .exited(64),
        "./a.json is also to be written as json"
      ),
      (
        long + ["-o", "-", "--export", "go=/dev/stdout"], .exited(64),
        "/dev/stdout is also to be written as json"
      ),
      (long + ["-o", "-", "--json"], .exited(64), "--json and a file that is standard output"),
      (
        ["compare", "this", "this", "replay/events", "-o", "a.json"], .exited(1),
        "nothing is left of replay/events: by default this command leaves out the tags long, scaling,"
      ),
      (
        ["baseline", "save", "x", "replay/events/100000000", "--folder", "/proc/none"], .exited(1),
        "/proc/none: cannot be created as a folder"
      ),
    ]
    for (call, status, message) in calls {
      let result = try BenchCommand.run(call, folder: scratch.path)
      #expect(result.status == status, "\(call): \(result.errors)")
      #expect(result.errors.contains(message), "\(call): \(result.errors)")
    }
  }

  @Test("where a file cannot be written, what was measured is printed and the other files are")
  func fullDisk() throws {
    let shop = try Workshop()
    for command in [
      Self.quick, ["compare", "this", "this", "backoff", "--seconds", "0.1", "--rounds", "1"],
    ] {
      let result = try BenchCommand.run(
        command + ["-o", "/dev/full", "--export", "csv=kept.csv"], folder: shop.path)
      #expect(result.status == .exited(1), "\(command)")
      #expect(result.output.contains("\nbackoff "), "\(command): \(result.output)")
      #expect(result.errors.contains("/dev/full: cannot be written"), "\(result.errors)")
      #expect(String(decoding: try shop.read("kept.csv"), as: UTF8.self).contains("backoff,"))
      // Nor is a file lost with standard output.
      let unprinted = try shop.shell(
        "rm kept.csv; '\(BenchCommand.path)' \(command.joined(separator: " ")) --export csv=kept.csv "
          + "> /dev/full")
      #expect(unprinted.status == .exited(1), "\(command)")
      #expect(unprinted.errors.contains("standard output cannot be written"))
      #expect(String(decoding: try shop.read("kept.csv"), as: UTF8.self).contains("backoff,"))
    }
    _ = try shop.shell("mkdir .rouse-bench; ln -s /dev/full .rouse-bench/b.json")
    let saved = try BenchCommand.run(
      ["baseline", "save", "b", "backoff", "--seconds", "0.01", "--force"], folder: shop.path)
    #expect(saved.status == .exited(1))
    #expect(saved.output.contains("\nbackoff "), "\(saved.output) \(saved.errors)")
  }

  @Test("a run of nothing replaces no file")
  func nothingMeasured() throws {
    let shop = try Workshop()
    try shop.write("old", to: "keep.json")
    for command in [
      ["run", "replay/data/vcpkg", "-o", "keep.json"],
      ["compare", "this", "this", "replay/data/vcpkg", "--rounds", "1", "-o", "keep.json"],
      ["check", "replay/data/vcpkg", "backoff", "--write", "keep.json"],
    ] {
      let result = try BenchCommand.run(
        command, folder: shop.path, environment: ["ROUSE_ROOT": "/nowhere"])
      #expect(result.status == .exited(1), "\(command)")
      #expect(result.errors.contains("no /nowhere/Traces"), "\(result.errors)")
      #expect(try shop.read("keep.json") == Array("old".utf8), "\(command)")
    }
  }

  @Test("a damaged or forged file is refused in a line that tells file and field")
  func hostileFiles() throws {
    let shop = try Workshop()
    let made = try BenchCommand.run(Self.quick + ["-o", "run.json"], folder: shop.path)
    #expect(made.status == .exited(0), "\(made.errors)")
    let text = String(decoding: try shop.read("run.json"), as: UTF8.self)
    let operations = try #require(text.firstMatch(of: /"operations" : [0-9]+/)?.output)
    let bars = #"{"schemaVersion":1,"compiler":"","tolerances":{},"benchmarks":{"backoff":"#
    let cases: [(String, String)] = [
      (
        text.replacing(operations, with: "\"operations\" : 0"),
        "results[0].samples[0].operations: 0 is not a count above 0"
      ),
      (
        text.replacing(operations, with: "\"operations\" : 1e30"),
        "results[0].samples[0].operations"
      ),
      (text.replacing(operations, with: "\"operations\" : {}"), "results[0].samples[0].operations"),
      (String(text.prefix(text.count / 2)), "is no"),
      (String(repeating: "[", count: 100_000), "is no"), ("", "is no"), ("\u{0}\u{1}", "is no"),
      ("{\"schemaVersion\": 9223372036854775807}", "schema version 9223372036854775807"),
    ]
    for (text, message) in cases {
      try shop.write(text, to: "bad.json")
      for call in [
        ["export", "html", "bad.json"], ["export", "go", "bad.json"],
        ["baseline", "save", "x", "--from", "bad.json"],
      ] {
        let result = try BenchCommand.run(call, folder: shop.path)
        #expect(result.status == .exited(1), "\(call) of \(text.prefix(80)): \(result.status)")
        #expect(result.errors.contains("bad.json: "), "\(call): \(result.errors)")
        #expect(result.errors.contains(message), "\(call): \(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(call): \(result.errors)")
      }
    }
    for (bar, field) in [
      (
        #"{"counters":{},"time":{"median":1,"lower":-1,"upper":1}}}}"#,
        "time.lower: -1.0 is not a time"
      ),
      (#"{"counters":{"allocations":"many"}}}}"#, "benchmarks.backoff.counters.allocations"),
      (
        #"{"counters":{"allocation":0}}}}"#,
        "benchmarks.backoff.counters: 'allocation' is unknown; known are allocations, "
      ),
      (#"{"Digest":"1","counters":{}}}}"#, "benchmarks.backoff: 'Digest' is unknown"),
      (#"{"counters":{}}},"tolerance":{}}"#, "'tolerance' is unknown"),
      (
        #"{"counters":{"allocations":-1}}}}"#, "counters.allocations: -1.0 is not a valid threshold"
      ),
    ] {
      try shop.write(bars + bar, to: "bars.json")
      let result = try BenchCommand.run(["check", "--thresholds", "bars.json"], folder: shop.path)
      #expect(result.status == .exited(1) && result.errors.contains(field), "\(result.errors)")
    }
  }
}
