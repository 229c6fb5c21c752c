import Foundation
import Testing
import WakeTestSupport

/// Another user, who can change the folder of an output, puts a link in its place at any moment, and back.
@Suite(
  "A link to a file of this user that takes an output's place before any call",
  .enabled(if: geteuid() == 0, "only root can give links away"))
struct SwappedLinkTests {
  private static let nobody: uid_t = 65_534
  private let trace: [UInt8]

  init() throws { trace = try Workshop().importing(Workshop.saves(3), as: "earlier") }

  /// What has the output's name at first.
  enum Planted: CaseIterable { case file, pipe }
  /// What the link leads to.
  enum Victim: CaseIterable { case file, empty, trace, none }

  @Test(
    "gets no bytes into that file, nor its mode for the output",
    arguments: [["import", "jsonl"], ["record"]], Planted.allCases)
  func everyCall(command: [String], planted: Planted) throws {
    let counts = try ScratchFolder()
    for victim in Victim.allCases {
      let (shop, _) = try run(command, planted, victim, faults: "", counts: counts.file("counts"))
      try expectUntouched(victim, shop, "\(command), \(planted), \(victim)")
      let calls = try String(contentsOfFile: counts.file("counts"), encoding: .utf8)
        .split(separator: "\n").map { $0.split(separator: " ") }
      for call in calls {
        for number in 0..<(Int(call[1]) ?? 0) {
          let fault = "\(call[0]):\(number + 1):swap"
          let (shop, result) = try run(command, planted, victim, faults: fault)
          try expectUntouched(
            victim, shop, "\(command), \(planted), \(victim), \(fault): \(result.errors)")
        }
      }
    }
  }

  private func run(
    _ command: [String], _ planted: Planted, _ victim: Victim, faults: String,
    counts: String? = nil
  ) throws -> (shop: Workshop, result: RouseCommand.Result) {
    let shop = try Workshop()
    try shop.write(Workshop.saves(10), to: "in.jsonl")
    #expect(unsafe chmod(shop.path + "/in.jsonl", 0o600) == 0)
    if victim != .none { try shop.write(content(of: victim), to: "victim") }
    let (out, link) = (shop.path + "/out", shop.path + "/link")
    var reader: Int32 = -1
    switch planted {
    case .file: try shop.write("", to: "out")
    case .pipe:
      #expect(unsafe mkfifo(out, 0o622) == 0)
      reader = unsafe open(out, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    }
    defer { if reader >= 0 { close(reader) } }
    #expect(unsafe symlink(shop.path + "/victim", link) == 0)
    for path in [out, link] { #expect(unsafe lchown(path, Self.nobody, Self.nobody) == 0) }
    let result = try FaultShim.run(
      "rouse", command + ["in.jsonl", "-o", "out"], in: shop, faults: faults, counts: counts)
    return (shop, result)
  }

  private func content(of victim: Victim) -> [UInt8] {
    switch victim {
    case .file: Array("precious".utf8)
    case .trace: trace
    case .empty, .none: []
    }
  }

  private func expectUntouched(_ victim: Victim, _ shop: Workshop, _ what: Comment) throws {
    if victim == .none {
      #expect(!shop.files.contains("victim"), what)
    } else {
      #expect(try shop.read("victim") == content(of: victim), what)
    }
    for name in ["out", "link"] {
      var status = stat()
      guard unsafe lstat("\(shop.path)/\(name)", &status) == 0, status.st_uid == geteuid() else {
        continue
      }
      #expect(status.st_mode & 0o077 == 0, "\(name) can be read by others: \(what)")
    }
  }
}
