import WakeEvents
public import WakeScheduling
import WakeTrace

extension ReplayResult {
  /// What results must have in common to be added: the versions, the policy and the filters. Beside it also
  /// ``ReplayResult/without`` and ``ReplayResult/scheduler``.
  public struct Basis: Codable, Hashable, Sendable {
    /// The version of what a result holds; raised when figures get another meaning.
    public static let formatVersion = 1

    /// ``formatVersion``.
    public var format = Self.formatVersion
    /// `Policy.rulesVersion`.
    public var rules = Policy.rulesVersion
    /// A hash of everything in the policy. Policies of different files with the same values have the same.
    public var policy: Digest
    /// How the policy was named: the path of a file or a preset.
    public var policyName: String
    /// Only inputs at or after this time; nanoseconds since the Unix epoch.
    public var from: Int64?
    /// Only inputs before this time; nanoseconds since the Unix epoch.
    public var to: Int64?
    /// The types whose saves and deletes were kept, sorted; nil is all.
    public var types: [String]?
    /// Of a shard: the devices that all shards together keep, sorted; nil is all. Without a shard it is not told: the
    /// devices of different results differ.
    public var devices: [String]?
    /// Of a shard: the sum of hashes of the headers of all blocks of the traces of which it is a shard. Without a shard it
    /// is not told.
    public var contents: Digest?
  }
}

extension ReplayResult.Basis {
  init(_ options: ReplayOptions, contents: Digest) {
    let selection = options.selection
    policy = options.policy.contentHash
    policyName = options.policyName
    (from, to) = (selection.from, selection.to)
    func list(_ names: Set<ExactName>) -> [String]? {
      names.isEmpty ? nil : names.sorted().map(\.string)
    }
    types = list(selection.types)
    guard selection.shard != nil else { return }
    (devices, self.contents) = (list(selection.devices), contents)
  }

  /// What is the matter with adding results of another basis, as the field and the reason; nil if nothing is.
  func difference(from other: Self) -> (field: String, message: String)? {
    func times(_ basis: Self) -> String {
      "\(basis.from.map { "\($0)" } ?? "the beginning") to \(basis.to.map { "\($0)" } ?? "the end")"
    }
    if format != other.format {
      return ("basis.format", "is \(format), of the other results \(other.format)")
    }
    if rules != other.rules {
      return ("basis.rules", "are of version \(rules), of the other results \(other.rules)")
    }
    if policy != other.policy {
      return (
        "basis.policy",
        "is \(policyName.shown) (\(policy)), of the other results \(other.policyName.shown) "
          + "(\(other.policy)): merge results of one policy, or each policy by itself with --by-policy"
      )
    }
    if from != other.from || to != other.to {
      return ("basis.from", "inputs from \(times(self)), of the other results from \(times(other))")
    }
    if types != other.types {
      return (
        "basis.types",
        "are \(Self.shown(types)), of the other results \(Self.shown(other.types))"
      )
    }
    return nil
  }

  /// What is the matter with adding shards of another basis, beside ``difference(from:)``.
  func shardDifference(from other: Self) -> (field: String, message: String)? {
    if devices != other.devices {
      return (
        "basis.devices",
        "are \(Self.shown(devices)), of the other shards \(Self.shown(other.devices))"
      )
    }
    if contents != other.contents {
      func text(_ basis: Self) -> String { basis.contents.map { "\($0)" } ?? "not told" }
      return (
        "basis.contents",
        "of the traces are \(text(self)), of the other shards \(text(other)): replay all shards of the "
          + "same traces"
      )
    }
    return nil
  }

  private static func shown(_ names: [String]?) -> String {
    names.map { $0.map(\.shown).joined(separator: ", ") } ?? "all"
  }
}
