import Foundation
import Testing
import WakeTestSupport

@Suite(
  "Schedulers that do what none may",
  .enabled(if: SchedulerPrograms.hasCompiler, "needs a C compiler"))
struct HostileSchedulerTests {
  /// What is told of each deed of `Tests/Schedulers/hostile.c`, and whether the event is found.
  private static let deeds: [(number: Int, told: String, hasEvent: Bool)] = [
    (1, "ended by a signal: Segmentation fault", true),
    (2, "ended by a signal: Aborted", true),
    (3, "does not return for 0.5 s", true),
    (4, "does not return for 0.5 s", true),
    (5, "a wake of app number 4242, which no input of the device named", true),
    (6, "which is before the present", true),
    (7, "the time that it was given", true),
    (8, "the end of a wake of app app, which is not awake", true),
    (9, "a wake of app app, which is awake", true),
    (10, "wakes without end", true),
    (11, "a call of rouse_host_t from another thread, or outside of a call", false),
    (12, "ended its process with exit status 0", true),
    (13, "ended its process with exit status 0", true),
    (14, "ended by a signal: Killed", true),
    (15, "ended by a signal: Segmentation fault", true),
    (16, "ended by a signal: Floating point exception", true),
    (17, "the end of a wake with the unknown outcome 77", true),
    (18, "a wake with type number 99999, which there is not", true),
    (19, "twice", true),
    (20, "a wake with push number 7, which there is not", true),
    (21, "of 3 bytes, where", true),
    (22, "I give up", true),
    (23, "ended by a signal: Segmentation fault", true),
    (24, "ended by a signal", true),
    (25, "does not return for 0.5 s", true),
    (26, "does not return for 0.5 s", true),
    (27, "take returned", true),
    (28, "take returned 0 of", true),
    (29, "has not ended, and its deadline (rule 6.3) has passed", true),
    (30, "create returned null", false),
    (31, "a wake outside of take, input and advance; in create", false),
    (32, "ended by a signal: Aborted; in finish", false),
    (33, "the size of its rouse_scheduler_t is 16", false),
    (34, "its table has no function finish", false),
    (35, "exports no function rouse_scheduler", false),
    (36, "rouse_scheduler returned null", false),
    (37, "does not return for 0.5 s; while it is loaded", false),
    (38, "ended its process with exit status 0; while it is loaded", false),
    (39, "does not return for 0.5 s; while it is loaded", false),
    (41, "a wake with 18446744073709551615 saves", true),
    (42, "out of range", true),
    (43, "after the wake", true),
    (44, "a wake with 9223372036854775808 types", true),
    (45, #"one\u{a}two\u{1b}[31m; in take"#, true),
    (46, "fork() in a call that returns in both processes; in take", true),
    (52, "kept Rouse from writing to standard error", false),
    (48, "`live_deliveries` of 9223372036854775807, after 20 inputs; in finish", false),
    (49, "`pending` of 18446744073709551615, after 20 inputs; in finish", false),
  ]

  @Test("are told of in a line, with the event, and rouse ends in order")
  func deeds() throws {
    let shop = try Workshop()
    let saves = (0..<20).map {
      #"{"t":\#(($0 + 1) * 10_000_000_000),"k":"save","type":"T","source":"S"}"# + "\n"
    }
    try shop.importing(saves.joined(), as: "trace")
    try shop.write(
      #"{"subscriptions":[{"app":"app","type":"T","frequency":"hourly"}]}"#, to: "policy.json")
    for deed in Self.deeds {
      try SchedulerPrograms.compile(
        "hostile.c", ["HOSTILE=\(deed.number)"], to: shop.path + "/hostile.so")
      // On a busy machine a call may take long that does return.
      let timeout = deed.told.contains("does not return") ? "0.5" : "30"
      let result = try shop.rouse(
        "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler", "./hostile.so",
        "--timeout", timeout, "--wakes", "wakes.jsonl")
      #expect(result.status == .exited(1), "deed \(deed.number): \(result.status)")
      let lines = result.errors.split(separator: "\n")
      #expect(lines.count == 1, "deed \(deed.number): \(result.errors)")
      #expect(
        result.errors.hasPrefix("rouse: ./hostile.so: ") && result.errors.contains(deed.told),
        "deed \(deed.number): \(result.errors)")
      // The sixth save, or one that the scheduler reached when it went wrong.
      #expect(
        result.errors.contains("at event ") == deed.hasEvent,
        "deed \(deed.number): \(result.errors)")
      #expect(!shop.files.contains("wakes.jsonl"), "deed \(deed.number)")
    }
  }

  @Test("are told of, if what they have due has happened, and do not hold up a paced replay")
  func overdue() throws {
    let shop = try Workshop()
    for (deed, told) in [
      (50, "next_due returned -9223372036854775808, but everything due up to 0 has happened"),
      (51, "next_due told of 1011 times at which nothing happened"),
    ] {
      try prepare(shop, deed: deed)
      for place in [[], ["--in-process"]] {
        let result = try RouseCommand.run(
          [
            "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler", "./hostile.so",
            "--speed", "1000000x",
          ] + place, folder: shop.path)
        #expect(result.status == .exited(1), "deed \(deed): \(result.status)")
        #expect(result.errors.contains(told), "deed \(deed): \(result.errors)")
      }
    }
  }

  @Test("and close the files of Rouse's are suspected of it")
  func closed() throws {
    let shop = try Workshop()
    try prepare(shop, deed: 53)
    let result = try shop.rouse(
      "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler", "./hostile.so", "--wakes",
      "wakes.jsonl")
    #expect(result.status == .exited(1))
    #expect(result.errors.hasSuffix(" (has the scheduler closed it?)\n"), "\(result.errors)")
    #expect(!shop.files.contains("wakes.jsonl"))
  }

  @Test("print to standard error, so that results stay whole", arguments: [[], ["--in-process"]])
  func prints(place: [String]) throws {
    let shop = try Workshop()
    try prepare(shop, deed: 54)
    let call = [
      "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler", "./hostile.so",
      "--no-latency",
    ]
    let json = try RouseCommand.run(call + place + ["--json"], folder: shop.path)
    #expect(json.status == .exited(0), "\(json.errors)")
    #expect(json.output.hasPrefix("{") && json.output.hasSuffix("}\n"), "\(json.output)")
    #expect(json.errors.hasPrefix("a word\nanother\n"), "\(json.errors)")
    // The log comes before the report, whichever way standard output is named.
    _ = try shop.shell("ln -s /dev/stdout link")
    for output in [
      "-", "/dev/stdout", "/proc/self/fd/1", "//dev/fd/1", "/proc/thread-self/fd/1", "link",
    ] {
      let log = try RouseCommand.run(call + place + ["--results", output], folder: shop.path)
      #expect(log.status == .exited(0), "\(output): \(log.errors)")
      #expect(log.output.hasPrefix(#"{"apps":["#), "\(output): \(log.output)")
      #expect(!log.output.contains("a word"), "\(output)")
    }
  }

  @Test("go to another folder, and outputs do not go with them", arguments: [[], ["--in-process"]])
  func movedAway(place: [String]) throws {
    let shop = try Workshop()
    try prepare(shop, deed: 55)
    _ = try shop.shell("mkdir out")
    let result = try RouseCommand.run(
      [
        "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler", "./hostile.so",
        "--wakes", "out/wakes.jsonl", "--bounds", "bounds.json", "--results", "out/results.jsonl",
      ] + place, folder: shop.path)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(shop.files.contains("bounds.json"), "\(shop.files)")
    #expect(try shop.shell("ls out").output == "results.jsonl\nwakes.jsonl\n")
  }

  @Test("are not run where standard output cannot be kept, and outputs are nowhere else")
  func refusedCalls() throws {
    let shop = try Workshop()
    try prepare(shop, deed: 55)
    // Once it is loaded, as the log begins, and as that is put in place.
    for (fault, told) in [
      ("dup2:1:\(EMFILE)", "./hostile.so: standard output cannot be kept for results: "),
      ("fchdir:1:\(EACCES)", "the folder of the command: cannot be gone back to: "),
      ("fchdir:3:\(EACCES)", "the folder of the command: cannot be gone back to: "),
    ] {
      let result = try FaultShim.run(
        "rouse",
        [
          "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler", "./hostile.so",
          "--in-process", "--wakes", "wakes.jsonl",
        ], in: shop, faults: fault)
      #expect(result.status == .exited(1), "\(fault): \(result.errors)")
      #expect(result.errors.hasPrefix("rouse: \(told)"), "\(fault): \(result.errors)")
      #expect(!shop.files.contains("wakes.jsonl"), "\(fault)")
    }
  }

  @Test("leave no process that they have started")
  func leftProcess() throws {
    let shop = try Workshop()
    try prepare(shop, deed: 47)
    let result = try shop.rouse(
      "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler", "./hostile.so")
    #expect(result.status == .exited(0), "\(result.errors)")
    let deadline = Date(timeIntervalSinceNow: 60)
    while try RouseCommand.shell("grep -ls '\(shop.path)/hostile.so' /proc/[0-9]*/maps").output
      != ""
    {
      try #require(Date() < deadline, "a process is left")
      usleep(5_000)
    }
  }

  /// A trace of twenty saves, and a scheduler that does a deed.
  private func prepare(_ shop: Workshop, deed: Int) throws {
    try shop.importing(Workshop.saves(20), as: "trace")
    try shop.write(Workshop.policy, to: "policy.json")
    try SchedulerPrograms.compile(
      "hostile.c", ["HOSTILE=\(deed)"], to: shop.path + "/hostile.so")
  }

  @Test("are told of, if the process does not end after the last device")
  func endless() throws {
    let shop = try Workshop()
    try prepare(shop, deed: 40)
    let result = try shop.rouse(
      "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler", "./hostile.so",
      "--timeout", "0.5")
    #expect(result.status == .exited(1))
    #expect(
      result.errors.hasSuffix(
        "rouse: ./hostile.so: does not end its process for 1 s; after the last device\n"),
      "\(result.errors)")
  }

  @Test("end with an interrupt of rouse, which leaves no file", arguments: [SIGINT, SIGKILL])
  func interrupted(signal: Int32) throws {
    let shop = try Workshop()
    try prepare(shop, deed: 3)
    let before = shop.files
    let command = try RouseCommand.start(
      [
        "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler", "./hostile.so",
        "--timeout", "1000", "--wakes", "wakes.jsonl",
      ], folder: shop.path)
    func wait(_ what: String, _ condition: () throws -> Bool) throws {
      let deadline = Date(timeIntervalSinceNow: 30)
      while try !condition() {
        try #require(Date() < deadline, "\(what)")
        usleep(5_000)
      }
    }
    var child: Int32?
    try wait("the child hangs") {
      child = command.children.first
      // Foundation reads no more than a page of it.
      return try child.map { child in
        try RouseCommand.shell("grep -q hostile.so /proc/\(child)/maps").status == .exited(0)
      } ?? false
    }
    usleep(200_000)
    command.signal(signal)
    let result = try command.wait()
    #expect(result.status == .signalled(signal), "\(result.errors)")
    try wait("the child ends") { kill(try #require(child), 0) != 0 }
    #expect(shop.files == before)
  }

  @Test("do not get the library replaced by an output of the same name")
  func replaced() throws {
    let shop = try Workshop()
    try prepare(shop, deed: 0)
    let library = try shop.read("hostile.so")
    let result = try shop.rouse(
      "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler", "./hostile.so",
      "--wakes", "hostile.so")
    #expect(result.status == .exited(64))
    #expect(
      result.errors.hasPrefix("rouse: 'hostile.so' is an input and cannot be the output\n"),
      "\(result.errors)")
    #expect(try shop.read("hostile.so") == library)
  }

  @Test("are no reason for a command that was started as if it were their process to crash")
  func forged() throws {
    let shop = try Workshop()
    let result = try shop.shell(": > short; \"$ROUSE\" hosted --version 3<>short")
    #expect(result.status == .exited(64))
    #expect(result.errors.hasPrefix("rouse: unknown command 'hosted'\n"), "\(result.errors)")
  }

  @Test("are told of in the same process, where they return")
  func inProcess() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(20), as: "trace")
    try shop.write(Workshop.policy, to: "policy.json")
    for deed in Self.deeds
    where (5...9).contains(deed.number) || (17...22).contains(deed.number)
      || (41...45).contains(deed.number) || (48...49).contains(deed.number)
    {
      try SchedulerPrograms.compile(
        "hostile.c", ["HOSTILE=\(deed.number)"], to: shop.path + "/hostile.so")
      let result = try shop.rouse(
        "replay", "trace.wtrace", "--policy", "policy.json", "--scheduler", "./hostile.so",
        "--in-process")
      #expect(result.status == .exited(1), "deed \(deed.number): \(result.status)")
      #expect(result.errors.contains(deed.told), "deed \(deed.number): \(result.errors)")
    }
  }
}
