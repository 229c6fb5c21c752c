import Foundation
import Testing
import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeReplay

@Suite("Merged results")
struct ReplayMergeTests {
  static let devices = ["", "watch", "phone", "pad/2", "ring"]

  /// As a result goes from task to task: through its JSON.
  static func passed(_ result: ReplayResult) throws -> ReplayResult {
    try read(result.jsonLine)
  }

  static func read(_ text: String) throws -> ReplayResult {
    var sequence = JSONSequence()
    sequence.append(Array(text.utf8))
    let element = try #require(try sequence.next())
    return try element.bytes.withJSONBytes { bytes throws(JSONError) in
      var parser = JSONParser(bytes)
      return try ReplayResult(reading: &parser)
    }
  }

  static func merged(_ results: [ReplayResult]) throws -> ReplayResult {
    let merge = ReplayMerge()
    for result in results { try merge.add(result) }
    return try #require(try merge.finish())
  }

  /// The merge of all results by each tree over them in this order.
  private func trees(_ results: ArraySlice<ReplayResult>) throws -> [ReplayResult] {
    guard results.count > 1 else { return Array(results) }
    return try (1..<results.count).flatMap { cut in
      let (left, right) = (
        try trees(results.prefix(cut)), try trees(results.dropFirst(cut))
      )
      return try left.flatMap { one in
        try right.map { try Self.passed(Self.merged([one, $0])) }
      }
    }
  }

  private func orders<Element>(_ elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { place in
      var rest = elements
      let first = rest.remove(at: place)
      return orders(rest).map { [first] + $0 }
    }
  }

  private func results(seed: UInt64, shards: Int? = nil) throws -> (
    whole: ReplayResult, parts: [ReplayResult]
  ) {
    let random = RandomInputs(seed: seed, count: 600)
    let passage = try Passage()
    let trace = try passage.importing(random.spread(over: Self.devices), symbols: random.symbols)
    func replay(_ change: (inout ReplayOptions) -> Void) throws -> ReplayResult {
      try passage.replay([trace], random.policy) {
        $0.wakeLog = nil
        $0.waitLog = "/dev/null"
        $0.bounds = .init()
        change(&$0)
      }.result.repeatable
    }
    let parts = try shards.map { count in
      try (1...count).map { number in
        try replay { $0.selection.shard = DeviceShard(number: number, count: count) }
      }
    }
    return (
      try replay { _ in },
      try parts
        ?? Self.devices.map { name in
          try replay { $0.selection.devices = [ExactName(name)] }
        }
    )
  }

  @Test("are those of one replay, in every order and by every tree", arguments: [false, true])
  func everyTree(isSharded: Bool) throws {
    var (whole, parts) = try results(seed: 3, shards: isSharded ? 4 : nil)
    if !isSharded {
      // Four parts, of which one is a merge.
      let last = try Self.merged([parts[3], parts[4]])
      parts = parts.prefix(3) + [last]
    }
    // A block is counted once for each result that has some of its devices, unless they are shards.
    let blocks = parts.reduce(0) { $0 + $1.blocks }
    #expect(!isSharded || blocks == whole.blocks)
    whole.blocks = blocks
    let expected = try Self.merged([Self.passed(whole)]).json
    #expect(whole.waiting != nil && whole.bounds != nil && whole.summary.wakes > 0)
    #expect(try Self.merged([whole]).summary == whole.summary)
    var tried = 0
    for order in orders(try parts.map(Self.passed)) {
      for tree in try trees(order[...]) {
        #expect(try Self.merged([tree]).json == expected)
        tried += 1
      }
      #expect(try Self.merged(order).json == expected)
    }
    #expect(tried == 24 * 5)
  }

  /// A result of made-up figures.
  private func made(_ random: inout SplitMix64, like result: ReplayResult) -> ReplayResult {
    var made = result
    let hashes = (0..<Int(random.next() % 4) + 1).map { _ in random.next() }
    made.devices = hashes.count
    made.deviceSum.value = hashes.reduce(0, &+)
    made.deviceHashes = DeviceSample()
    for hash in hashes { made.deviceHashes.add(hash) }
    made.deviceHashes.finish()
    made.basis.policyName = random.pick(["b.json", "a.json", "./a.json"])
    made.summary.digest.value = random.next()
    made.digest = made.summary.digest
    made.summary.wakes = Int(random.next() % 1_000)
    made.summary.stoppedApps = (0..<random.next() % 3).map { "\($0 % 2)/app" }
    made.apps = (0..<random.next() % 4).map {
      .init(app: "app \($0)", wakes: Int(random.next() % 9))
    }
    made.wakesByCause = ["health": Int(random.next() % 10)]
    func distribution() -> Distribution {
      let parts = (0..<random.next() % 5).map { _ in
        let value = Int64(random.next() >> (random.next() % 60 + 1))
        var one = Distribution()
        (one.count, one.minimum, one.maximum) = (1, value, value)
        one.sum.value = UInt128(value)
        one.buckets = [.init(upTo: value, count: 1)]
        return one
      }
      return .merged(parts)
    }
    (made.savesPerWake, made.staleness, made.latency) = (
      distribution(), distribution(), distribution()
    )
    made.traces = [.init(file: "\(random.next() % 40).wtrace", bytes: 5)]
    made.notices = ["notice \(random.next() % 150)"]
    made.loss.damages = [.init(file: "f", offset: Int64(random.next() % 90), message: "m")]
    made.loss.damagedPlaces = 1
    return made
  }

  @Test("do not depend on a random tree", arguments: RandomSeeds.orFirst(10))
  func randomTrees(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var model = try results(seed: 1).parts[0]
    (model.waiting, model.bounds) = (nil, nil)
    let parts = (0..<150).map { _ in made(&random, like: model) }
    let expected = try Self.merged(parts).json
    for _ in 0..<4 {
      var heap = parts
      while heap.count > 1 {
        let group = (0..<min(heap.count, Int(random.next() % 6) + 2)).map { _ in
          heap.remove(at: Int(random.next() % UInt64(heap.count)))
        }
        heap.append(try Self.passed(Self.merged(group)))
      }
      #expect(try Self.merged(heap).json == expected, "seed \(seed)")
    }
  }

  @Test("are read as JSONDecoder reads them")
  func reading() throws {
    var whole = try results(seed: 4).whole
    // JSONDecoder takes names for one that differ in their Unicode form alone.
    if Set(whole.apps.map(\.app)).count < whole.apps.count { whole.bounds = nil }
    let decoded = try JSONDecoder().decode(ReplayResult.self, from: Data(whole.json.utf8))
    #expect(decoded.json == whole.json)
    // Percentiles and means are found again from buckets and sums.
    #expect(try Self.merged([Self.read(whole.json)]).json == Self.merged([decoded]).json)
    #expect(try Self.merged([Self.read(whole.jsonLine)]).json == Self.merged([decoded]).json)
  }

  private func refusal(_ results: [ReplayResult], _ repeats: ReplayMerge.Repeats = .refused)
    -> String?
  {
    let merge = ReplayMerge(repeats: repeats)
    do throws(ReplayMerge.Refusal) {
      for result in results { try merge.add(result) }
      _ = try merge.finish()
      return nil
    } catch {
      return error.field
    }
  }

  @Test("refuse what cannot be added")
  func refused() throws {
    let (whole, parts) = try results(seed: 5)
    let shards = try results(seed: 5, shards: 3).parts
    #expect(refusal(parts) == nil && refusal(shards) == nil)
    let pair = try Self.merged([parts[0], parts[1]])
    #expect(refusal([parts[0], parts[1], parts[0]]) == "deviceSum")
    #expect(refusal([pair, parts[0]]) == "deviceHashes")
    #expect(refusal([parts[0], pair], .skipped) == "deviceHashes")
    #expect(refusal([whole, parts[3]]) == "deviceHashes")
    #expect(refusal([shards[0], shards[1], shards[0]]) == "shard")
    let two = try Self.merged([shards[0], shards[1]])
    #expect(refusal([two, shards[1]], .skipped) == "shard")
    let others = try results(seed: 5, shards: 2).parts
    #expect(refusal([shards[0], others[1]]) == "shard")
    // Shards of one input and the whole of another, only if the shards are all there.
    var foreign = parts[0]
    foreign.deviceSum.value = 77
    foreign.deviceHashes = DeviceSample()
    foreign.deviceHashes.add(77)
    foreign.deviceHashes.finish()
    #expect(refusal([shards[0], foreign, shards[1]]) == "shard")
    #expect(refusal([shards[0], foreign, shards[1], shards[2]]) == nil)
    for (field, change) in [
      ("basis.policy", { $0.basis.policy.value += 1 }), ("basis.rules", { $0.basis.rules += 1 }),
      ("basis.format", { $0.basis.format += 1 }), ("basis.from", { $0.basis.from = 5 }),
      ("basis.from", { $0.basis.to = 5 }), ("basis.types", { $0.basis.types = ["T"] }),
      ("without", { $0.without = ["budget"] }), ("scheduler", { $0.scheduler = "other" }),
      ("deviceSum", { $0.deviceSum.value += 1 }), ("devices", { $0.devices = 0 }),
      ("summary.wakes", { $0.summary.wakes = -1 }), ("summary.wakes", { $0.summary.wakes = .max }),
      ("deviceHashes", { $0.devices += 1 }),
    ] as [(String, (inout ReplayResult) -> Void)] {
      var changed = parts[1]
      change(&changed)
      #expect(refusal([parts[0], changed]) == field)
    }
    var other = shards[1]
    other.basis.devices = ["watch"]
    #expect(refusal([shards[0], other]) == "basis.devices")
    var wrong = shards[1]
    wrong.shard = ShardSet("3/3")
    #expect(wrong.devices == 0 || refusal([wrong]) == "shard")
  }

  @Test("count a repeated result once, if asked to, and never one with other figures")
  func repeats() throws {
    let parts = try results(seed: 6).parts
    let merge = ReplayMerge(repeats: .skipped)
    for result in parts + parts.reversed() { try merge.add(result) }
    #expect(merge.skipped == parts.count)
    #expect(try merge.finish()?.json == Self.merged(parts).json)
    var other = parts[0]
    (other.summary.digest.value, other.digest.value) = (9, 9)
    #expect(refusal([parts[0], other], .skipped) == "digest")
    other = parts[0]
    other.staleness = Distribution()
    #expect(refusal([parts[0], other], .skipped) == "digest")
    // A sum of one result repeats it, too.
    #expect(refusal([parts[0], try Self.passed(Self.merged([parts[0]]))], .skipped) == nil)
  }

  @Test("refuse a repeated result of which one has waits or bounds and the other has none")
  func repeatsInUnequalDetail() throws {
    let part = try results(seed: 6).parts[0]
    try #require(part.waiting != nil && part.bounds != nil)
    for (field, change) in [
      ("waiting", { $0.waiting = nil }), ("bounds", { $0.bounds = nil }),
    ] as [(String, (inout ReplayResult) -> Void)] {
      var other = part
      change(&other)
      #expect(refusal([part, other], .skipped) == field)
      #expect(refusal([other, part], .skipped) == field)
    }
  }

  @Test("do not depend on which of two copies comes first")
  func repeatsInAnyOrder() throws {
    let parts = try results(seed: 6).parts
    var copy = parts[0]
    copy.basis.policyName = "!"
    copy.traces = copy.traces.map { ReplayResult.Trace(file: "copy/" + $0.file, bytes: $0.bytes) }
    func skipping(_ results: [ReplayResult]) throws -> String? {
      let merge = ReplayMerge(repeats: .skipped)
      for result in results { try merge.add(result) }
      return try merge.finish()?.json
    }
    let json = try skipping(parts + [copy])
    #expect(json != nil)
    #expect(try json == skipping([copy] + parts))
  }

  @Test("count a loss without devices once, and tell of waits that are left out")
  func lossesAndWaits() throws {
    var part = try results(seed: 6).parts[0]
    (part.devices, part.deviceSum, part.deviceHashes) = (0, Digest(), DeviceSample())
    part.loss = ReplayResult.Loss()
    part.loss.missingBlocks = 2
    #expect(refusal([part, part]) == "deviceSum")
    let merge = ReplayMerge(repeats: .skipped)
    for _ in 0..<2 { try merge.add(part) }
    #expect(try merge.finish()?.loss.missingBlocks == 2)
    let parts = try results(seed: 6).parts
    var other = parts[1]
    other.waiting = nil
    let uneven = ReplayMerge()
    for result in [parts[0], other] { try uneven.add(result) }
    #expect(uneven.remarks == ["waits are left out: 1 of 2 results have none; replay with --waits"])
  }

  @Test("refuse an app that is there twice, as its sums are checked only afterwards")
  func repeatedApp() throws {
    var part = try results(seed: 6).parts[0]
    let app = try #require(part.apps.first)
    part.apps += Array(repeating: app, count: 9)
    #expect(refusal([part]) == "apps")
  }

  @Test("refuse results in which a part is missing")
  func missingParts() throws {
    let part = try results(seed: 6).parts[0]
    for key in ["missingBlocks", "pendingAtEnd", "wakesByCause", "waited", "items", "apps"] {
      let text = part.jsonLine.replacing("\"\(key)\":", with: "\"other\":")
      #expect(text != part.jsonLine, "\(key)")
      let error = #expect(throws: JSONError.self) { try Self.read(text) }
      #expect("\(error.debugDescription)".contains(key), "\(key)")
    }
  }

  @Test("refuse a sum that no values up to the maximum have")
  func impossibleSum() throws {
    var part = try results(seed: 6).parts[0]
    part.staleness = Distribution()
    (part.staleness.count, part.staleness.minimum, part.staleness.maximum) = (3, 0, 45)
    part.staleness.buckets = [.init(upTo: 0, count: 2), .init(upTo: 90, count: 1)]
    part.staleness.sum.value = 45
    #expect(part.implausibleCount == nil)
    part.staleness.sum.value = 46
    #expect(part.implausibleCount == "staleness")
  }

  @Test("refuse shards of other traces")
  func shardsOfOtherTraces() throws {
    var shards = try results(seed: 5, shards: 3).parts
    #expect(shards[0].basis.contents == shards[2].basis.contents)
    #expect(shards[0].basis.contents?.value ?? 0 > 0)
    shards[2].basis.contents?.value += 1
    #expect(refusal(shards) == "basis.contents")
  }

  @Test("tell which shards are missing")
  func missing() throws {
    let shards = try results(seed: 5, shards: 7).parts
    let merge = ReplayMerge()
    for place in [5, 0, 1] { try merge.add(shards[place]) }
    #expect(merge.missingShards == "4 of 7 shards are missing: 3-5, 7")
    #expect(try merge.finish()?.shard?.description == "1-2,6/7")
    for place in [2, 3, 4, 6] { try merge.add(shards[place]) }
    #expect(try merge.missingShards == nil && merge.finish()?.shard == nil)
    for text in ["", "0/3", "4/3", "1,2/3", "2-1/3", "1-/3", "+1/3", "1/3/3", "1/16777217"] {
      #expect(ShardSet(text) == nil, "\(text)")
    }
  }

  @Test("of policies: a hash for each, which every property changes")
  func policyHash() {
    var policies = [Policy.iOS, .watchOS]
    func changed(_ change: (inout Policy) -> Void) {
      var policy = Policy.watchOS
      change(&policy)
      policies.append(policy)
    }
    changed { $0.caps[ExactName("T")] = .daily }
    changed { $0.defaultCap = .daily }
    changed { $0.budget?.limit += 1 }
    changed { $0.budget = nil }
    changed { $0.completionTimeout += 1 }
    changed { $0.maxStrikes += 1 }
    changed { $0.backoffBase += 1 }
    changed { $0.backoffFactor += 0.5 }
    changed { $0.backoffMax += 1 }
    changed { $0.pushLimit += 1 }
    changed { $0.pushWindow += 1 }
    changed { $0.minimumRefreshInterval += 1 }
    changed { $0.carry = .due }
    changed { $0.forceQuitBlocksHealth.toggle() }
    changed { $0.lockBlocksHealth.toggle() }
    changed { $0.subscriptions = [.init(app: "a", type: "T")] }
    changed { $0.subscriptions = [.init(app: "a", type: "T", frequency: .daily)] }
    changed { $0.behaviour.ignoresEvery = 2 }
    #expect(Mirror(reflecting: Policy.iOS).children.count == 17)
    #expect(Set(policies.map(\.contentHash)).count == policies.count)
    // As in results of other runs.
    #expect(Policy.iOS.contentHash.description == "b5c25562ef6cc4dc")
  }
}
