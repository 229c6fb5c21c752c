import Testing
import WakeEvents
import WakeTestSupport

@Suite("policy")
struct PolicyTests {
  @Test("lists every key with defaults, values, source and meaning")
  func keys() throws {
    let result = try RouseCommand.run(["policy", "keys"])
    #expect(result.output == Self.table)
    #expect(result.status == .exited(0) && result.errors == "")
  }

  @Test("tells the same as JSON")
  func keysAsJSON() throws {
    let keys = try RouseCommand.run(["policy", "keys", "--json"]).json().elements
    let lines = Self.table.split(separator: "\n").prefix { !$0.hasPrefix("caps of") }
    #expect(keys.count == lines.count - 1)
    for (key, line) in zip(keys, lines.dropFirst()) {
      guard case .string(let name)? = key["key"], case .string(let meaning)? = key["meaning"] else {
        Issue.record("\(key)")
        continue
      }
      #expect(line.hasPrefix("\(name.string) ") && line.hasSuffix("  \(meaning.string)"))
    }
    #expect(keys.first { $0["key"] == .string("budget.limit") }?["watchos"] == .integer(4))
    let budget = keys.first { $0["key"] == .string("budget") }
    #expect(budget?["ios"] == .null)
    #expect(
      budget?["watchos"]
        == (try JSONValue.parsing(
          #"{"window": 3600, "limit": 4, "limitWithoutComplication": 1}"#)))
    let behaviour = keys.first { $0["key"] == .string("behaviour") }
    #expect(
      behaviour?["ios"]
        == (try JSONValue.parsing(#"{"completesAfter": null, "coldStart": 0, "ignoresEvery": 0}"#)))
    #expect(keys.first { $0["key"] == .string("pushWindow") }?["unit"] == .string("s"))
  }

  @Test("knows no other verb")
  func otherVerbs() throws {
    let result = try RouseCommand.run(["policy", "values"])
    #expect(
      result.errors
        == "rouse: 'values' is not one of keys, show, check, new\nTry 'rouse policy --help'.\n")
    #expect(result.status == .exited(64) && result.output == "")
  }

  @Test(
    "wrong calls",
    arguments: [
      ("keys ios", "unexpected argument 'ios'"), ("show", "show requires a POLICY"),
      ("show ios --app a", "--app cannot be combined with show"),
      ("new --type T", "--app is required"), ("new --app a", "--type is required"),
      (
        "new --app a --type T:often",
        "--type: 'often' is not one of immediate, hourly, daily, weekly"
      ),
      ("new --app a --type T --preset x", "--preset: 'x' is not one of ios, watchos"),
      (
        "new --app a --type T --completes-after -1",
        "--completes-after: '-1' is not a duration such as 1, 250ms, 2m or 1d, from 0 to 10^9 seconds"
      ),
      (
        "new --app a --type T --type T:daily",
        "subscriptions[1] takes the place of subscriptions[0]: both subscribe a to T"
      ),
      (
        "new --app a --type HKCorrelationTypeIdentifierFood",
        "subscriptions[0]: HKCorrelationTypeIdentifierFood is rejected, as it is a correlation "
          + "(page Rules, 5.2); subscribe to the types of its samples"
      ),
      ("new --app a --type :daily", "subscriptions[0]: the type is empty"),
      ("new --app= --type T", "subscriptions[0]: the app is empty"),
      (
        "new --app a --type T --completes-after 30",
        "--completes-after: every wake would expire first, after 30 s"
      ),
      (
        "new --app a --type T --preset \u{1b}[31m",
        "--preset: '\\u{1b}[31m' is not one of ios, watchos"
      ),
    ])
  func wrongCalls(call: String, message: String) throws {
    let result = try RouseCommand.run(["policy"] + call.split(separator: " ").map(String.init))
    #expect(result.errors == "rouse: \(message)\nTry 'rouse policy --help'.\n")
    #expect(result.status == .exited(64) && result.output == "")
  }

  @Test("a new policy subscribes every app to every type, and answers")
  func new() throws {
    let shop = try Workshop()
    let steps = "HKQuantityTypeIdentifierStepCount"
    let made = try shop.rouse(
      "policy", "new", "--app", "a", "--app", "b", "--type", steps, "--type", "T0:hourly", "-o", "p"
    )
    #expect(
      made.errors.hasPrefix("rouse: a \(steps): immediate is hourly on ios (page Rules, 5.2)\n"))
    #expect(made.status == .exited(0))
    let policy = try JSONValue.parsing(String(decoding: try shop.read("p"), as: UTF8.self))
    #expect(policy["behaviour"]?["completesAfter"] == .integer(2))
    #expect(
      policy["subscriptions"]?.elements.map { $0["frequency"]?.string }
        == ["immediate", "hourly", "immediate", "hourly"])
    // It answers: a replay has nothing to remark on but the type that the trace lacks.
    try shop.importing(Workshop.saves(9, types: 1), as: "in")
    let replayed = try shop.rouse("replay", "in.wtrace", "--policy", "p", "--json")
    #expect(replayed.status == .exited(0))
    for (app, line) in zip(["a", "b"], replayed.errors.split(separator: "\n")) {
      #expect(
        line
          == "rouse: the policy subscribes \(app) to '\(steps)', which no save or delete has; there are: 'T0'"
      )
    }
    #expect(replayed.errors.split(separator: "\n").count == 2, "\(replayed.errors)")
    #expect(try replayed.json()["summary"]?["completed"] != .integer(0))
    // What is shown is read again as the same policy.
    try shop.write(try shop.rouse("policy", "show", "p", "--json").outputBytes, to: "shown")
    let again = try shop.rouse("policy", "show", "shown", "--json")
    #expect(try again.outputBytes == shop.read("shown") && again.status == .exited(0))
    let shown = try shop.rouse("policy", "show", "p")
    #expect(shown.output.contains("\nbehaviour.completesAfter"), "\(shown.output)")
    #expect(
      shown.output.contains("  a  \(steps)  hourly: immediate is hourly on ios"), "\(shown.output)")
    #expect(shown.output.contains("  b  T0  hourly\n"), "\(shown.output)")
  }

  @Test(
    "of many subscriptions on types that a trace does not have the first are told, and how many others"
  )
  func manyUnknown() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3, types: 1), as: "in")
    for (count, others) in [(21, nil), (22, "2"), (3_000, "2980")] {
      let subscriptions = (0..<count).map {
        "{\"app\":\"a\",\"type\":\"X\($0)\",\"frequency\":\"hourly\"}"
      }
      try shop.write(
        "{\"behaviour\":{\"completesAfter\":2},\"subscriptions\":[\(subscriptions.joined(separator: ","))]}",
        to: "p")
      let replayed = try shop.rouse("replay", "in.wtrace", "--policy", "p")
      let lines = replayed.errors.split(separator: "\n").filter { !$0.contains(" a X") }
      let last =
        others.map {
          "rouse: there are \($0) more subscriptions on types that no save or delete has"
        }
        ?? "rouse: the policy subscribes a to 'X20', which no save or delete has; there are: 'T0'"
      #expect(
        lines.count == 21 && lines.last.map(String.init) == last, "\(count): \(replayed.errors)")
      #expect(replayed.status == .exited(0), "\(count)")
    }
  }

  @Test("a check tells what a cap slows, what stands twice and what a trace does not have")
  func check() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3), as: "in")
    try shop.write(
      """
      {"preset":"watchos","caps":{"T1":"daily","T11":"daily"},"subscriptions":[
       {"app":"a","type":"T0","frequency":"immediate"},{"app":"a","type":"T1","frequency":"hourly"},
       {"app":"a","type":"T0","frequency":"weekly"},{"app":"a","type":"T00","frequency":"daily"}]}
      """, to: "p")
    let result = try shop.rouse("policy", "check", "p", "in.wtrace")
    #expect(
      result.errors == """
        rouse: subscriptions[2] takes the place of subscriptions[0]: both subscribe a to T0
        rouse: the policy subscribes a to 'T00', which no save or delete has; the nearest: 'T0'
        rouse: the policy caps 'T11', which no save or delete has; the nearest: 'T1'
        rouse: a T0: immediate is hourly on watchos (page Rules, 5.2)
        rouse: a T1: hourly is daily by caps.T1 (page Rules, 5.2)
        rouse: "behaviour.completesAfter" is null: only completions in a trace answer wakes

        """)
    #expect(result.status == .exited(1) && result.output == "")
    let good = try shop.rouse("policy", "check", "ios")
    #expect(good.status == .exited(0))
    let none = try shop.rouse("policy", "check", "IOS")
    #expect(
      none.errors
        == "rouse: IOS: cannot be opened: No such file or directory; the presets are ios, watchos\n"
    )
    #expect(none.status == .exited(1))
  }

  @Test("every command that takes a policy tells what stands twice in it")
  func twice() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3), as: "in")
    try shop.write(
      """
      {"subscriptions":[{"app":"a","type":"T0","frequency":"hourly"},
       {"app":"a","type":"T0","frequency":"daily"}],"behaviour":{"completesAfter":1}}
      """, to: "p")
    for command in ["replay", "explain --app a", "optimum", "export --table wakes csv"] {
      let result = try shop.shell("\"$ROUSE\" \(command) in.wtrace --policy p")
      #expect(
        result.errors
          == "rouse: subscriptions[1] takes the place of subscriptions[0]: both subscribe a to T0\n",
        "\(command)")
      #expect(result.status == .exited(0), "\(command)")
    }
  }

  @Test("an import tells that nothing answers wakes, and the key that does")
  func unansweredImports() throws {
    let shop = try Workshop()
    let enable = #"{"t":0,"k":"enable","app":"a","type":"T0","frequency":"hourly"}"#
    let complete = #"{"t":0,"k":"complete","app":"a","item":"T0"}"#
    for (before, advice) in [
      ("", "the inputs have neither subscriptions nor completions: a replay needs a policy with"),
      (enable + "\n", "the inputs have no completions: by a policy with"), (complete + "\n", nil),
    ] {
      let result = try shop.rouse(
        "import", "jsonl", "-", "-o", "out", stdin: Array((before + Workshop.saves(1)).utf8))
      let told = result.errors.split(separator: "\n").dropFirst()
      #expect(told.count == (advice == nil ? 0 : 1), "\(result.errors)")
      guard let advice, let line = told.first else { continue }
      #expect(line.hasPrefix("rouse: \(advice)"), "\(line)")
      #expect(line.contains("\"behaviour.completesAfter\""), "\(line)")
    }
  }

  @Test("a new policy does not replace another one")
  func keptPolicies() throws {
    let shop = try Workshop()
    func new(_ type: String) throws -> RouseCommand.Result {
      try shop.rouse("policy", "new", "--app", "a", "--type", type, "-o", "p")
    }
    #expect(try new("T").status == .exited(0))
    #expect(try new("T").status == .exited(0))
    let before = try shop.read("p")
    let other = try new("U")
    #expect(
      other.errors == "rouse: 'p' has other contents; remove it or name another file\n"
        + "Try 'rouse policy --help'.\n")
    #expect(try other.status == .exited(64) && shop.read("p") == before)
  }

  @Test("a name that matches nothing is told wherever it stands, and in each replay")
  func unmatchedNames() throws {
    let shop = try Workshop()
    let launch = #"{"t":0,"k":"launch","app":"com.heart"}"# + "\n"
    try shop.importing(launch + Workshop.saves(3), as: "in")
    try shop.write(
      """
      {"subscriptions":[{"app":"com.hart","type":"T0","frequency":"hourly"},
       {"app":"com.hart","type":"T00","frequency":"hourly"}],"caps":{"T11":"daily"},
       "behaviour":{"completesAfter":30}}
      """, to: "p")
    for call in [
      "replay", "optimum", "explain --app com.hart", "report -o page.html",
      "export csv --table apps", "export perfetto -o timeline",
    ] {
      let arguments = call.split(separator: " ").map(String.init)
      let result = try RouseCommand.run(
        arguments + ["in.wtrace", "--policy", "p"], folder: shop.path)
      // Some tell what they wrote, too.
      #expect(
        result.errors.contains(
          """
          rouse: the policy subscribes com.hart to 'T00', which no save or delete has; the nearest: 'T0'
          rouse: the policy caps 'T11', which no save or delete has; the nearest: 'T1'
          rouse: no input names the policy's app 'com.hart'; the nearest: 'com.heart'
          rouse: no wake was answered: the inputs have no completions, and in the policy \
          "behaviour.completesAfter" is not less than "completionTimeout"; 'rouse policy new' writes a \
          policy that answers

          """), "\(call)")
    }
    // An empty range between two inputs, and deletes that nobody hears of.
    for call in ["replay", "query"] {
      let result = try shop.rouse(
        call, "in.wtrace", "--from", "1970-01-01T00:00:01.5Z", "--to", "1970-01-01T00:00:01.6Z")
      #expect(
        result.errors.contains("nothing is within --from and --to: the inputs are"), "\(call)")
    }
    try shop.importing(#"{"t":0,"k":"delete","type":"T","source":"S"}"# + "\n", as: "deletes")
    let deletes = try shop.rouse("replay", "deletes.wtrace")
    #expect(deletes.errors.hasPrefix("rouse: no app has a subscription"), "\(deletes.errors)")
  }

  @Test("a replay and a query tell what matches nothing, and who answers no wake")
  func remarks() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3), as: "in")
    func errors(_ arguments: String...) throws -> [Substring] {
      let result = try RouseCommand.run(arguments, folder: shop.path)
      #expect(result.status == .exited(0), "\(result.errors)")
      return result.errors.split(separator: "\n")
    }
    let nobody = try errors("replay", "in.wtrace")
    #expect(
      nobody.count == 1 && nobody[0].hasPrefix("rouse: no app has a subscription"), "\(nobody)")
    try shop.write(
      #"{"subscriptions":[{"app":"a","type":"T0","frequency":"hourly"}]}"#, to: "p")
    let mute = try errors("replay", "in.wtrace", "--policy", "p")
    #expect(mute.count == 1 && mute[0].contains("\"behaviour.completesAfter\" is null"), "\(mute)")
    let nowhere =
      "rouse: nothing is within --from and --to: the inputs are from 1970-01-01T00:00:00Z "
      + "to 1970-01-01T00:00:02Z"
    #expect(
      try errors("replay", "in.wtrace", "--policy", "p", "--from", "2026-01-01") == [nowhere[...]])
    #expect(
      try errors("replay", "in.wtrace", "--policy", "p", "--device", "wach").first
        == "rouse: no input has the device 'wach'; the nearest: 'watch'")
    #expect(
      try errors("query", "in.wtrace", "--type", "t0").last
        == "rouse: no save or delete has the type 't0'; the nearest: 'T0', 'T1', 'T2'")
    #expect(try errors("query", "in.wtrace", "--from", "2026-01-01T08:30").last == nowhere[...])
  }

  @Test("a replay from a time on tells that it leaves out enables and the like")
  func laterStart() throws {
    let shop = try Workshop()
    let enable = #"{"t":0,"k":"enable","app":"a","type":"T0","frequency":"immediate"}"# + "\n"
    try shop.importing(enable + Workshop.saves(3), as: "enabled")
    try shop.importing(Workshop.saves(3), as: "saves")
    func tells(_ trace: String, from time: String) throws -> Bool {
      let result = try shop.rouse("replay", trace, "--from", time)
      #expect(result.status == .exited(0), "\(result.errors)")
      return result.errors.contains("--from leaves out all inputs before it, enables")
    }
    #expect(try tells("enabled.wtrace", from: "1970-01-01T00:00:01Z"))
    #expect(try !tells("enabled.wtrace", from: "1970-01-01T00:00:00Z"), "nothing is before it")
    #expect(try !tells("saves.wtrace", from: "1970-01-01T00:00:01Z"), "only saves are before it")
  }

  private static let table = """
    KEY                              IOS        WATCHOS  VALUES                            SOURCE  MEANING
    preset                           ios        watchos  ios, watchos                      P       The policy whose keys the other keys override.
    caps                             {…}        {…}      object                            D       The fastest frequency of each type.
    caps.default                     immediate  hourly   immediate, hourly, daily, weekly  D       The cap of every type that caps does not name.
    caps.TYPE                        -          -        immediate, hourly, daily, weekly  D       The cap of one type.
    budget                           null       {…}      object or null                    D       How often an app may be woken for health data or a refresh; null is no budget.
    budget.window                    -          3600     0 to 1000000000 s                 D       The length of the sliding window in which wakes count.
    budget.limit                     -          4        whole, 0 to 1000                  D       Wakes in a window for an app with an active complication.
    budget.limitWithoutComplication  -          1        whole, 0 to 1000                  P       Wakes in a window for any other app.
    completionTimeout                30         30       1 to 1000000000 s                 D, P    The time from a wake to its deadline, when it expires.
    maxStrikes                       3          3        whole, 1 to 1000                  D       Unanswered wakes in a row after which an app is stopped.
    backoffBase                      60         60       0 to 1000000000 s                 P       The backoff after the first strike.
    backoffFactor                    2          2        1 to 1000                         P       The backoff grows by this factor at each further strike.
    backoffMax                       86400      86400    0 to 1000000000 s                 P       The longest backoff.
    pushLimit                        3          3        whole, 0 to 1000                  D       Wakes with a push in a push window, for each app.
    pushWindow                       3600       3600     0 to 1000000000 s                 D       The length of the sliding window in which wakes with a push count.
    minimumRefreshInterval           900        900      1 to 1000000000 s                 R       The least time between two refreshes of an app.
    carry                            launch     launch   launch, due, always               D       Pending types in a wake: all (always), those due (due), all if it launches the app (launch).
    forceQuitBlocksHealth            true       true     true, false                       D       Whether a force-quit app is not woken for health data.
    lockBlocksHealth                 true       true     true, false                       R       Whether no app is woken for health data while the device is locked.
    subscriptions                    []         []       array of objects                  P       Subscriptions that every device has before its first input, in this order.
    subscriptions[].app              -          -        string                            P       The bundle identifier.
    subscriptions[].type             -          -        string                            P       The sample type.
    subscriptions[].frequency        -          -        immediate, hourly, daily, weekly  P       The frequency that the app asks for.
    behaviour                        {…}        {…}      object                            P       How a modelled app answers, for traces without completions.
    behaviour.completesAfter         null       null     null, or 0 to 1000000000 s        P       The time from a wake to its completion; null is none.
    behaviour.coldStart              0          0        0 to 1000000000 s                 P       The time added to completesAfter where the app was terminated.
    behaviour.ignoresEvery           0          0        whole, 0 to 1000                  P       Every n-th wake of an app is not answered; 0: all are.

    caps of ios:
      HKQuantityTypeIdentifierStepCount  hourly

    caps of watchos:
      HKCategoryTypeIdentifierAudioExposureEvent  immediate
      HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent  immediate
      HKCategoryTypeIdentifierHandwashingEvent  immediate
      HKCategoryTypeIdentifierHeadphoneAudioExposureEvent  immediate
      HKCategoryTypeIdentifierHighHeartRateEvent  immediate
      HKCategoryTypeIdentifierIrregularHeartRhythmEvent  immediate
      HKCategoryTypeIdentifierLowCardioFitnessEvent  immediate
      HKCategoryTypeIdentifierLowHeartRateEvent  immediate
      HKCategoryTypeIdentifierToothbrushingEvent  immediate
      HKQuantityTypeIdentifierNumberOfTimesFallen  immediate
      HKQuantityTypeIdentifierVO2Max  immediate

    """
}
