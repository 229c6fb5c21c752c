import Foundation
import Testing
import WakeTestSupport

@Suite("explain")
struct ExplainTests {
  private static let strikes = PackageFolder.root.path() + "/Traces/three-strikes.wtrace"
  private static let day = PackageFolder.root.path() + "/Traces/iphone-day.wtrace"

  @Test("tells the longest waits, and what would change them")
  func longest() throws {
    let strikes = try RouseCommand.run(
      ["explain", Self.strikes, "--app", "com.example.run", "--longest", "1"])
    #expect(
      strikes.status == .exited(0) && strikes.errors.hasPrefix("rouse: no wake was answered"),
      "\(strikes.errors)")
    #expect(
      strikes.output == """
        com.example.run: 3 waits, 3 d 5 h in all, held by stopped 99.9 %, backoff 0.07 %, \
        unanswered 0.04 %

        HKQuantityTypeIdentifierActiveEnergyBurned waited 1 d 2 h
          2026-01-01T00:01:54.566Z  saved
          2026-01-01T00:01:54.566Z  wake 1 with 1 save
          2026-01-01T00:02:24.566Z  no answer after 30 s: the wake expires, 1 save comes back
          2026-01-01T00:02:24.566Z  held by backoff until 2026-01-01T00:03:24.566Z, 1 min
          2026-01-01T00:03:24.566Z  wake 5 with 1 save
          2026-01-01T00:03:54.566Z  no answer after 30 s: the wake expires, 1 save comes back
          2026-01-01T00:03:54.566Z  held by backoff until 2026-01-01T00:05:54.566Z, 2 min
          2026-01-01T00:05:54.566Z  wake 9 with 1 save (2 in all, of 2 types)
          2026-01-01T00:06:24.566Z  no answer after 30 s: the wake expires, 1 save comes back
          2026-01-01T00:06:24.566Z  held by stopped until 2026-01-02T01:44:15.776Z, 1 d 2 h
          2026-01-02T01:44:15.776Z  the last input: 690 saves still wait
          stopped held 99.7 % of it alone; --without stopped does not help: \
        no wake that carries it is answered; the app must call its completion handler in time
          unanswered held 0.1 % of it alone; --without unanswered a wake at \
        2026-01-01T00:01:54.566Z would have carried it for good\n
        """)
    let day = try RouseCommand.run([
      "explain", Self.day, "--policy", PackageFolder.root.path() + "/Traces/iphone-day.policy.json",
      "--app", "com.example.heart", "--longest=1",
    ])
    #expect(day.status == .exited(0) && day.errors == "", "\(day.errors)")
    #expect(
      day.output == """
        com.example.heart: 275 waits, 2 d 2 h in all, held by locked 99.3 %, backoff 0.71 %, \
        unanswered 0.27 %, inFlight 0.09 %

        HKQuantityTypeIdentifierBasalEnergyBurned waited 4 h 48 min
          2026-01-01T00:00:42.329Z  saved
          2026-01-01T00:00:42.329Z  held by locked until 2026-01-01T01:17:24.75Z, 1 h 17 min
          2026-01-01T01:17:24.75Z   held by locked and inFlight until 2026-01-01T01:17:27.436Z, \
        2.69 s
          2026-01-01T01:17:27.436Z  held by locked until 2026-01-01T02:00:00Z, 42 min 33 s
          2026-01-01T02:00:00Z      held by locked and inFlight until 2026-01-01T02:00:01.135Z, \
        1.14 s
          2026-01-01T02:00:01.135Z  held by locked until 2026-01-01T04:00:00Z, 2 h
          2026-01-01T04:00:00Z      held by locked and inFlight until 2026-01-01T04:00:01.185Z, \
        1.18 s
          2026-01-01T04:00:01.185Z  held by locked until 2026-01-01T04:49:07.704Z, 49 min 7 s
          2026-01-01T04:49:07.704Z  wake 73 with 130 saves (501 in all, of 3 types)
          2026-01-01T04:49:10.185Z  answered after 2.48 s
          locked held 100 % of it alone; --without locked would have woken 4 h 48 min sooner, \
        had the app answered each wake after its average of 1.7 s\n
        """)
  }

  /// A watch whose budget of a wake an hour keeps the second save back for 50 minutes.
  private static let lines = """
    {"t":0,"k":"enable","app":"app","type":"T","frequency":"immediate"}
    {"t":0,"k":"save","type":"T","source":"S"}
    {"t":600000000000,"k":"save","type":"T","source":"S"}
    {"t":7200000000000,"k":"unlock"}\n
    """
  private static let policy =
    #"{"preset":"watchos","caps":{"default":"immediate"},"behaviour":{"completesAfter":1}}"#

  @Test("finds what waited at a time or for a wake, as JSON, too")
  func chosen() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "trace")
    try shop.write(Self.policy, to: "policy.json")
    func explain(_ options: String...) throws -> RouseCommand.Result {
      try RouseCommand.run(
        ["explain", "trace.wtrace", "--app", "app", "--policy", "policy.json"] + options,
        folder: shop.path)
    }
    let story = """
      app: 2 waits, 50 min in all, held by budget 100 %

      T waited 50 min
        1970-01-01T00:10:00Z  saved
        1970-01-01T00:10:00Z  held by budget until 1970-01-01T01:00:00Z, 50 min
        1970-01-01T01:00:00Z  wake 2 with 1 save
        1970-01-01T01:00:01Z  answered after 1 s
        budget held 100 % of it alone; --without budget would have woken 50 min sooner\n
      """
    for options in [
      ["--wake", "2"], ["--at", "1970-01-01T00:30:00Z"], ["--at=1800000000000"],
      ["--at", "1970-01-01T00:30:00Z", "--type", "T"],
    ] {
      let result = try RouseCommand.run(
        ["explain", "trace.wtrace", "--app", "app", "--policy", "policy.json"] + options,
        folder: shop.path)
      let expected = options.contains("T") ? "app T" + story.dropFirst(3) : story
      #expect(result.output == expected, "\(options): \(result.errors)")
    }
    let json = try explain("--wake", "2", "--json").json()
    let told = try #require(json["stories"]?.elements.first)
    #expect(told["since"] == .integer(600_000_000_000))
    #expect(told["changes"]?.elements.first?["sooner"] == .integer(3_000_000_000_000))
    #expect(told["wakes"]?.elements.first?["outcome"] == .string("completed"))
    #expect(json["reasons"]?["budget"]?["alone"] == .integer(3_000_000_000_000))
    let none = try explain("--at", "1970-01-01T01:30:00Z")
    #expect(
      none.output.contains("\nNothing waited at 1970-01-01T01:30:00Z.\n\nThe last wait before:\nT"))
  }

  @Test("does not call a wake a success that has no answer by the last input")
  func openWake() throws {
    let shop = try Workshop()
    let saved = """
      {"t":0,"k":"enable","app":"app","type":"T","frequency":"immediate"}
      {"t":0,"k":"save","type":"T","source":"S"}\n
      """
    func changes(end: Int64, policy: String) throws -> (text: [Substring], json: [JSONValue]) {
      try shop.importing(saved + #"{"t":\#(end),"k":"power","good":true}"#, as: "stopped")
      try shop.write(policy, to: "policy.json")
      let arguments = ["explain", "stopped.wtrace", "--app", "app", "--policy", "policy.json"]
      let told = try RouseCommand.run(arguments, folder: shop.path)
      let json = try RouseCommand.run(arguments + ["--json"], folder: shop.path).json()
      return (
        told.output.split(separator: "\n").filter { $0.contains("--without stopped") },
        (json["stories"]?.elements.first?["changes"]?.elements ?? [])
          .filter { $0["without"]?.elements == [.string("stopped")] }
      )
    }
    // With `stopped` lifted a wake begins each 30 s, and none is answered; an hour ends just as one begins, or 10 s before.
    for end in [3_600_000_000_000, 3_590_000_000_000] as [Int64] {
      let told = try changes(end: end, policy: #"{"backoffMax":0}"#)
      #expect(told.text.count == 1, "\(end): \(told.text)")
      #expect(
        told.text.first?.contains("does not help: no wake that carries it is answered") == true,
        "\(end): \(told.text)")
      #expect(told.json.first?["open"] == .bool(true), "\(end): \(told.json)")
    }
  }

  @Test("tells of a first wake that has no answer by the last input")
  func firstWakeOpen() throws {
    let shop = try Workshop()
    // The save waits for 20 s, less than a wake has to be answered.
    try shop.importing(
      """
      {"t":0,"k":"enable","app":"app","type":"T","frequency":"immediate"}
      {"t":0,"k":"lock"}
      {"t":1000000000,"k":"save","type":"T","source":"S"}
      {"t":20000000000,"k":"power","good":true}\n
      """, as: "locked")
    let told = try shop.rouse("explain", "locked.wtrace", "--app", "app")
    #expect(
      told.output.hasSuffix(
        "--without locked a wake at 1970-01-01T00:00:01Z would have carried it, "
          + "without an answer by the last input\n"), "\(told.output)")
  }

  /// A stopped app, launched after nine hours.
  private static let opened = """
    {"t":0,"k":"enable","app":"app","type":"T","frequency":"immediate"}
    {"t":60000000000,"k":"save","type":"T","source":"S"}
    {"t":32400000000000,"k":"launch","app":"app"}\n
    """

  @Test("tells what was delivered live, disabled or dropped before a wake carried it for good")
  func dropped() throws {
    let shop = try Workshop()
    try shop.importing(Self.opened, as: "opened")
    for options in [[], ["--wake", "1"], ["--at", "1970-01-01T00:10:00Z"]] {
      let told = try RouseCommand.run(
        ["explain", "opened.wtrace", "--app", "app"] + options, folder: shop.path)
      let lines = told.output.split(separator: "\n")
      #expect(told.status == .exited(0), "\(options): \(told.errors)")
      #expect(
        lines.prefix(2) == [
          "app: 0 waits",
          "and 1 delivered live at a launch before a wake, with 1 save and 8 h 59 min of waiting in all",
        ], "\(options): \(told.output)")
      #expect(
        lines.contains(
          "  1970-01-01T09:00:00Z  the app is launched: 1 save is delivered live"),
        "\(options): \(told.output)")
      #expect(told.output.contains("no answer after 30 s"), "\(options): \(told.output)")
    }
    let replay = try RouseCommand.run(
      ["replay", "opened.wtrace", "--waits", "waits.jsonl", "--json", "--no-latency"],
      folder: shop.path)
    let all = try replay.json()["waiting"]?["all"]
    #expect(all?["wakes"] == .integer(0) && all?["waitingAtEnd"] == .integer(0))
    let dropped = all?["dropped"]?["deliveredLive"]
    #expect(dropped?["waits"] == .integer(1) && dropped?["saves"] == .integer(1))
    #expect(dropped?["waited"] == .integer(32_340_000_000_000))
    try shop.write(replay.output, to: "result.json")
    let merged = try RouseCommand.run(["merge", "result.json", "--json"], folder: shop.path)
    #expect(try merged.json()["waiting"]?["all"]?["dropped"]?["deliveredLive"] == dropped)
  }

  @Test("has the sums of a replay with --waits", arguments: ["run", "sleep", "diary"])
  func sums(name: String) throws {
    let app = "com.example.\(name)"
    let told = try RouseCommand.run(["explain", Self.strikes, "--app", app, "--json"]).json()
    let replayed = try RouseCommand.run(
      ["replay", Self.strikes, "--waits", "/dev/null", "--json", "--no-latency"])
    let items = try replayed.json()["waiting"]?["items"]?.elements ?? []
    let parts = items.filter { $0["app"] == .string(app) }
    func total(_ path: String...) -> Int64 {
      parts.reduce(0) { sum, part in
        sum + (path.reduce(part as JSONValue?) { $0?[$1] }?.wholeNumber ?? 0)
      }
    }
    try #require(!parts.isEmpty)
    #expect(told["waits"] == .integer(total("waited", "count")))
    for reason in ["stopped", "backoff", "unanswered", "inFlight"] {
      for sum in ["any", "alone", "last"] {
        let found = told["reasons"]?[reason]?[sum]?.wholeNumber ?? 0
        #expect(found == total("reasons", reason, sum), "\(reason).\(sum)")
      }
    }
    for sum in ["waits", "saves", "waited"] {
      let found = told["dropped"]?["deliveredLive"]?[sum]?.wholeNumber ?? 0
      #expect(found == total("dropped", "deliveredLive", sum), "dropped.\(sum)")
    }
  }

  @Test("calls neither a launch nor a disable an answer")
  func withoutAnswer() throws {
    let start = """
      {"t":0,"k":"enable","app":"app","type":"X","frequency":"immediate"}
      {"t":0,"k":"enable","app":"app","type":"Y","frequency":"immediate"}
      {"t":0,"k":"lock"}
      {"t":5000000000,"k":"save","type":"X","source":"S"}\n
      """
    let unlock = #"{"t":10000000000,"k":"unlock"}"# + "\n"
    let disable = #"{"t":20000000000,"k":"disable","app":"app","type":"X"}"# + "\n"
    let launch = #"{"t":20000000000,"k":"launch","app":"app"}"# + "\n"
    let other = #"{"t":6000000000,"k":"save","type":"Y","source":"S"}"# + "\n"
    let end = #"{"t":600000000000,"k":"network","good":true}"# + "\n"
    let shop = try Workshop()
    for (name, text, line) in [
      ("one", start + unlock + disable, "the type is disabled after 10 s, without an answer"),
      (
        "two", start + other + unlock + disable,
        "the type is disabled before an answer; the wake is expired after 30 s"
      ),
      (
        "open", start + unlock + launch,
        "the app is launched after 10 s, which completes the wake"
      ),
    ] {
      try shop.importing(text + end, as: name)
      let told = try RouseCommand.run(
        ["explain", "\(name).wtrace", "--app", "app", "--type", "X"], folder: shop.path)
      #expect(told.output.contains("  " + line + "\n"), "\(name): \(told.output)\(told.errors)")
      #expect(!told.output.contains("average"), "\(name): \(told.output)")
    }
  }

  /// Lines of inputs at whole seconds.
  private static func inputs(_ lines: (second: Int, rest: String)...) -> String {
    lines.map { "{\"t\":\($0.second * 1_000_000_000),\($0.rest)}\n" }.joined()
  }

  @Test("puts no average answer in the place of one that is at once without inFlight")
  func averageAnswer() throws {
    let shop = try Workshop()
    let complete = #""k":"complete","app":"a""#
    try shop.importing(
      Self.inputs(
        (1, #""k":"save","type":"U","source":"s""#), (2, #""k":"save","type":"U","source":"s""#),
        (3, #""k":"save","type":"T","source":"s""#), (5, complete), (6, complete),
        (10, #""k":"unlock""#)), as: "in")
    try shop.write(
      #"""
      {"budget":{"window":3600,"limit":2,"limitWithoutComplication":2},"subscriptions":[
       {"app":"a","type":"T","frequency":"immediate"},{"app":"a","type":"U","frequency":"immediate"}]}
      """#, to: "policy.json")
    let told = try shop.rouse(
      "explain", "in.wtrace", "--policy", "policy.json", "--app", "a", "--type", "T")
    #expect(
      told.output.contains("--without inFlight no wake would have carried it"), "\(told.output)")
    #expect(!told.output.contains("average"), "\(told.output)")
  }

  @Test("has an app that answers each wake after its average, whatever the policy says of models")
  func averageOfEach() throws {
    let shop = try Workshop()
    let save = #""k":"save","type":"T","source":"s""#
    try shop.importing(
      Self.inputs(
        (0, save), (10, #""k":"complete","app":"a""#), (100, save), (5_000, #""k":"lock""#)),
      as: "in")
    try shop.write(
      #"""
      {"subscriptions":[{"app":"a","type":"T","frequency":"hourly"}],
       "behaviour":{"completesAfter":null,"coldStart":5,"ignoresEvery":2}}
      """#, to: "policy.json")
    let told = try shop.rouse(
      "explain", "in.wtrace", "--policy", "policy.json", "--app", "a", "--json")
    let changes = try told.json()["stories"]?.elements.flatMap { $0["changes"]?.elements ?? [] }
    let change = changes?.first { $0["without"]?.elements == [.string("period")] }
    #expect(change?["wake"] == .integer(100_000_000_000), "\(told.output)")
    #expect(change?["answersAfter"] == .integer(10_000_000_000), "\(told.output)")
  }

  @Test("tells of a push and of a disabled type what is known of their answers")
  func endings() throws {
    let shop = try Workshop()
    try shop.importing(
      Self.inputs((12, #""k":"push","app":"a","id":"p1""#), (90, #""k":"lock""#)), as: "push")
    let push = try shop.rouse("explain", "push.wtrace", "--app", "a")
    #expect(
      push.output.contains("no answer to all of it after 30 s: the wake is expired"),
      "\(push.output)\(push.errors)")
    try shop.importing(
      Self.inputs(
        (0, #""k":"enable","app":"a","type":"T","frequency":"immediate""#), (1, #""k":"lock""#),
        (2, #""k":"save","type":"T","source":"s""#), (7, #""k":"unlock""#),
        (8, #""k":"disable","app":"a","type":"T""#), (9, #""k":"lock""#)), as: "disabled")
    let told = try shop.rouse("explain", "disabled.wtrace", "--app", "a", "--json")
    let stories = try told.json()["stories"]?.elements ?? []
    #expect(stories.count == 1, "\(told.output)\(told.errors)")
    for story in stories { #expect(story["wake"] == .integer(1) && story["ending"] == nil) }
  }

  @Test("finds a refresh that comes sooner without a reason, which moves those after it")
  func refreshes() throws {
    // A wake each ten minutes uses the budget up, so that refreshes, due each hour, come late.
    let saves = (1..<30).map {
      #"{"t":\#($0 * 600_000_000_000),"k":"save","type":"T","source":"S"}"# + "\n"
    }
    let shop = try Workshop()
    try shop.importing(
      #"{"t":0,"k":"refreshInterval","app":"app","interval":3600}"# + "\n"
        + #"{"t":0,"k":"enable","app":"app","type":"T","frequency":"immediate"}"# + "\n"
        + saves.joined(), as: "refresh")
    try shop.write(
      #"{"preset":"watchos","budget":{"window":7200},"caps":{"default":"immediate"},"#
        + #""behaviour":{"completesAfter":1}}"#, to: "policy.json")
    let told = try RouseCommand.run(
      [
        "explain", "refresh.wtrace", "--app", "app", "--policy", "policy.json", "--at",
        "1970-01-01T03:59:00Z", "--json",
      ], folder: shop.path)
    let stories = try told.json()["stories"]?.elements ?? []
    let refresh = try #require(
      stories.first { $0["item"] == .string("refresh") }, "\(told.output)\(told.errors)")
    let change = refresh["changes"]?.elements.first {
      $0["without"]?.elements == [.string("budget")]
    }
    #expect(change?["sooner"]?.wholeNumber ?? 0 > 0, "\(told.output)")
  }

  @Test("says how many waits at a time it does not tell")
  func manyWaits() throws {
    let shop = try Workshop()
    let names = (0..<120).map { "T\($0)" }
    try shop.importing(
      #"{"t":0,"k":"lock"}"# + "\n"
        + names.map {
          #"{"t":0,"k":"enable","app":"app","type":"\#($0)","frequency":"immediate"}"# + "\n"
            + #"{"t":0,"k":"save","type":"\#($0)","source":"S"}"# + "\n"
        }.joined() + #"{"t":1000000000,"k":"network","good":true}"# + "\n", as: "many")
    let told = try RouseCommand.run(
      ["explain", "many.wtrace", "--app", "app", "--at", "1"], folder: shop.path)
    #expect(
      told.output.contains("\nTold are the 100 longest of 120 that match.\n"), "\(told.errors)")
    let other = try RouseCommand.run(
      ["explain", "many.wtrace", "--app", "app", "--type", "T1", "--wake", "1"], folder: shop.path)
    #expect(other.errors == "rouse: there is no wake 1\n")
  }

  @Test("tells what is not there, and the nearest")
  func mismatches() throws {
    let shop = try Workshop()
    try shop.importing(Self.lines, as: "trace")
    for (options, message) in [
      (["--app", "ap"], "no input or policy names the app 'ap'; the nearest: 'app'"),
      (["--app", "app", "--type", "X"], "nothing of type 'X' waited on 'app'; the nearest: 'T'"),
      (["--app", "app", "--device", "watch"], "no device is named 'watch'"),
      (
        ["--app", "app", "--wake", "7"],
        "there is no wake 7; the nearest wakes of 'app': 3"
      ),
    ] {
      let result = try RouseCommand.run(
        ["explain", "trace.wtrace"] + options, folder: shop.path)
      #expect(result.status == .exited(1) && result.output == "", "\(options)")
      #expect(result.errors.hasSuffix("rouse: \(message)\n"), "\(options): \(result.errors)")
    }
    for (options, message) in [
      ([], "--app is required"),
      (["--app", "app", "--at", "5", "--wake", "2"], "--at cannot be combined with --wake"),
      (["--app", "app", "--longest", "0"], "--longest: '0' is not a whole number from 1 to 100"),
    ] {
      let result = try RouseCommand.run(["explain", "trace.wtrace"] + options, folder: shop.path)
      #expect(result.status == .exited(64) && result.output == "", "\(options)")
      #expect(result.errors.hasPrefix("rouse: \(message)\n"), "\(result.errors)")
    }
  }
}
