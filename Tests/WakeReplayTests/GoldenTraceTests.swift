import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

/// The traces of `Traces/`, which `Traces/make` makes.
private enum GoldenFolder {
  static let path: String = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Traces").path()

  static func traces(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".wtrace") }.sorted().map { String($0.dropLast(7)) }
  }

  static let golden = traces(in: path)
  static let damaged = traces(in: path + "/damaged")
  /// Those with an intact block.
  static let replayable = damaged.filter { !["empty", "garbage", "other-gzip"].contains($0) }

  static func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: file)))
  }
}

@Suite("Golden traces")
struct GoldenTraceTests {
  @Test("are all there")
  func areThere() {
    #expect(
      GoldenFolder.golden == [
        "fleet", "iphone-day", "pushes", "sqlite-store", "sync-burst", "three-strikes", "watch-day",
      ])
    #expect(GoldenFolder.damaged.count == 11 && GoldenFolder.replayable.count == 8)
  }

  @Test("give their summary and digest", arguments: GoldenFolder.golden, [1, 2])
  func giveTheirSummary(name: String, threads: Int) throws {
    let path = GoldenFolder.path + "/" + name
    var options = ReplayOptions()
    options.policy = try PolicyReader(file: name).read(
      GoldenFolder.bytes(path + ".policy.json"))
    options.threads = threads
    let expected = try JSONDecoder().decode(
      Summary.self, from: Data(GoldenFolder.bytes(path + ".summary.json")))
    let file = try TraceFile(path: path + ".wtrace")
    let result = try Replayer(files: [file], options: options).run()
    #expect(result.summary == expected, "\(name), \(threads) threads")
    #expect(result.digest == expected.digest, "\(name), \(threads) threads")
  }

  @Test("give the reference scheduler's summary", arguments: GoldenFolder.golden)
  func agreeWithReference(name: String) throws {
    let path = GoldenFolder.path + "/" + name
    let policy = try PolicyReader(file: name).read(GoldenFolder.bytes(path + ".policy.json"))
    let expected = try JSONDecoder().decode(
      Summary.self, from: Data(GoldenFolder.bytes(path + ".summary.json")))
    let symbols = Symbols()
    let events = try Passage.events(of: path + ".wtrace", symbols: symbols)
    let summary = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols).summary
    #expect(summary == expected, "\(name)")
  }

  @Test("that are damaged say so", arguments: GoldenFolder.damaged)
  func sayDamage(name: String) throws {
    let folder = GoldenFolder.path + "/damaged/"
    let message = String(
      decoding: try GoldenFolder.bytes(folder + name + ".message"), as: UTF8.self)
    let error = #expect(throws: TraceError.self, "\(name)") {
      let file = try TraceFile(path: folder + name + ".wtrace")
      _ = try Replayer(files: [file], options: ReplayOptions()).run()
    }
    let told = "rouse: \(error?.description ?? "nothing")\n".replacing(folder, with: "")
    #expect(told == message, "\(name)")
  }

  @Test("that are damaged are replayed around the damage", arguments: GoldenFolder.replayable)
  func goOn(name: String) throws {
    var options = ReplayOptions()
    options.keepsGoing = true
    let file = try TraceFile(path: GoldenFolder.path + "/damaged/\(name).wtrace")
    let result = try Replayer(files: [file], options: options).run()
    // The first block has three-strikes' 3,000 events, the last one fleet's 10,000; pushes' is hit.
    let expected = name == "truncated" ? 3_000 : 13_000
    #expect(result.summary.inputs == expected, "\(name): inputs")
    // A wrong length damages its own block, and leads to a place where none begins.
    #expect(
      result.loss.damages.count == (name == "lying-length" ? 2 : 1),
      "\(name): the loss: \(result.loss.damages)")
  }
}
