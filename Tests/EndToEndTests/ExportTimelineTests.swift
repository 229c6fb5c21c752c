import Testing
import WakeTestSupport

@Suite("export perfetto and chrome")
struct ExportTimelineTests {
  private static let lines = """
    {"t":1000000000000,"k":"enable","app":"app","type":"T0","frequency":"immediate"}
    {"t":1005000000001,"device":"watch","k":"save","type":"T0","source":"S"}
    {"t":1005000000002,"k":"save","type":"T0","source":"S"}
    {"t":1006000000000,"k":"save","type":"T0","source":"S"}
    {"t":1050000000000,"k":"complete","app":"app"}\n
    """

  @Test("write the same to a file and to standard output, and tell what is in it")
  func files() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "trace")
    for (format, first) in [
      ("perfetto", "\n"), ("chrome", "{\"displayTimeUnit\":\"ns\",\"otherData\":{"),
    ] {
      let told = "5 slices, 1 flow, 2 counter values on 5 tracks\n"
      let written = try shop.rouse("export", format, "trace.wtrace", "-o", "out")
      #expect(written.status == .exited(0) && written.output == "", "\(format)")
      #expect(written.errors.hasSuffix("rouse: out: \(told)"), "\(written.errors)")
      let bytes = try shop.read("out")
      #expect(bytes.starts(with: first.utf8), "\(format)")
      let printed = try shop.shell("\"$ROUSE\" export \(format) trace.wtrace > printed")
      #expect(printed.errors.hasSuffix("rouse: standard output: \(told)"), "\(printed.errors)")
      #expect(try shop.read("printed") == bytes, "\(format)")
      let piped = try shop.shell(
        "(\"$ROUSE\" export \(format) trace.wtrace 2> told; echo $? >&2) | head -c 1 | wc -c")
      #expect(piped.errors == "0\n" && piped.output.hasPrefix("1"), "\(format): \(piped.errors)")
    }
    let none = try shop.rouse(
      "export", "perfetto", "trace.wtrace", "--app", "apt", "--device", "wotch", "-o", "none")
    #expect(none.status == .exited(0))
    #expect(
      none.errors == """
        rouse: no input has the device 'wotch'; the nearest: 'watch'
        rouse: the replay knows no app 'apt'
        rouse: none: 0 slices, 0 flows, 0 counter values on 0 tracks

        """, "\(none.errors)")
  }

  @Test("are refused where they would be of no use")
  func refusals() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "trace")
    for (arguments, message) in [
      (["perfetto"], "perfetto requires a trace"),
      (["trace.wtrace", "--app", "app"], "--app requires perfetto or chrome: "),
      (["csv", "trace.wtrace", "--table", "wakes", "--device", "watch"], "--device requires perf"),
      (["trace.wtrace", "--policy", "ios"], "--policy requires csv, perfetto or chrome: "),
      (["chrome", "trace.wtrace", "-o", "trace.wtrace"], "'trace.wtrace' is an input and cannot"),
    ] {
      let refused = try RouseCommand.run(["export"] + arguments, folder: shop.path)
      #expect(refused.status == .exited(64) && refused.output == "", "\(arguments)")
      #expect(refused.errors.hasPrefix("rouse: \(message)"), "\(refused.errors)")
    }
    try shop.importing(
      "{\"t\":-1,\"k\":\"save\",\"type\":\"T0\",\"source\":\"S\"}\n", as: "early")
    let early = try shop.rouse("export", "perfetto", "early.wtrace", "-o", "out")
    #expect(early.status == .exited(1))
    #expect(
      early.errors.hasPrefix("rouse: early.wtrace: begins at 1969-12-31T23:59:59.999999999Z, and "),
      "\(early.errors)")
    #expect(!shop.files.contains("out"))
    try shop.write("\"$ROUSE\" export perfetto trace.wtrace", to: "line.sh")
    let shown = try shop.shell("script -qec 'sh line.sh' /dev/null < /dev/null")
    guard !shown.output.isEmpty else {
      print("SKIPPED: there is no terminal to be had from 'script': \(shown.errors)")
      return
    }
    #expect(
      shown.output.hasPrefix("rouse: a Perfetto trace is binary and not written to a terminal"),
      "\(shown.output)")
  }
}
