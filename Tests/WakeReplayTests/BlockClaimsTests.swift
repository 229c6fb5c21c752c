import Synchronization
import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@testable import WakeReplay
@testable import WakeTrace

@Suite("Claims of blocks")
struct BlockClaimsTests {
  /// Writes saves of devices, twenty to a block.
  ///
  /// - Parameter blocks: The devices of each block; their number divides twenty.
  private func writeTrace(_ passage: Passage, blocks: [[Int]]) throws -> String {
    let symbols = Symbols()
    let path = passage.folder.file("trace.wtrace")
    let output = try FileOutput(path: path)
    let writer = try TraceWriter(output: output, symbols: symbols, level: 1, eventsPerBlock: 20)
    let source = symbols.sources.intern("source")
    var time = Timestamp(nanoseconds: 0)
    for devices in blocks {
      for device in devices {
        let name = symbols.devices.intern("device \(device)")
        for save in 0..<20 / devices.count {
          let sample = Sample(type: symbols.types.intern("T\(save % 3)"), source: source)
          time = Timestamp(nanoseconds: time.nanoseconds + 900_000_000_000)
          try writer.append(Event(time: time, device: name, input: .save(sample)))
        }
      }
    }
    try writer.finish()
    try output.commit()
    return path
  }

  /// Writes devices one after the other, three blocks each.
  private func writeTrace(_ passage: Passage, devices: Int) throws -> String {
    try writeTrace(passage, blocks: (0..<3 * devices).map { [$0 / 3] })
  }

  private var policy: Policy {
    var policy = Policy.iOS
    policy.subscriptions = (0..<3).map {
      .init(app: "app", type: "T\($0)", frequency: .hourly)
    }
    return policy
  }

  /// The blocks that are claimed, one after the other.
  ///
  /// - Parameter applies: Whether each is applied before the next is claimed; else none is.
  private func claims(
    of path: String, applies: Bool, _ change: (inout ReplayOptions) -> Void = { _ in }
  ) throws -> [Int] {
    var options = ReplayOptions()
    options.policy = policy
    change(&options)
    let index = try TraceIndex(
      files: [TraceFile(path: path)], selection: options.selection, keepsGoing: false)
    let symbols = Symbols()
    let log = try options.wakeLog.map {
      WakeLogWriter(
        try WakeLog(path: $0, isPrivate: false), symbols, times: options.times,
        threads: options.threads)
    }
    defer { log?.cancel() }
    let run = ReplayRun(
      index: index, shared: ReplayShared(options: options, symbols: symbols, log: log),
      progress: nil)
    var claimed: [Int] = []
    while let place = run.claimNext() {
      claimed.append(place)
      if applies { run.claims.withLock { $0.noteApplied(place) } }
    }
    return claimed
  }

  @Test("prefer blocks of devices that no thread is busy with, and then the first")
  func freeFirst() throws {
    let passage = try Passage()
    let path = try writeTrace(passage, devices: 3)
    #expect(try claims(of: path, applies: false) == [0, 3, 6, 1, 2, 4, 5, 7, 8])
    #expect(try claims(of: path, applies: true) == Array(0..<9))
  }

  @Test("follow devices through files that were joined", arguments: [1, 5, 10, 20])
  func joined(count: Int) throws {
    let passage = try Passage()
    let (some, others) = (Array(0..<count), Array(count..<2 * count))
    let path = try writeTrace(passage, blocks: [some, others, some, others, some, others])
    #expect(try claims(of: path, applies: true) == [0, 2, 4, 1, 3, 5], "\(count) devices a block")
    #expect(try claims(of: path, applies: false) == [0, 1, 2, 3, 4, 5], "\(count) devices a block")
  }

  @Test("take a block when the earlier blocks of all its devices are applied")
  func shiftedBlocks() throws {
    let passage = try Passage()
    // The second file's blocks end elsewhere.
    let path = try writeTrace(
      passage, blocks: [[0, 1], [2, 3], [4, 5], [0], [1, 2, 3, 4], [5]])
    #expect(try claims(of: path, applies: true) == [0, 3, 1, 2, 5, 4])
  }

  @Test("leave out blocks of devices that are not replayed")
  func selection() throws {
    let passage = try Passage()
    let path = try writeTrace(passage, blocks: [[0, 1], [2], [0, 1], [2, 3], [3]])
    let claimed = try claims(of: path, applies: true) {
      $0.selection.devices = [ExactName("device 3")]
    }
    #expect(claimed.count == 2, "\(claimed)")
    #expect(try claims(of: path, applies: true) == [0, 2, 1, 3, 4])
  }

  @Test("are in order where a log is written in order", arguments: [1, 2])
  func inOrder(threads: Int) throws {
    let passage = try Passage()
    let path = try writeTrace(passage, blocks: [[0], [1], [0], [1], [0], [1]])
    let logged = try claims(of: path, applies: true) {
      $0.threads = threads
      $0.wakeLog = passage.folder.file("wakes.jsonl")
    }
    #expect(logged == Array(0..<6))
  }

  /// Blocks of several devices each: joined files, with blocks that begin elsewhere in each.
  private func joinedBlocks() -> [[Int]] {
    (0..<6).flatMap { file in
      var devices = Array((0..<40).reversed())
      var blocks: [[Int]] = []
      while !devices.isEmpty {
        let count = [1, 2, 4, 5, 10][(blocks.count + file) % 5]
        blocks.append((0..<count).compactMap { _ in devices.popLast() })
      }
      return blocks
    }
  }

  @Test("of joined files do not change what their devices give", arguments: 1...5)
  func joinedResults(threads: Int) throws {
    let passage = try Passage()
    let path = try writeTrace(passage, blocks: joinedBlocks())
    let inOrder = try passage.replay([path], policy) { _ in }.result
    #expect(inOrder.summary.wakes >= 40)
    for round in 0..<5 {
      let result = try passage.replay([path], policy, threads: threads) { $0.wakeLog = nil }.result
      #expect(result.summary == inOrder.summary, "round \(round)")
      #expect(result.digest == inOrder.digest, "round \(round)")
      #expect(result.savesPerWake == inOrder.savesPerWake, "round \(round)")
    }
  }

  @Test("do not change what devices of several blocks give", arguments: 2...5)
  func results(threads: Int) throws {
    let passage = try Passage()
    let path = try writeTrace(passage, devices: 40)
    let alone = try passage.replay([path], policy) { $0.wakeLog = nil }.result
    #expect(alone.summary.wakes >= 40 * 3)
    for round in 0..<5 {
      let result = try passage.replay([path], policy, threads: threads) { $0.wakeLog = nil }.result
      #expect(result.summary == alone.summary, "round \(round)")
      #expect(result.digest == alone.digest, "round \(round)")
      #expect(result.savesPerWake == alone.savesPerWake, "round \(round)")
    }
  }
}
