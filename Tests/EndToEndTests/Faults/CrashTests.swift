import Foundation
import Testing
import WakeRecorder
import WakeTestSupport
import WakeTrace

/// What a failure of power leaves of files: the changes that were logged, cut off at each place, and in other orders
/// where nothing waited for the disk in between.
@Suite("Power fails")
struct CrashTests {
  /// A change of a file (`Tests/FaultShim/faults.c`).
  private enum Change: Equatable {
    case write(String, offset: Int, [UInt8])
    case truncate(String, Int)
    case sync(String)
    case rename(String, to: String)
    case remove(String)
  }

  private let shop: Workshop

  init() throws { shop = try Workshop() }

  private func log(_ program: String, _ arguments: [String]) throws -> [Change] {
    let folder = try ScratchFolder()
    let result = try FaultShim.run(program, arguments, in: shop, log: folder.file("log"))
    try #require(result.status == .exited(0), "\(arguments): \(result.errors)\(result.output)")
    var rest = [UInt8](try Data(contentsOf: URL(filePath: folder.file("log"))))[...]
    var changes: [Change] = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let fields = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ").map(
        String.init)
      rest = rest[(end + 1)...]
      func path(_ place: Int) -> String {
        let path = fields[place].hasPrefix("/") ? fields[place] : "\(shop.path)/\(fields[place])"
        return URL(filePath: path).standardized.path
      }
      let name = path(1)
      func number(_ place: Int) throws -> Int { try #require(Int(fields[place]), "\(fields)") }
      switch fields[0] {
      case "write":
        let bytes = Array(rest.prefix(try number(3)))
        rest = rest.dropFirst(bytes.count)
        changes.append(.write(name, offset: try number(2), bytes))
      case "truncate": changes.append(.truncate(name, try number(2)))
      case "sync": changes.append(.sync(name))
      case "rename": changes.append(.rename(name, to: path(2)))
      default: changes.append(.remove(name))
      }
    }
    return changes
  }

  /// Checks what is left of a trace: whole blocks are recovered, and those that were on the disk are among them.
  private func check(_ bytes: [UInt8], durable: Int, _ what: @autoclosure () -> String) throws {
    guard !bytes.isEmpty else {
      #expect(durable == 0, "\(what()): \(durable) events are missing")
      return
    }
    try shop.write(bytes, to: "left")
    let path = shop.path + "/left"
    let verification = TraceVerification(of: try TraceFile(path: path))
    let report = try TraceRecovery(to: try FileOutput(path: "/dev/null"))
      .add(trace: try TraceFile(path: path))
    #expect(
      report.events == verification.events,
      "\(what()): recover keeps \(report.events) events, verify finds \(verification.events)")
    #expect(
      verification.events >= durable,
      "\(what()): \(verification.events) events are left of \(durable) on the disk")
    #expect(
      verification.events % 250 == 0 && verification.events <= 2_500,
      "\(what()): \(verification.events) events of blocks of 250")
  }

  @Test(
    "and no block of a durable recorder is missing that was on the disk", arguments: [true, false])
  func recorder(isDurable: Bool) throws {
    let changes = try log(
      "RecordingVictim", [isDurable ? "durable" : "fleeting", "out", "."])
    let out = shop.path + "/out"
    let folder = URL(filePath: shop.path).standardized.path
    // The name is on the disk before the first block.
    let firstWrite = try #require(
      changes.firstIndex { if case .write(out, _, _) = $0 { true } else { false } })
    #expect(
      changes[..<firstWrite].contains(.sync(folder)) == isDurable, "\(changes[..<firstWrite])")

    var (file, synced): ([UInt8], [UInt8]) = ([], [])
    var (events, durable, states) = (0, 0, 0)
    var numbers = SplitMix64(seed: 1)
    for (place, change) in changes.enumerated() {
      switch change {
      case .write(out, let offset, let bytes):
        #expect(offset == file.count, "change \(place): a block is written at \(offset)")
        for count in stride(from: bytes.count, to: 0, by: FaultTests.isWhole ? -1 : -16) {
          try check(file + bytes.prefix(count), durable: durable, "change \(place), \(count) bytes")
          states += 1
        }
        file += bytes
        events += 250
      case .truncate(out, let length): file.removeLast(file.count - length)
      case .sync(out): (synced, durable) = (file, events)
      default: continue
      }
      // Parts of the file reach the disk in any order; what has not is as it was, or zeros.
      for round in 0..<(FaultTests.isWhole ? 200 : 20) {
        let unit = 32
        let length = Int.random(
          in: min(synced.count, file.count)...max(synced.count, file.count), using: &numbers)
        var left = synced + [UInt8](repeating: 0, count: max(0, length - synced.count))
        left.removeLast(left.count - length)
        for start in stride(from: 0, to: min(length, file.count), by: unit)
        where Bool.random(using: &numbers) {
          let part = start..<min(start + unit, length, file.count)
          left.replaceSubrange(part, with: file[part])
        }
        try check(left, durable: durable, "change \(place), order \(round)")
        states += 1
      }
    }
    #expect(events == 2_500 && durable == (isDurable ? 2_500 : 0), "\(changes.count) changes")
    print("recorder, durable \(isDurable): \(states) states")
  }

  @Test("and a file that replaces another is on the disk before its name is")
  func replaced() throws {
    try shop.importing(Workshop.saves(100), as: "in")
    let changes = try log("rouse", ["import", "jsonl", "in.jsonl", "-o", "out", "--durable"])
    let out = shop.path + "/out"
    func place(_ what: String, _ isIt: @escaping (Change) -> Bool) throws -> Int {
      try #require(changes.lastIndex(where: isIt), "\(what) is missing: \(changes)")
    }
    let written = try place("a write") { if case .write = $0 { true } else { false } }
    let synced = try place("a sync of the file") {
      if case .sync(let name) = $0 { name.contains("nameless") } else { false }
    }
    let renamed = try place("the rename") { if case .rename(_, out) = $0 { true } else { false } }
    let folder = try place("a sync of the folder") {
      $0 == .sync(URL(filePath: shop.path).standardized.path)
    }
    #expect(written < synced && synced < renamed && renamed < folder, "\(changes)")
  }

  @Test("and a trace that is continued has its name, also if its maker did not wait for that")
  func continued() throws {
    try shop.importing(Workshop.saves(10), as: "in")
    let made = try shop.rouse("record", "in.jsonl", "-o", "out")
    try #require(made.status == .exited(0), "\(made.errors)")
    let changes = try log("rouse", ["record", "in.jsonl", "-o", "out", "--durable"])
    let first = try #require(
      changes.first {
        switch $0 {
        case .write, .sync: true
        default: false
        }
      })
    #expect(first == .sync(URL(filePath: shop.path).standardized.path), "\(changes)")
  }

  private static func writtenFiles(in folder: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      return attributes?[.size] as? Int ?? 0 > 0
    }
  }

  @Test("and each file of a folder is there before its first block")
  func rotated() throws {
    let (lines, traces) = (shop.path + "/lines", shop.path + "/traces")
    #expect(unsafe mkfifo(lines, 0o600) == 0)
    // Each part is a block, and each block a file.
    Thread {
      guard let writer = FileHandle(forWritingAtPath: lines) else { return }
      // The pipe has a reader until the command ends.
      func isRead() -> Bool {
        var entry = pollfd(fd: writer.fileDescriptor, events: 0, revents: 0)
        return unsafe poll(&entry, 1, 0) == 0
      }
      for part in 1...3 where isRead() {
        try? writer.write(contentsOf: Data(Workshop.saves(10).utf8))
        while Self.writtenFiles(in: traces) < part, isRead() { usleep(1_000) }
      }
      try? writer.close()
    }.start()
    let changes = try log(
      "rouse",
      [
        "record", "lines", "-o", "traces/", "--flush", "0.001", "--bytes-per-file", "1",
        "--durable",
      ])
    let folder = URL(filePath: shop.path).standardized.path
    let firstWrite = changes.firstIndex {
      if case .write(let name, _, _) = $0 { name.contains("/traces/") } else { false }
    }
    #expect(
      changes[..<(firstWrite ?? 0)].contains(.sync(folder)),
      "a trace is written before the disk has its folder")
    var written: Set<String> = []
    var isNamed = false
    for change in changes {
      switch change {
      case .sync(shop.path + "/traces"): isNamed = true
      case .write(let name, _, _) where name.contains("/traces/"):
        if written.insert(name).inserted {
          #expect(isNamed, "\(name) is written before the disk has its name")
          isNamed = false
        }
      default: break
      }
    }
    #expect(written.count == 3, "\(written)")
  }
}
