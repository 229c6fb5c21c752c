import Testing
import WakeTestSupport

@Suite("Operands of several files")
struct ListOperandTests {
  /// Three traces of a device each, a policy, and lists of the traces.
  private func makeShop() throws -> Workshop {
    let shop = try Workshop()
    for device in ["a", "b", "c"] {
      try shop.importing(
        Workshop.saves(30, device: device)
          + #"{"t":9,"device":"\#(device)","k":"observed","app":"app","types":["T0"]}"# + "\n",
        as: device)
    }
    try shop.write(Workshop.policy, to: "policy.json")
    try shop.write("\u{FEFF}a.wtrace\nb.wtrace\r\n\n./c.wtrace", to: "list")
    return shop
  }

  @Test(
    "are taken from the lines of @LIST",
    arguments: [
      "verify", "info --json", "repack --by-device -o OUT && cat OUT", "export",
      "export csv --table samples", "export csv --table items --policy policy.json",
      "export chrome --policy policy.json", "export perfetto --policy policy.json",
      "sweep --policy policy.json -L carry due,always --csv",
      "report --policy policy.json -o -", "explain --policy policy.json --app app",
      "optimum --policy policy.json", "replay --policy policy.json --wakes -",
      "recover -o OUT --json && cat OUT", "diff --observed",
    ])
  func lists(call: String) throws {
    let shop = try makeShop()
    // Operands stand behind the words of the form, and those of an option at the end.
    let forms = ["export csv", "export chrome", "export perfetto", "diff --observed"]
    func run(_ operands: String) throws -> RouseCommand.Result {
      let start =
        forms.first(where: call.hasPrefix) ?? String(call.prefix(while: { $0 != " " }))
      let line = "$ROUSE \(start) \(operands)\(call.dropFirst(start.count))"
      return try shop.shell(line.replacing("OUT", with: "out"))
    }
    let each = call.hasPrefix("diff") ? "a.wtrace --observed b.wtrace --observed ./c.wtrace" : nil
    let named = try run(each ?? "a.wtrace b.wtrace ./c.wtrace")
    let listed = try run("@list")
    #expect(!named.outputBytes.isEmpty, "\(named.errors)")
    #expect(named.status == listed.status, "\(named.errors) \(listed.errors)")
    // Sweeps tell times of the clock, in messages alone as CSV.
    #expect(named.outputBytes == listed.outputBytes, "\(listed.errors)")
    let mixed = try run(each == nil ? "a.wtrace @rest" : "a.wtrace --observed @rest")
    #expect(mixed.status == .exited(1) && mixed.errors.contains("rouse: rest: "), "\(mixed.errors)")
  }

  @Test("are a file with @ before its name by ./@NAME, and no output")
  func names() throws {
    let shop = try makeShop()
    _ = try shop.shell("cp a.wtrace @a")
    for command in ["verify", "info", "export", "optimum", "recover -o out", "repack -o out"] {
      let direct = try shop.shell("$ROUSE \(command) ./@a")
      #expect(direct.status == .exited(0), "\(command): \(direct.errors)")
      let list = try shop.shell("$ROUSE \(command) @a")
      #expect(list.status == .exited(1), "\(command): \(list.errors)")
      #expect(list.errors.hasPrefix("rouse: a: cannot be opened"), "\(command): \(list.errors)")
    }
    for output in ["a.wtrace", "list"] {
      for command in [
        "repack --by-device", "export", "report", "optimum --curve", "sweep --html", "recover",
      ] {
        let option = command.contains("--curve") || command.contains("--html") ? "" : " -o"
        let list = "\(command)\(option) \(output)"
        let refused = try shop.shell("$ROUSE \(list) @list -- 2>&1")
        #expect(refused.status != .exited(0), "\(list): \(refused.output)")
        #expect(
          refused.output.contains("'\(output)' is an input and cannot be the output"),
          "\(list): \(refused.output)")
      }
    }
  }

  @Test(
    "take standard input once, by every command that takes several",
    arguments: [
      "replay - -", "info - -", "verify - - --json", "export - -", "export csv - - --table wakes",
      "repack --by-device - - -o out", "recover - - -o out", "split - - --parts 2 -o out",
      "merge - -", "index - -", "sweep - - -L carry due", "report - - -o out",
      "optimum - a.wtrace -", "explain - - --app app", "compare - -", "diff - -",
      "diff - --trace -",
      "diff --observed - --observed -", "replay - --policy -", "compare - --against -",
      "replay @dashes", "verify - @dash", "replay @- -",
      "diff - --trace @dash", "diff --observed @dashes", "diff a.wtrace --trace @dash --policy -",
      "check none.so a.wtrace --policy - --allow -", "check none.so - --allow -",
      "replay /dev/stdin -", "export - /dev/fd/0", "diff /proc/self/fd/0 --trace /dev/stdin",
      "verify @/dev/stdin -", "replay @/dev/fd/0 --policy -",
    ])
  func standardInput(call: String) throws {
    let shop = try makeShop()
    try shop.write("-\n-\n", to: "dashes")
    try shop.write("-\n", to: "dash")
    let result = try shop.shell("$ROUSE \(call) < a.wtrace")
    #expect(result.status == .exited(64), "\(result.output) \(result.errors)")
    #expect(
      result.errors.hasPrefix(
        "rouse: standard input is given twice, and can be read only once\n"),
      "\(result.errors)")
    #expect(result.output == "" && !shop.files.contains("out"))
  }

  @Test("and once it is read")
  func once() throws {
    let shop = try makeShop()
    let named = try shop.shell("$ROUSE export a.wtrace b.wtrace")
    #expect(try shop.shell("$ROUSE export - b.wtrace < a.wtrace").output == named.output)
    #expect(
      try shop.shell("printf 'a.wtrace\\nb.wtrace\\n' | $ROUSE export @-").output == named.output)
  }
}
