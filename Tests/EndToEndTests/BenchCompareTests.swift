import Foundation
import Testing
import WakeTestSupport

/// `rouse-bench compare`: names of builds, caveats, and cleaning up.
@Suite("rouse-bench compare")
struct BenchCompareTests {
  @Test("an unknown build is reported with a hint")
  func names() throws {
    let shop = try Workshop()
    try shop.write("", to: "mybench")
    for (call, hint) in [
      (
        ["mybench", "mybench"],
        "; the program in this folder is ./mybench"
      ),
      (["coalescer", "coalescer"], "it names benchmarks, which follow the two builds"),
      (["this", "--", "-q"], "'-q' is neither a program's path nor a revision"),
      (["./mybench", "this"], "./mybench: is not a program"),
    ] {
      let result = try BenchCommand.run(["compare"] + call, folder: shop.path)
      #expect(result.status == .exited(1), "\(call)")
      #expect(result.errors.contains(hint), "\(call): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(call): \(result.errors)")
    }
  }

  /// A program that is this one, but for what it answers.
  private func program(_ name: String, _ change: String, in shop: Workshop) throws {
    try shop.writeProgram(
      "#!/bin/sh\n'\(BenchCommand.path)' \"$@\" | sed -u '\(change)'\n", to: name)
  }

  private func compare(
    _ words: String..., in shop: Workshop, strict: Bool = false
  ) throws -> RouseCommand.Result {
    try BenchCommand.run(
      ["compare"] + words + ["--rounds", "2", "--seconds", "0.2"] + (strict ? ["--strict"] : []),
      folder: shop.path)
  }

  @Test("an unknown revision is reported with the reason")
  func revisions() throws {
    let shop = try Workshop()
    for (environment, reason) in [
      (["PATH": "/nowhere"], "git is not installed"),
      (["GIT_CEILING_DIRECTORIES": "/"], "git finds no repository in it ("),
    ] {
      let result = try BenchCommand.run(
        ["compare", "HEAD~1", "HEAD"], folder: shop.path,
        environment: environment.merging(["ROUSE_ROOT": shop.path]) { $1 })
      #expect(result.status == .exited(1), "\(environment)")
      #expect(
        result.errors.contains("nor a revision in \(shop.path); \(reason)"), "\(result.errors)")
    }
  }

  @Test("the project is that which is named, or around the working directory")
  func project() throws {
    let shop = try Workshop()
    _ = try shop.shell("mkdir -p tree/Traces tree/Sources/WakeScheduling/deep other")
    try shop.write("", to: "tree/Package.swift")
    func root(_ folder: String, _ environment: [String: String] = [:]) throws -> String {
      let help = try BenchCommand.run(
        ["--help"], folder: "\(shop.path)/\(folder)", environment: environment)
      let line = try #require(help.output.firstMatch(of: /Currently:\n *(.+)\n/)?.output.1)
      return String(line)
    }
    let tree = "\(shop.path)/tree".replacing("//", with: "/")
    func isTree(_ path: String) -> Bool { path == tree || path == tree + "/" }
    let deep = try root("tree/Sources/WakeScheduling/deep")
    #expect(isTree(deep), "\(deep) and not \(tree)")
    #expect(isTree(try root("tree")))
    #expect(try root("tree", ["ROUSE_ROOT": "/named"]) == "/named")
    #expect(!isTree(try root("other")), "that in which this was built")
    // Its thresholds are looked for there, and the message says so.
    let check = try BenchCommand.run(["check"], folder: "\(shop.path)/tree")
    #expect(check.status == .exited(1))
    #expect(check.errors.contains("\(tree)/Benchmarks/Thresholds"), "\(check.errors)")
  }

  @Test("builds that do different work get no verdict, and the other benchmarks do")
  func differentWork() throws {
    let shop = try Workshop()
    let wrong = "s/^ready strike [0-9a-f]*/ready strike 0123456789abcdef/"
    try program("digest", wrong, in: shop)
    try program("operations", "s/^\\(ready strike .*\\) .*/\\1 17/", in: shop)
    for (name, words) in [
      ("digest", "the digest is 794ecc0fde8b491c before and 0123456789abcdef after"),
      ("operations", "operations are 4096 before and 17 after"),
    ] {
      let result = try compare(
        "this", "./\(name)", "backoff", "timers/10", "--json", in: shop)
      #expect(result.status == .exited(1), "\(name): \(result.errors)")
      let told = "FAILED: backoff: the builds do different work: \(words)"
      #expect(result.errors.contains(told), "\(result.errors)")
      let names = try result.json()["results"]?.elements.compactMap { $0["name"]?.string }
      #expect(names == ["timers/10"], "\(name)")
    }
    // One that goes wrong by its own account is told, too, and nothing else is lost.
    try program("broken", "s/^iterations.*/failed it is wrong/", in: shop)
    let broken = try compare("this", "./broken", "backoff", in: shop)
    #expect(broken.status == .exited(1), "\(broken.output)")
    #expect(broken.output.contains("FAILED: backoff: ./broken: it is wrong"), "\(broken.output)")
    #expect(broken.errors.contains("nothing could be compared"), "\(broken.errors)")
  }

  @Test("a build that reports no digests is compared, with a caveat")
  func reticent() throws {
    let shop = try Workshop()
    try program("old", "s/^\\(ready strike\\).*/\\1/", in: shop)
    let result = try compare("./old", "this", "backoff", in: shop)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output.contains("./old reports no digests"), "\(result.output)")
    #expect(!result.output.contains("this reports no digests"), "\(result.output)")
  }

  @Test("programs of one layout have a wide noise floor, and the same program has not")
  func layout() throws {
    let shop = try Workshop()
    try program("other", "s/x/x/", in: shop)
    func floor(_ words: String...) throws -> (Double?, same: Double?, Bool) {
      let result = try BenchCommand.run(
        ["compare", "this"] + words + ["backoff", "--rounds", "1", "--seconds", "0.1", "--json"],
        folder: shop.path)
      let json = try result.json()
      guard case .number(let floor) = json["rule"]?["noiseFloor"],
        case .number(let same) = json["rule"]?["sameWithin"]
      else { return (nil, nil, false) }
      return (
        floor, same, json["caveats"]?.elements.first?.string?.contains("Layout is not") == true
      )
    }
    #expect(try floor("./other") == (0.1, 0.1, true))
    #expect(try floor("./other", "--noise-floor", "0.1") == (0.1, 0.1, true))
    #expect(try floor("./other", "--noise-floor", "0.04") == (0.04, 0.04, true))
    // A copy is the same program.
    _ = try shop.shell("cp '\(BenchCommand.path)' copy")
    #expect(try floor("./copy") == (0.02, 0.03, false))
    #expect(try floor("this") == (0.02, 0.03, false))
  }

  @Test("where nothing could be compared, that is told, and fails")
  func nothingCompared() throws {
    let result = try BenchCommand.run(
      ["compare", "this", "this", "replay/data/vcpkg", "--rounds", "1"],
      environment: ["ROUSE_ROOT": "/nowhere"])
    #expect(result.status == .exited(1), "\(result.output)")
    #expect(result.errors.contains("nothing could be compared"), "\(result.errors)")
    #expect(result.output.contains("SKIPPED: replay/data/vcpkg: no /nowhere"), "\(result.output)")
    #expect(!result.output.contains("0 rounds"), "\(result.output)")
  }

  @Test("a program that is not a rouse-bench is ended")
  func wrongGreeting() throws {
    let shop = try Workshop()
    try shop.writeProgram(
      "#!/bin/sh\necho $$ > \(shop.path)/id\necho hello, who is there\nexec sleep 600\n",
      to: "other")
    let result = try BenchCommand.run(
      ["compare", "this", "./other", "backoff"], folder: shop.path,
      environment: ["TMPDIR": shop.path])
    #expect(result.status == .exited(1))
    #expect(result.errors.contains("./other: is not a rouse-bench with the same protocol"))
    let id = try #require(
      Int32(String(decoding: try shop.read("id"), as: UTF8.self).dropLast()))
    #expect(kill(id, 0) != 0, "process \(id) is still there")
    #expect(shop.files == ["id", "other"])
  }

  @Test(
    "a program that greets and then does not answer is ended", arguments: ["meet", "calibrate"])
  func noAnswer(request: String) throws {
    let shop = try Workshop()
    try shop.writeProgram(
      """
      #!/bin/sh
      sed -u '/^\(request)/Q' | '\(BenchCommand.path)' "$@"
      exec sleep 600
      """, to: "hung")
    let result = try BenchCommand.run(
      ["compare", "this", "./hung", "backoff"], folder: shop.path,
      environment: ["ROUSE_PATIENCE": "15", "TMPDIR": shop.path])
    #expect(result.status == .exited(1))
    #expect(
      result.errors == "rouse-bench: ./hung: no answer for 15.0 s"
        + (request == "meet" ? "\n" : ", asked about backoff\n"))
    #expect(shop.files == ["hung"])
  }

  @Test("a program that cannot be copied is told with the reason")
  func fullFolder() throws {
    let shop = try Workshop()
    let result = try shop.shell(
      "trap '' XFSZ; ulimit -f 100; '\(BenchCommand.path)' compare this this backoff")
    #expect(result.status == .exited(1))
    #expect(result.errors.contains("/rouse-bench (File too large)\n"), "\(result.errors)")
  }

  @Test("an interrupt leaves neither processes nor files", arguments: [SIGINT, SIGTERM, SIGQUIT])
  func interrupt(number: Int32) throws {
    let shop = try Workshop()
    // SIGQUIT leaves a file of the memory where the system is told to write it.
    let command = try RouseCommand.start(
      [
        "-c", #"ulimit -c 0; exec "$0" "$@""#, BenchCommand.path, "compare", "this", "this",
        "backoff", "--seconds", "60",
      ], program: "/bin/sh", folder: shop.path, environment: ["TMPDIR": shop.path])
    /// What runs once that is as it should be, or has long not been so.
    func running(_ isFine: ([String]) -> Bool) -> [String] {
      let deadline = Date(timeIntervalSinceNow: 30)
      var found = processes(in: shop.path)
      while !isFine(found), Date() < deadline {
        usleep(5_000)
        found = processes(in: shop.path)
      }
      return found
    }
    let started = running { $0.count >= 2 }
    #expect(started.count == 2, "nothing runs: \(command.errorsSoFar)")
    command.signal(number)
    let result = try command.wait()
    #expect(result.status == .signalled(number), "\(result.errors)")
    #expect(shop.files == [])
    // The system takes a moment to end them.
    let left = running { $0.isEmpty }
    #expect(left == [])
  }

  /// The processes whose program stands in a folder.
  private func processes(in folder: String) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.filter { id in
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/exe")
      return path?.hasPrefix(folder) == true
    }
  }

  /// Programs that stand for the compiler and what it makes, and tell how often they were called.
  private func tools(in shop: Workshop, compiler: String) throws {
    try shop.writeProgram(
      """
      #!/bin/sh
      if [ "$1" = --version ]; then echo 'Swift version 6 (\(compiler))'; exit; fi
      echo built >> \(shop.path)/builds
      sleep 0.05
      mkdir -p .build/release
      printf '#!/bin/sh\\n' > .build/release/rouse-bench
      """, to: "bin/swift")
    try shop.writeProgram("#!/bin/sh\necho one; echo two\n", to: "bin/nm")
  }

  @Test("an interrupted build ends what it started, also what leads a group of its own")
  func interruptedBuild() throws {
    let shop = try Workshop()
    let made = try shop.shell(
      """
      mkdir bin project; cd project; git init -q; echo x > x; git add x
      git -c user.name=n -c user.email=e commit -q -m x
      """)
    try #require(made.status == .exited(0), "\(made.errors)")
    try shop.writeProgram(
      """
      #!/bin/sh
      if [ "$1" = --version ]; then echo 'Swift version 6 (one)'; exit; fi
      # A session of its own, whose parent waits, and one whose parent has ended.
      setsid sh -c 'echo $$ > \(shop.path)/one; sleep 300' < /dev/null > /dev/null 2>&1 &
      setsid -f sh -c 'echo $$ > \(shop.path)/two; sleep 300' < /dev/null > /dev/null 2>&1
      wait
      """, to: "bin/swift")
    let command = try RouseCommand.start(
      ["cache", "build", "HEAD", "--cache", "cache"], program: BenchCommand.path,
      folder: shop.path,
      environment: [
        "ROUSE_ROOT": "\(shop.path)/project",
        "PATH":
          "\(shop.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
      ])
    let deadline = Date(timeIntervalSinceNow: 30)
    func process(_ name: String) -> Int32? {
      guard let bytes = try? shop.read(name) else { return nil }
      return Int32(String(decoding: bytes, as: UTF8.self).dropLast())
    }
    while process("one") == nil || process("two") == nil, Date() < deadline { usleep(5_000) }
    let all = try [#require(process("one")), #require(process("two"))]
    command.signal(SIGTERM)
    let result = try command.wait()
    #expect(result.status == .signalled(SIGTERM), "\(result.errors)")
    for process in all { #expect(!Self.runs(process), "process \(process) still runs") }
    for process in all { kill(process, SIGKILL) }
  }

  /// Whether a process is there that has not ended.
  private static func runs(_ process: Int32) -> Bool {
    guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") else {
      return false
    }
    let text = String(decoding: data, as: UTF8.self)
    let state = text.split(separator: ")").last?.first { $0 != " " }
    return state != "Z" && state != "X"
  }

  @Test("a revision is built once by each compiler, whoever else wants it, and can be deleted")
  func cache() throws {
    let shop = try Workshop()
    let made = try shop.shell(
      """
      mkdir bin project; cd project; git init -q; echo x > x; git add x
      git -c user.name=n -c user.email=e commit -q -m x; git tag old
      """)
    try #require(made.status == .exited(0), "\(made.errors)")
    try tools(in: shop, compiler: "one/1")
    let environment = [
      "ROUSE_ROOT": "\(shop.path)/project",
      "PATH": "\(shop.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
    ]
    func start(_ arguments: String...) throws -> RunningCommand {
      try RouseCommand.start(
        ["cache"] + arguments + ["--cache", "cache"], program: BenchCommand.path, folder: shop.path,
        environment: environment)
    }
    func builds() throws -> Int { try shop.read("builds").count { $0 == 10 } }
    let both = [try start("build", "HEAD"), try start("build", "old")]
    let results = try both.map { try $0.wait() }
    for result in results { #expect(result.status == .exited(0), "\(result.errors)") }
    #expect(results[0].output == results[1].output)
    #expect(results[0].output.hasSuffix("-one-1/programs/0\n"), "\(results[0].output)")
    // Once to be built, and ten times to be linked.
    #expect(try builds() == 11)
    #expect(try start("build", "HEAD").wait().status == .exited(0))
    #expect(try builds() == 11)
    try tools(in: shop, compiler: "two")
    #expect(try start("build", "HEAD").wait().status == .exited(0))
    #expect(try builds() == 22)
    // A build that was cut short is made anew.
    let name = String(try start("list").wait().output.split(separator: "\n")[1])
    #expect(name.hasSuffix("-two"))
    _ = try shop.shell("mv cache/\(name)/programs cache/\(name)/programs.partial")
    #expect(try start("list").wait().output.contains("\(name) (incomplete)\n"))
    #expect(try start("build", "HEAD").wait().status == .exited(0))
    #expect(try builds() == 33)
    #expect(try start("delete", "none").wait().status == .exited(1))
    #expect(try start("delete", name).wait().status == .exited(0))
    #expect(try start("list").wait().output.split(separator: "\n").count == 1)
    try shop.write("", to: "cache/mine")
    let cleared = try start("clear").wait()
    #expect(cleared.status == .exited(0), "\(cleared.errors)")
    #expect(try shop.shell("ls cache").output == "mine\n")
    let worktrees = try shop.shell("git -C project worktree list").output
    #expect(worktrees.split(separator: "\n").count == 1, "\(worktrees)")
  }
}
