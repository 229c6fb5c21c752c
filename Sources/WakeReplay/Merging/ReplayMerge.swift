import WakeEvents
import WakeScheduling
import WakeTrace

/// Adds results of replays of different devices, in any order, any number, and in any tree: a merged result is a result.
///
///     let merge = ReplayMerge(repeats: .skipped)
///     for result in results { try merge.add(result) }
///     let whole = try merge.finish()
///
/// Results are refused that have another basis, or devices of an earlier one. Memory grows by some 75 bytes a result, and
/// with the names of apps, not with what the results count.
public final class ReplayMerge {
  /// What becomes of a result that repeats an earlier one, as of a task that was run twice.
  public enum Repeats: String, CaseIterable, Sendable {
    /// It is an error.
    case refused = "refuse"
    /// It is not counted again.
    case skipped = "skip"
  }

  /// Why a result cannot be added.
  public struct Refusal: Error, Hashable, Sendable {
    /// The key that is the reason.
    public var field: String
    /// The reason.
    public var message: String
  }

  private let repeats: Repeats
  private var first: ReplayResult?
  private var sums: ResultSums?
  /// By ``identity(_:)``.
  private var known: [Int: Fingerprint] = [:]
  private var devices = SeenDevices()
  private var shards: ShardMap?
  private var shardedBasis: ReplayResult.Basis?
  /// Results of all devices of their traces, with some device.
  private var unsharded = 0
  /// How many results have repeated others and were not counted.
  public private(set) var skipped = 0

  /// Makes a merge of nothing.
  public init(repeats: Repeats = .refused) {
    self.repeats = repeats
  }

  /// Adds a result.
  ///
  /// - Returns: Whether it was counted; false if it repeats an earlier one.
  /// - Complexity: O(result).
  /// - Throws: ``Refusal``, which names the field: another policy, selection or version, a count that no replay gives, or a
  ///   device or shard that is there twice.
  @discardableResult
  public func add(_ result: ReplayResult) throws(Refusal) -> Bool {
    if let key = result.implausibleCount {
      throw Refusal(
        field: key,
        message: "count is negative, too large or inconsistent, or a name is there twice")
    }
    try checkBasis(result)
    if try isKnown(result) {
      guard repeats == .skipped else {
        throw Refusal(
          field: result.shard == nil ? "deviceSum" : "shard",
          message: "\(Self.whose(result)) is there twice; --repeats skip counts it once")
      }
      skipped += 1
      sums?.addRepeat(result)
      return false
    }
    try checkDevices(result)
    let sums = sums ?? ResultSums(like: result)
    self.sums = sums
    if first == nil { first = result }
    if let set = result.shard {
      var map = shards ?? ShardMap(count: set.count)
      shards = nil
      map.insert(set)
      shards = map
      if shardedBasis == nil { shardedBasis = result.basis }
    } else if result.devices > 0 {
      unsharded += 1
    }
    if let large = sums.add(result) {
      throw Refusal(field: large, message: "adds up to more than 2^60")
    }
    return true
  }

  private static func whose(_ result: ReplayResult) -> String {
    if let shard = result.shard { return "shard \(shard)" }
    if result.devices == 0 {
      return result.loss.damages.first.map { "the damage in \($0.file.shown)" }
        ?? "a loss without devices"
    }
    return "the result of \(result.devices) device\(result.devices == 1 ? "" : "s") with the sum "
      + "\(result.deviceSum)"
  }

  private func checkBasis(_ result: ReplayResult) throws(Refusal) {
    guard let first else { return }
    func rules(_ result: ReplayResult) -> String {
      result.without.map { "without " + $0.joined(separator: ",") } ?? "by all rules"
    }
    func scheduler(_ result: ReplayResult) -> String {
      result.scheduler.map { "the scheduler \($0.shown)" } ?? "Rouse's scheduler"
    }
    if result.without != first.without {
      throw Refusal(
        field: "without",
        message: "the replay was \(rules(result)), but the others \(rules(first)): merge results "
          + "of the same rules")
    }
    if result.scheduler != first.scheduler {
      throw Refusal(
        field: "scheduler",
        message: "the replay was on \(scheduler(result)), but the others on \(scheduler(first)): "
          + "merge results of the same scheduler")
    }
    if let (field, message) = result.basis.difference(from: first.basis) {
      throw Refusal(field: field, message: message)
    }
    if result.shard != nil, let sharded = shardedBasis,
      let (field, message) = result.basis.shardDifference(from: sharded)
    {
      throw Refusal(field: field, message: message)
    }
  }

  /// Whether an earlier result is of the same devices and has the same figures.
  private func isKnown(_ result: ReplayResult) throws(Refusal) -> Bool {
    // Nothing is counted twice of a file without devices and damage.
    guard result.devices > 0 || result.shard != nil || result.loss != ReplayResult.Loss() else {
      return false
    }
    let content = Fingerprint(result)
    let identity = Self.identity(result)
    guard let known = known[identity] else {
      known[identity] = content
      return false
    }
    guard known.hasWaiting == content.hasWaiting, known.hasBounds == content.hasBounds else {
      throw Refusal(
        field: known.hasWaiting == content.hasWaiting ? "bounds" : "waiting",
        message: "\(Self.whose(result)) is there twice, once without: keep one of the two")
    }
    guard known == content else {
      throw Refusal(
        field: "digest",
        message: "\(Self.whose(result)) is there twice with different figures: the traces, or what "
          + "is damaged in them, differ")
    }
    return true
  }

  private static func identity(_ result: ReplayResult) -> Int {
    var hasher = Hasher()
    hasher.combine(result.shard)
    hasher.combine(result.devices)
    hasher.combine(result.deviceSum)
    // Sums of hashes of names that differ in their last characters are often equal.
    hasher.combine(result.deviceHashes.hashes)
    // What is damaged in whole has no devices, but a name.
    if result.devices == 0 {
      hasher.combine(result.loss)
      hasher.combine(result.traces)
    }
    return hasher.finalize()
  }

  private func checkDevices(_ result: ReplayResult) throws(Refusal) {
    if let set = result.shard {
      if let map = shards {
        guard map.count == set.count else {
          throw Refusal(
            field: "shard",
            message: "shard \(set), but the others are shards of \(map.count): merge the shards of "
              + "each number by themselves first")
        }
        if let number = map.first(of: set) {
          throw Refusal(
            field: "shard",
            message: "shard \(number) of \(set.count) is there twice, and not of the same devices")
        }
      }
    }
    if let hash = devices.insert(result.deviceHashes.hashes) {
      throw Refusal(
        field: "deviceHashes",
        message:
          "the device with the hash \(Digest(value: hash)) is in an earlier result, too: replay "
          + "all traces of a device in one task, or use --shard")
    }
  }

  /// What shards are missing, in words; nil if none is.
  public var missingShards: String? {
    guard let shards, !shards.isComplete else { return nil }
    let missing = shards.ranges(present: false)
    let number = shards.count - shards.present
    return "\(number) of \(shards.count) shards \(number == 1 ? "is" : "are") missing: "
      + ShardSet.text(missing, separator: ", ", limit: 20)
  }

  /// What was left out of the sum, in words.
  public var remarks: [String] { [sums?.missingWaiting, sums?.missingBounds].compactMap(\.self) }

  /// The sum; nil if no result was added. Of all shards it is what one replay of all devices gives, but for what was
  /// measured.
  ///
  /// - Throws: ``Refusal`` if shards are missing, but there are results of whole traces, too.
  public func finish() throws(Refusal) -> ReplayResult? {
    guard var result = sums?.result else { return nil }
    (result.shard, result.basis.devices, result.basis.contents) = (nil, nil, nil)
    guard let shards, !shards.isComplete else { return result }
    guard unsharded == 0 else {
      throw Refusal(
        field: "shard",
        message: "there are results of shards and of whole traces, but \(missingShards ?? "")")
    }
    result.shard = ShardSet(shards)
    result.basis.devices = shardedBasis?.devices
    result.basis.contents = shardedBasis?.contents
    return result
  }
}

/// What a repeated replay finds again: all but what is measured, and lists that may be cut.
private struct Fingerprint: Equatable {
  let hasWaiting: Bool
  let hasBounds: Bool
  private let hash: Int32

  init(_ result: ReplayResult) {
    (hasWaiting, hasBounds) = (result.waiting != nil, result.bounds != nil)
    var hasher = Hasher()
    var summary = result.summary
    summary.stoppedApps = []
    hasher.combine(summary)
    hasher.combine(result.loss.damagedPlaces)
    hasher.combine(result.wakesByCause)
    hasher.combine(result.apps)
    Self.combine(result.savesPerWake, &hasher)
    Self.combine(result.staleness, &hasher)
    for part in result.waiting.map({ [$0.all] + $0.items }) ?? [] {
      hasher.combine(part.app)
      hasher.combine(part.type)
      hasher.combine(part.reasons)
      hasher.combine(part.dropped)
      Self.combine(part.waited, &hasher)
    }
    hasher.combine(result.bounds)
    hash = Int32(truncatingIfNeeded: hasher.finalize())
  }

  /// A merged distribution knows no event of its greatest value.
  private static func combine(_ distribution: Distribution, _ hasher: inout Hasher) {
    hasher.combine(distribution.sum)
    hasher.combine(distribution.buckets)
  }
}

/// Hashes of devices that results have listed, at most ``most``; of more, those whose mixed hashes are least.
private struct SeenDevices {
  private static let most = 1 << 21
  private var hashes: Set<UInt64> = []
  private var limit = UInt64.max

  /// Adds devices; returns one that was there.
  mutating func insert(_ new: [UInt64]) -> UInt64? {
    for hash in new where hash.splitMixed <= limit {
      guard hashes.insert(hash).inserted else { return hash }
    }
    while hashes.count > Self.most {
      limit /= 2
      // A new set, as a set keeps its memory.
      let kept = hashes.filter { $0.splitMixed <= limit }
      hashes = kept
    }
    return nil
  }
}
