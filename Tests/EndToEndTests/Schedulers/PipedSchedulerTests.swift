import Testing
import WakeTestSupport

@Suite("Schedulers over a pipe that do what none may")
struct PipedSchedulerTests {
  /// A program of the shell that answers the policy and the beginning, and then `answer` at the third input; what is told.
  private static let deeds: [(answer: String, told: String)] = [
    ("exit 3", "ended its process with exit status 3"),
    ("kill -9 $$", "ended by a signal: Killed"),
    ("sleep 60", "does not answer for 0.5 s"),
    ("exec >&-; sleep 60", "has closed its standard output"),
    ("exec <&- >&-; sleep 60", "has closed its standard output"),
    ("while :; do echo x; done", "an answer that is no line of a wake log: "),
    ("echo hello; echo", "an answer that is no line of a wake log: "),
    ("echo '{}'; echo", "'app': is missing"),
    ("echo '[1]'; echo", "an object"),
    (
      #"echo '{"t":30000000000,"app":7,"outcome":"open"}'; echo"#,
      "'app': expected a string, found a number"
    ),
    (
      #"echo '{"t":30000000000,"app":"app","outcome":"lost"}'; echo"#,
      "'outcome': \"lost\" is not one of"
    ),
    ("echo; echo; echo", "it answers what it was not asked"),
    (
      #"echo '{"t":30000000000,"app":"nobody","outcome":"open"}'; echo"#,
      "a wake of app nobody at 1970-01-01T00:00:30Z, which no input of the device named"
    ),
    (
      #"echo '{"t":5,"app":"app","outcome":"open"}'; echo"#,
      "is not between the device's first input and its last"
    ),
    (
      #"echo '{"t":31000000000,"app":"app","outcome":"open"}'; echo"#,
      "is not between the device's first input and its last"
    ),
    (
      #"w() { echo '{"t":'$1',"app":"app","outcome":"completed","end":'$1'}'; }; w 30000000000; w 20000000000; echo"#,
      "at 1970-01-01T00:00:20Z is told after a later one"
    ),
    (
      #"w() { echo '{"t":30000000000,"app":"app","outcome":"open"}'; }; w; w; echo"#,
      "comes while the app is awake"
    ),
    (
      #"echo '{"t":30000000000,"app":"app","outcome":"open","end":30000000000}'; echo"#,
      "has an outcome that does not go with its end"
    ),
    (
      #"echo '{"t":30000000000,"app":"app","outcome":"completed","end":90000000000}'; echo"#,
      "does not end by the last input"
    ),
    (
      #"echo '{"t":30000000000,"app":"app","outcome":"open","types":["X"]}'; echo"#,
      "carries type X, which there is not"
    ),
    (
      #"echo '{"t":30000000000,"app":"app","outcome":"open","types":["T","T"]}'; echo"#,
      "carries a type twice"
    ),
    (
      #"echo '{"t":30000000000,"app":"app","outcome":"open","push":"p"}'; echo"#,
      "carries a push that did not come"
    ),
    (
      #"echo '{"t":30000000000,"app":"app","outcome":"open","saves":2}'; echo"#,
      "has saves that do not go with `oldest`"
    ),
    (
      #"echo '{"t":10000000000,"app":"app","outcome":"completed","end":30000000000}'; echo"#,
      "a wake of app app at 1970-01-01T00:00:10Z was in flight at an input after its deadline (rule 6.3)"
    ),
    (
      #"echo '{"t":10000000000,"app":"app","outcome":"open"}'; echo"#,
      "a wake of app app at 1970-01-01T00:00:10Z was in flight at an input after its deadline (rule 6.3)"
    ),
    (
      #"echo '{"t":30000000000,"app":"app","outcome":"open"}'; echo"#,
      "a wake of app app at 1970-01-01T00:00:30Z was in flight at an input after its deadline (rule 6.3)"
    ),
    (
      #"echo '{"t":30000000000,"app":"app","outcome":"open","device":"watch"}'; echo"#,
      "is told as one of device watch"
    ),
    (
      #"echo '{"t":30000000000,"app":"app","outcome":"open","wake":2}'; echo"#,
      "is told as the device's wake 2, and is number 1"
    ),
  ]

  @Test("are told of in a line, with the event, and rouse ends in order")
  func deeds() throws {
    let shop = try Workshop()
    try shop.importing(
      (1...20).map {
        #"{"t":\#($0 * 10_000_000_000),"k":"save","type":"T","source":"S"}"# + "\n"
      }.joined(), as: "trace")
    try shop.write(
      #"{"completionTimeout":5,"subscriptions":[{"app":"app","type":"T","frequency":"hourly"}]}"#,
      to: "policy.json")
    for deed in Self.deeds {
      try shop.write(
        "n=0\nwhile read -r line; do\n  n=$((n + 1))\n  if [ $n = 5 ]; then\n"
          + "    \(deed.answer)\n  else echo; fi\ndone\n", to: "program.sh")
      // On a busy machine an answer may take long that does come.
      let timeout = deed.told.contains("does not answer") ? "0.5" : "30"
      let result = try shop.rouse(
        "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler",
        "exec:exec sh program.sh", "--timeout", timeout, "--wakes", "wakes.jsonl")
      #expect(result.status == .exited(1), "\(deed.answer): \(result.status)")
      let lines = result.errors.split(separator: "\n")
      #expect(lines.count == 1, "\(deed.answer): \(result.errors)")
      #expect(
        result.errors.hasPrefix("rouse: exec:exec sh program.sh: ")
          && result.errors.contains(deed.told), "\(deed.answer): \(result.errors)")
      #expect(result.errors.contains("at event "), "\(deed.answer): \(result.errors)")
      #expect(!shop.files.contains("wakes.jsonl"), "\(deed.answer)")
    }
  }

  @Test("that cannot be run are told of")
  func missing() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3), as: "trace")
    let result = try shop.rouse("replay", "trace.wtrace", "--scheduler", "exec:./none")
    #expect(result.status == .exited(1))
    #expect(
      result.errors.contains("ended its process with exit status 127; before the first event"))
  }

  @Test("that answer at length and read slowly do not block")
  func floods() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3), as: "trace")
    // More than a pipe holds, before it reads on.
    try shop.write(
      #"while read -r line; do awk 'BEGIN { for (i = 0; i < 20000; i++) print "{\"summary\":{}}" }'; echo; done"#,
      to: "program.sh")
    let result = try shop.rouse("replay", "trace.wtrace", "--scheduler", "exec:sh program.sh")
    #expect(result.status == .exited(0), "\(result.errors)")
  }
}
