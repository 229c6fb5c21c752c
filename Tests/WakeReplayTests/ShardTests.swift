import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeReplay

@Suite("Shards")
struct ShardTests {
  private func replay(
    _ files: [TraceFile], _ policy: Policy, _ shard: DeviceShard?,
    _ change: (inout ReplayOptions) -> Void = { _ in }
  ) throws -> ReplayResult {
    var options = ReplayOptions()
    options.policy = policy
    options.keepsGoing = true
    options.selection.shard = shard
    options.waitLog = "/dev/null"
    options.bounds = .init()
    change(&options)
    return try ReplayMergeTests.passed(Replayer(files: files, options: options).run().repeatable)
  }

  private func check(
    _ files: [TraceFile], _ policy: Policy, counts: [Int], _ what: String,
    _ change: (inout ReplayOptions) -> Void = { _ in }
  ) throws {
    let expected = try ReplayMergeTests.merged([replay(files, policy, nil, change)])
    for count in counts {
      let shards = try (1...count).map {
        try replay(files, policy, DeviceShard(number: $0, count: count), change)
      }
      #expect(
        try ReplayMergeTests.merged(shards).json == expected.json, "\(what): \(count) shards")
    }
  }

  @Test(
    "of a trace merge to the whole, byte for byte",
    arguments: ["fleet", "damaged/flipped-payload", "watch-day", "iphone-day", "pushes"])
  func traces(name: String) throws {
    let path = PackageFolder.root.appending(path: "Traces/\(name).wtrace").path()
    let file = try TraceFile(path: path)
    try check([file], .watchOS, counts: [1, 2, 7, 120], name)
    // Twice the same stream, so that blocks and streams repeat.
    try check([file, file], .iOS, counts: [3], name)
  }

  @Test("of random inputs do, filtered, damaged or not", arguments: RandomSeeds.orFirst(4))
  func random(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 2_000)
    let names = (0..<40).map { "device \($0)" }
    let passage = try Passage()
    let events = random.spread(over: names)
    let half = events.count / 2
    let paths = [
      try passage.importing(Array(events[..<half]), symbols: random.symbols, as: "one"),
      try passage.importing(Array(events[half...]), symbols: random.symbols, as: "two"),
    ]
    // Bytes that belong to no block, between blocks.
    var bytes = try Data(contentsOf: URL(filePath: paths[0]))
    bytes += Data([1, 2, 3]) + (try Data(contentsOf: URL(filePath: paths[1])))
    let damaged = passage.folder.file("damaged.wtrace")
    try bytes.write(to: URL(filePath: damaged))
    let times = events.map(\.time.nanoseconds).sorted()
    for (what, paths) in [("whole", paths), ("damaged", [damaged])] {
      let files = try paths.map { try TraceFile(path: $0) }
      try check(files, random.policy, counts: [2, 5], "seed \(seed), \(what)")
      try check(files, random.policy, counts: [3], "seed \(seed), \(what), filtered") {
        $0.selection.from = times[times.count / 3]
        $0.selection.devices = Set(names.prefix(25).map { ExactName($0) })
        $0.threads = 2
      }
    }
  }

  @Test("have about as many devices each, and each device once")
  func spread() {
    for count in [1, 2, 10, 64] {
      var devices = [Int](repeating: 0, count: count)
      for number in 0..<10_000 {
        let hash = NameHash.device("device-\(number)")
        let index = DeviceShard.index(ofDeviceHash: hash, among: count)
        devices[index] += 1
        #expect(DeviceShard(number: index + 1, count: count)?.contains(deviceHash: hash) == true)
      }
      let mean = 10_000 / count
      #expect(devices.allSatisfy { abs($0 - mean) < mean / 2 }, "\(count): \(devices)")
    }
    #expect(DeviceShard("3/8")?.description == "3/8")
    for text in ["", "3", "0/8", "9/8", "-1/8", "3/8/8", "3/", "+3/8", " 3/8"] {
      #expect(DeviceShard(text) == nil, "\(text)")
    }
    // As the page Fleets says, for other programs.
    #expect(DeviceShard.index(ofDeviceHash: NameHash.device("device-005"), among: 1_000) == 811)
  }

  @Test("and several policies give in one replay what they give one by one", arguments: [1, 3])
  func policies(threads: Int) throws {
    let random = RandomInputs(seed: 8, count: 3_000)
    let passage = try Passage()
    let trace = try passage.importing(
      random.spread(over: (0..<30).map { "d\($0)" }), symbols: random.symbols)
    let file = try TraceFile(path: trace)
    var options = ReplayOptions()
    options.threads = threads
    let policies = [random.policy, .iOS, .watchOS]
    (options.policy, options.policyName) = (policies[0], "random")
    options.otherPolicies = [.init(.iOS, name: "ios"), .init(.watchOS, name: "watchos")]
    let results = try Replayer(files: [file, file], options: options).runAll()
    options.otherPolicies = []
    for (result, policy) in zip(results, policies) {
      (options.policy, options.policyName) = (policy, result.basis.policyName)
      let alone = try Replayer(files: [file, file], options: options).run()
      #expect(result.repeatable.json == alone.repeatable.json)
    }
    #expect(Set(results.map(\.digest)).count == 3)
  }
}
