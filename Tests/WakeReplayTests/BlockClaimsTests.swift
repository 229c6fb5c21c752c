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

  /// The blocks that are claimed, one after the other, while none is applied.
  private func claims(
    of path: String, _ change: (inout ReplayOptions) -> Void
  ) throws -> [Int] {
    var options = ReplayOptions()
    options.policy = policy
    change(&options)
    let index = try TraceIndex(
      files: [TraceFile(path: path)], selection: options.selection, keepsGoing: false)
    let log = try options.wakeLog.map { try WakeLog(path: $0, isPrivate: false) }
    let run = ReplayRun(
      index: index, shared: ReplayShared(options: options, log: log), progress: nil)
    var claimed: [Int] = []
    while let place = run.claimNext() { claimed.append(place) }
    return claimed
  }

  @Test("prefer blocks of devices that no thread is busy with")
  func freeFirst() throws {
    let passage = try Passage()
    let path = try writeTrace(passage, devices: 3)
    #expect(try claims(of: path) { $0.threads = 2 } == [0, 3, 6, 1, 2, 4, 5, 7, 8])
  }

  @Test(
    "are ahead of earlier ones where blocks have few devices", arguments: [5, 10, 20])
  func severalDevices(count: Int) throws {
    let passage = try Passage()
    let (some, others) = (Array(0..<count), Array(count..<2 * count))
    let path = try writeTrace(passage, blocks: [some, some, others, others])
    let expected = count <= 16 ? [0, 2, 1, 3] : [0, 1, 2, 3]
    #expect(try claims(of: path) { $0.threads = 2 } == expected, "\(count) devices a block")
  }

  @Test("are in order with one thread, and where a log is written in order")
  func inOrder() throws {
    let passage = try Passage()
    let path = try writeTrace(passage, devices: 3)
    #expect(try claims(of: path) { $0.threads = 1 } == Array(0..<9))
    let logged = try claims(of: path) {
      $0.threads = 2
      $0.wakeLog = passage.folder.file("wakes.jsonl")
    }
    #expect(logged == Array(0..<9))
  }

  @Test("are no further ahead than the window")
  func window() throws {
    let passage = try Passage()
    let path = try writeTrace(passage, devices: 40)
    let claimed = try claims(of: path) { $0.threads = 2 }
    #expect(claimed.sorted() == Array(0..<120))
    var seen: Set<Int> = []
    var first = 0
    for place in claimed {
      #expect(
        place < first + ReplayRun.BlockClaims.window, "block \(place) while \(first) is not claimed"
      )
      seen.insert(place)
      while seen.contains(first) { first += 1 }
    }
    #expect(claimed.prefix(22) == ArraySlice((0..<22).map { $0 * 3 }))
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
