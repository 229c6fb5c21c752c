import Synchronization
import WakeEvents
import WakeScheduling

/// What a diff keeps of a wake: 48 bytes. What its source did not tell is ``unknown``, and equal to anything.
struct DiffWake: Hashable {
  static let unknown = Int64.min
  static let none = Int64.max
  static let unknownPush = UInt64.max

  var time: Int64
  /// The time of the first save or delete that it carries.
  var oldest = unknown
  var end = unknown
  /// The hash of the push's id; 0 for none.
  var push = unknownPush
  /// The number of the set of types in ``DiffNames``.
  var types: Int32
  /// -1 is unknown.
  var saves: Int32 = -1
  /// 0 and 1; -1 is unknown.
  var refresh: Int8 = -1
  /// As in the digest (page Rules, 7); 0 is unknown.
  var outcome: UInt8 = 0

  /// What two wakes have otherwise, beside their times.
  struct Fields: OptionSet, Hashable {
    let rawValue: UInt8
    static let types = Fields(rawValue: 1)
    static let push = Fields(rawValue: 2)
    static let refresh = Fields(rawValue: 4)
    static let saves = Fields(rawValue: 8)
    static let oldest = Fields(rawValue: 16)
    static let outcome = Fields(rawValue: 32)
    static let end = Fields(rawValue: 64)
    /// What a wake carries.
    static let items: Fields = [.types, .push, .refresh]
    static let all: Fields = [.types, .push, .refresh, .saves, .oldest, .outcome, .end]

    /// The words of the keys of a wake log.
    var words: [String] {
      let all: [(Fields, String)] = [
        (.types, "types"), (.push, "push"), (.refresh, "refresh"), (.saves, "saves"),
        (.oldest, "oldest"), (.outcome, "outcome"), (.end, "end"),
      ]
      return all.filter { contains($0.0) }.map(\.1)
    }
  }

  /// The fields that the source told.
  var told: Fields {
    var told: Fields = .types
    if push != Self.unknownPush { told.insert(.push) }
    if refresh >= 0 { told.insert(.refresh) }
    if saves >= 0 { told.insert(.saves) }
    if oldest != Self.unknown { told.insert(.oldest) }
    if outcome > 0 { told.insert(.outcome) }
    if end != Self.unknown { told.insert(.end) }
    return told
  }

  /// Whether the source told a first save or delete.
  var hasOldest: Bool { oldest != Self.unknown && oldest != Self.none }

  /// A hash of some fields: equal if these are.
  func key(_ fields: Fields) -> UInt64 {
    var hash = WakeHash()
    hash.combine(UInt64(fields.rawValue))
    hash.combine(Int64(types))
    if fields.contains(.push) { hash.combine(push) }
    if fields.contains(.refresh) { hash.combine(Int64(refresh)) }
    if fields.contains(.saves) { hash.combine(Int64(saves)) }
    if fields.contains(.oldest) { hash.combine(oldest) }
    if fields.contains(.outcome) { hash.combine(UInt64(outcome)) }
    if fields.contains(.end) { hash.combine(end) }
    return hash.value
  }

  /// A key of a part of what has another key.
  static func key(_ key: UInt64, _ part: UInt64) -> UInt64 {
    var hash = WakeHash()
    hash.combine(key)
    hash.combine(part)
    return hash.value
  }

  /// Calls `body` with a key of each item: wakes that share an item have a key in common.
  func forEachItem(_ sets: TypeSets, _ body: (UInt64) -> Void) {
    let hashes = sets.sets[Int(types)].hashes
    for type in hashes { body(Self.key(type, 0)) }
    if push != 0, push != Self.unknownPush { body(Self.key(push, 1)) }
    if refresh == 1 { body(Self.key(0, 2)) }
    if hashes.isEmpty { body(Self.key(0, 3)) }
  }

  /// What differs, where both tell it; times do if they are further apart than `within`.
  func differences(from other: Self, within: Int64) -> Fields {
    var fields: Fields = []
    if types != other.types { fields.insert(.types) }
    if push != other.push, push != Self.unknownPush, other.push != Self.unknownPush {
      fields.insert(.push)
    }
    if refresh != other.refresh, refresh >= 0, other.refresh >= 0 { fields.insert(.refresh) }
    if saves != other.saves, saves >= 0, other.saves >= 0 { fields.insert(.saves) }
    if outcome != other.outcome, outcome > 0, other.outcome > 0 { fields.insert(.outcome) }
    if !Self.areNear(oldest, other.oldest, within) { fields.insert(.oldest) }
    if !Self.areNear(end, other.end, within) { fields.insert(.end) }
    return fields
  }

  private static func areNear(_ one: Int64, _ other: Int64, _ within: Int64) -> Bool {
    if one == other || one == unknown || other == unknown { return true }
    if one == none || other == none { return false }
    return abs(one - other) <= within
  }

  /// Whether both carry the same push, a refresh or one type, or nothing that is told.
  func sharesItem(with other: Self, _ sets: TypeSets) -> Bool {
    sharesMore(with: other, sets) || sets.intersect(types, other.types)
  }

  /// Whether both may be the same wake at different times: they share an item, and if that is a type, what the later one
  /// carries may have waited at the time of the earlier.
  func mayHaveMoved(to other: Self, _ sets: TypeSets) -> Bool {
    sharesMore(with: other, sets)
      || sets.intersect(types, other.types) && Self.waited(oldest, until: other.time)
        && Self.waited(other.oldest, until: time)
  }

  private func sharesMore(with other: Self, _ sets: TypeSets) -> Bool {
    if push == other.push, push != 0, push != Self.unknownPush { return true }
    if refresh == 1, other.refresh == 1 { return true }
    // Of an observed wake not even a push need be told.
    return sets.isEmpty(types) && sets.isEmpty(other.types)
      && (push == Self.unknownPush || other.push == Self.unknownPush)
  }

  private static func waited(_ oldest: Int64, until time: Int64) -> Bool {
    oldest == unknown || oldest == none || oldest <= time
  }
}

/// The sets of types that wakes carry, by number.
struct TypeSets: Sendable {
  /// The hashes of the names, sorted, and the names in the same order as the wake log's.
  private(set) var sets: [(hashes: [UInt64], names: [String])] = []
  private var numbers: [[UInt64]: Int32] = [:]

  /// The number of a set of names, whatever their order.
  mutating func number(of types: [String]) -> Int32 {
    let hashes = Set(types.map { NameHash.of($0) }).sorted()
    if let number = numbers[hashes] { return number }
    let number = Int32(sets.count)
    numbers[hashes] = number
    let names = Set(types.map { ExactName($0) }).sorted().map(\.string)
    sets.append((hashes, names))
    return number
  }

  func isEmpty(_ set: Int32) -> Bool { sets[Int(set)].hashes.isEmpty }

  func contains(_ hash: UInt64, in set: Int32) -> Bool { sets[Int(set)].hashes.contains(hash) }

  func intersect(_ one: Int32, _ other: Int32) -> Bool {
    if one == other { return !isEmpty(one) }
    return sets[Int(one)].hashes.contains { contains($0, in: other) }
  }
}

/// The names of both sides of a diff, by number.
final class DiffNames: Sendable {
  struct State: Sendable {
    var types = TypeSets()
    var apps = Numbers()
    var devices = Numbers()
  }

  struct Numbers: Sendable {
    private var numbers: [ExactName: Int] = [:]
    private(set) var names: [String] = []

    mutating func number(of name: String) -> Int {
      if let number = numbers[ExactName(name)] { return number }
      numbers[ExactName(name)] = names.count
      names.append(name)
      return names.count - 1
    }

    /// Whether a name is before another one, by bytes.
    func isBefore(_ one: Int, _ other: Int) -> Bool {
      names[one].precedes(names[other])
    }
  }

  private let state = Mutex(State())

  /// Changes or reads the names; not within each other.
  func with<Value>(_ body: (inout State) -> sending Value) -> Value {
    state.withLock { state in body(&state) }
  }
}
