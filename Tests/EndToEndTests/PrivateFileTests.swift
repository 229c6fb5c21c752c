import Foundation
import Testing
import WakeTestSupport

/// What is read from a file that its owner alone may read goes to such a file.
@Suite("Permissions of files that the command makes")
struct PrivateFileTests {
  private let shop: Workshop

  init() throws { shop = try Workshop() }

  private func permissions(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(shop.path)/\(name)")
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test(
    "are those of a private input; else what the umask leaves",
    arguments: [
      "import jsonl in.jsonl -o out", "export in.wtrace -o out", "repack in.wtrace -o out",
      "recover in.wtrace -o out", "record in.jsonl -o out", "record -o out < in.jsonl",
      "replay in.wtrace --wakes out", "report in.wtrace -o out",
      "sweep in.wtrace -L carry due,always --html out",
    ])
  func input(call: String) throws {
    try shop.importing(Workshop.saves(10), as: "in")
    for (mode, expected) in [(0o600, 0o600), (0o640, 0o600), (0o644, 0o640)] {
      let made = try shop.shell(
        "umask 027; chmod \(String(mode, radix: 8)) in.*; rm -f out; $ROUSE \(call)")
      #expect(made.status == .exited(0), "\(call): \(made.errors)")
      let found = try permissions("out")
      #expect(
        found == expected,
        "\(call) of \(String(mode, radix: 8)) gives \(String(found, radix: 8))")
    }
  }

  @Test(
    "are the owner's alone where the policy is",
    arguments: [
      "replay in.wtrace --policy p --wakes out", "report in.wtrace --policy p -o out",
      "sweep in.wtrace --policy p -L carry due,always --html out",
      "export csv in.wtrace --table wakes --policy p -o out",
      "export chrome in.wtrace --policy p -o out",
      "optimum in.wtrace --policy p --curve out",
    ])
  func policy(call: String) throws {
    try shop.importing(Workshop.saves(10), as: "in")
    try shop.write(Workshop.policy, to: "p")
    for (mode, expected) in [(0o600, 0o600), (0o644, 0o644)] {
      let made = try shop.shell(
        "umask 022; chmod \(String(mode, radix: 8)) p; rm -f out; $ROUSE \(call)")
      #expect(made.status == .exited(0), "\(call): \(made.errors)")
      let found = try permissions("out")
      #expect(
        found == expected,
        "\(call) of \(String(mode, radix: 8)) gives \(String(found, radix: 8))")
    }
  }

  @Test("need a name: an empty path is told of at once")
  func emptyPath() throws {
    try shop.importing(Workshop.saves(10), as: "in")
    let result = try shop.rouse("repack", "in.wtrace", "-o", "")
    #expect(result.status == .exited(1))
    #expect(result.errors == "rouse: an output: has an empty path; name a file\n")
  }

  @Test("are those of a private input where a link leads to no file yet")
  func danglingLink() throws {
    try shop.importing(Workshop.saves(10), as: "in")
    let made = try shop.shell(
      "umask 022; chmod 600 in.*; ln -s new out; $ROUSE record in.jsonl -o out")
    #expect(made.status == .exited(0), "\(made.errors)")
    #expect(try permissions("new") == 0o600)
  }

  @Test("are never such that every user may write to a trace that is continued")
  func umaskOfZero() throws {
    try shop.importing(Workshop.saves(10), as: "in")
    for _ in 0..<2 {
      let made = try shop.shell("umask 0; $ROUSE record in.jsonl -o out")
      #expect(made.status == .exited(0), "\(made.errors)")
    }
    #expect(try permissions("out") == 0o664)
  }

  @Test(
    "of a socket are the umask's, or open to all users, and the umask stays as it is",
    arguments: [("", 0o700), ("--all-users", 0o666)])
  func socket(option: String, expected: Int) throws {
    let command = try RouseCommand.start(
      ["-c", "umask 077; exec '\(RouseCommand.path)' record --socket s \(option) -o out"],
      program: "/bin/sh", folder: shop.path)
    let deadline = Date(timeIntervalSinceNow: 30)
    var client: SocketClient?
    while client == nil, Date() < deadline {
      client = SocketClient(shop.path + "/s")
      usleep(1_000)
    }
    try #require(client).send(Workshop.saves(1))
    #expect(try permissions("s") == expected)
    command.signal(SIGINT)
    let result = try command.wait()
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(try permissions("out") == 0o600)
  }

  @Test("are those of a file that is replaced", arguments: ["repack", "recover"])
  func replaced(call: String) throws {
    try shop.importing(Workshop.saves(10), as: "in")
    try shop.write("old", to: "out")
    let made = try shop.shell("chmod 600 in.wtrace; chmod 664 out; $ROUSE \(call) in.wtrace -o out")
    #expect(made.status == .exited(0), "\(made.errors)")
    #expect(try permissions("out") == 0o664)
  }

  @Test("are the owner's alone for a component's own trace, as for its ring file")
  func component() throws {
    let component = RouseCommand.path.replacing("/rouse", with: "/RecordingComponent")
    let made = try shop.shell("umask 022; \(component) made.wtrace")
    #expect(made.status == .exited(0), "\(made.errors)")
    #expect(try permissions("made.wtrace") == 0o600)
  }
}
