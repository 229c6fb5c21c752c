import Foundation
import Testing
import WakeTestSupport

/// `rouse-bench check` with unknown metrics.
@Suite("rouse-bench check")
struct BenchCheckTests {
  @Test("instructions that could not be counted are reported, and fail if strict")
  func uncounted() throws {
    let shop = try Workshop()
    try writeBars(#"{"simulatedInstructions":1000000}"#, in: shop)
    // No valgrind is found there, and one that fails is found here.
    try shop.writeProgram("#!/bin/sh\nexit 7\n", to: "valgrind")
    // Containers may forbid addresses that stay the same.
    _ = try shop.shell("mkdir bin")
    try shop.writeProgram("#!/bin/sh\nexit 5\n", to: "bin/setarch")
    for (path, reason) in [
      ("/nowhere", "valgrind is not installed"),
      ("\(shop.path):/usr/bin:/bin", "valgrind ended with status 7"),
      ("\(shop.path)/bin:\(shop.path):/usr/bin:/bin", "valgrind ended with status 7"),
    ] {
      let call = ["check", "--thresholds", "bars.json", "--instructions"]
      func check(_ options: String...) throws -> RouseCommand.Result {
        try BenchCommand.run(call + options, folder: shop.path, environment: ["PATH": path])
      }
      let lax = try check()
      #expect(lax.status == .exited(0), "\(lax.errors)")
      #expect(
        lax.errors.contains("unknown: simulatedInstructions of backoff: \(reason)"),
        "\(lax.errors)")
      #expect(lax.output.contains("1 unknown"), "\(lax.output)")
      #expect(try check("--strict").status == .exited(3))
      let write = try BenchCommand.run(
        ["check", "backoff", "--instructions", "--write", "new.json"], folder: shop.path,
        environment: ["PATH": path])
      #expect(write.status == .exited(1), "bars without instructions")
      #expect(write.errors.contains("new.json: not written, as instructions of backoff"))
      #expect(write.errors.contains(reason), "\(write.errors)")
      #expect(!shop.files.contains("new.json"))
    }
  }

  /// Writes bars of `backoff` for this build, with something replaced in them.
  private func writeBars(
    _ counters: String, in shop: Workshop, _ text: String = "", _ other: String = ""
  ) throws {
    let run = try BenchCommand.run(["run", "backoff", "--seconds", "0.01", "--json"]).json()
    func fact(_ object: String, _ key: String) throws -> String {
      let value = try #require(run[object]?[key]?.string)
      return "\"\(key)\":\"\(value)\""
    }
    let facts = [
      try fact("build", "compiler"), try fact("build", "configuration"),
      try fact("build", "compression"), try fact("machine", "architecture"),
    ]
    let bars = """
      {"schemaVersion":1,\(facts.joined(separator: ",")),"tolerances":{},
      "benchmarks":{"backoff":{"counters":\(counters)}}}
      """
    try shop.write(text.isEmpty ? bars : bars.replacing(text, with: other), to: "bars.json")
  }

  @Test("a benchmark of which nothing is held against a bar cannot be told")
  func nothingHeld() throws {
    let shop = try Workshop()
    // Instructions are not asked for.
    try writeBars(#"{"simulatedInstructions":1}"#, in: shop)
    let call = ["check", "--thresholds", "bars.json"]
    let lax = try BenchCommand.run(call, folder: shop.path)
    #expect(lax.status == .exited(0), "\(lax.errors)")
    #expect(
      lax.errors.contains(
        "unknown: result of backoff: none of its metrics was compared with a threshold"),
      "\(lax.errors)")
    #expect(try BenchCommand.run(call + ["--strict"], folder: shop.path).status == .exited(3))
  }

  @Test("thresholds of several files have to be of one build, with one set of tolerances")
  func severalFiles() throws {
    let shop = try Workshop()
    for (name, tolerances) in [("a", "{}"), ("b", #"{"allocations":0.5}"#)] {
      try shop.write(
        #"{"schemaVersion":1,"compiler":"","tolerances":\#(tolerances),"benchmarks":{}}"#,
        to: name)
    }
    let result = try BenchCommand.run(
      ["check", "--thresholds", "a", "--thresholds", "b"], folder: shop.path)
    #expect(
      result.errors
        == "rouse-bench: b: is of a different build than the others, or has different tolerances\n")
  }

  @Test("findings are in the JSON, beside the run")
  func findings() throws {
    let shop = try Workshop()
    try shop.write(
      """
      {"schemaVersion":1,"compiler":"","tolerances":{},"benchmarks":
      {"backoff":{"digest":"0000000000000000","counters":{"allocations":0,"bytesPerEvent":1}}}}
      """, to: "bars.json")
    let result = try BenchCommand.run(
      ["check", "--thresholds", "bars.json", "--json"], folder: shop.path)
    #expect(result.status == .exited(2), "\(result.errors)")
    let findings = try result.json()["findings"]?.elements ?? []
    let told = findings.map { "\($0["what"]?.string ?? "") \($0["outcome"]?.string ?? "")" }
    #expect(told == ["digest regression", "allocations fine", "bytesPerEvent unknown"])
    #expect(findings.allSatisfy { $0["benchmark"]?.string == "backoff" })
    #expect(findings.first?["message"]?.string?.contains("instead of 0000000000000000") == true)
    // It is a run for all that.
    #expect(try result.json()["results"]?.elements.first?["name"]?.string == "backoff")
  }

  @Test("times of a baseline from another machine are not compared, which is told in a line")
  func otherMachine() throws {
    let shop = try Workshop()
    func bench(_ arguments: String...) throws -> RouseCommand.Result {
      try BenchCommand.run(arguments, folder: shop.path)
    }
    let saved = try bench("baseline", "save", "b", "backoff", "budget-window", "--seconds", "0.05")
    #expect(saved.status == .exited(0), "\(saved.errors)")
    let file = ".rouse-bench/b.json"
    let text = String(decoding: try shop.read(file), as: UTF8.self)
    // On such a machine everything took no time at all.
    let other = text.replacing(/"processors" : [0-9]+/, with: "\"processors\" : 1000")
      .replacing(/"processorNanoseconds" : [0-9]+/, with: "\"processorNanoseconds\" : 1")
    // Not every system tells the name of its processor, but each tells how many it has.
    #expect(other.contains("\"processors\" : 1000") && !text.contains("\"processors\" : 1000"))
    try shop.write(other, to: file)
    let check = try bench("check", "--baseline", "b")
    #expect(check.status == .exited(0), "\(check.output) \(check.errors)")
    let lines = check.errors.split(separator: "\n").filter { $0.contains("another machine") }
    #expect(lines.count == 1, "\(check.errors)")
    #expect(
      lines.first?.contains("unknown: time of backoff, budget-window: the thresholds are of")
        == true)
    #expect(check.output.contains(" 0 worse, 2 unknown"), "\(check.output)")
    #expect(try bench("check", "--baseline", "b", "--strict").status == .exited(3))
    // What is exact is compared all the same.
    try shop.write(other.replacing(/"digest" : "[^"]*"/, with: "\"digest\" : \"1\""), to: file)
    #expect(try bench("check", "--baseline", "b").status == .exited(2))
  }

  @Test("errors of the folder of baselines are told in a line")
  func folders() throws {
    let shop = try Workshop()
    try shop.write("", to: "file")
    for call in [
      ["baseline", "list"], ["baseline", "save", "x", "backoff"], ["baseline", "show", "x"],
      ["baseline", "delete", "x"], ["check", "--baseline", "x"],
    ] {
      let result = try BenchCommand.run(call + ["--folder", "file"], folder: shop.path)
      #expect(result.status == .exited(1), "\(call)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(call): \(result.errors)")
      #expect(!result.errors.contains("NSCocoa"), "\(call): \(result.errors)")
    }
  }
}
