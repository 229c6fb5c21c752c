import WakeEvents

/// What was owed to the apps of a device, and when inputs forbade wakes (rules, 10): plain lists, to be looked at when
/// the run is over.
struct ReferenceOwing {
  /// A save or delete that a subscription took outside the foreground.
  struct Debt {
    let number: Int
    let type: SampleType
    let since: Int64
    /// Nil while it is owed.
    var until: Int64?
  }

  /// What an app's episodes are made of (rule 10.2).
  enum Mark {
    case arrival(Int64)
    case end(Int64)
  }

  /// An app and a type; all debts of one are ended by the same wakes and inputs.
  private struct Key: Hashable {
    let number: Int
    let type: SampleType
  }

  private(set) var debts: [Debt] = []
  /// By app number.
  private(set) var marks: [Int: [Mark]] = [:]
  /// The state after each input: whether the device is locked, and which apps are force-quit.
  private(set) var states: [(time: Int64, isLocked: Bool, forceQuit: Set<Int>)] = []
  /// The places of the debts that are owed.
  private var owed: [Key: [Int]] = [:]
  /// The places of the debts that a wake carries, until they come back.
  private var carried: [Int: [Int]] = [:]

  mutating func take(_ number: Int, _ type: SampleType, at time: Int64) {
    owed[Key(number: number, type: type), default: []].append(debts.count)
    debts.append(Debt(number: number, type: type, since: time))
    marks[number, default: []].append(.arrival(time))
  }

  mutating func carry(_ number: Int, _ types: Set<SampleType>, in wake: Int, at time: Int64) {
    for type in types {
      carried[wake, default: []] += end(Key(number: number, type: type), at: time)
    }
  }

  mutating func giveBack(_ type: SampleType, ofWake wake: Int) {
    let places = carried[wake] ?? []
    for place in places where debts[place].type == type {
      debts[place].until = nil
      owed[Key(number: debts[place].number, type: type), default: []].append(place)
    }
    carried[wake] = places.filter { debts[$0].type != type }
  }

  mutating func launch(_ number: Int, at time: Int64) {
    for key in owed.keys where key.number == number { end(key, at: time) }
    marks[number, default: []].append(.end(time))
  }

  mutating func disable(_ number: Int, _ type: SampleType, at time: Int64) {
    end(Key(number: number, type: type), at: time)
    marks[number, default: []].append(.end(time))
  }

  mutating func note(isLocked: Bool, _ apps: [ReferenceApp], at time: Int64) {
    states.append((time, isLocked, Set(apps.indices.filter { apps[$0].isForceQuit })))
  }

  /// Ends what is owed, and returns its places.
  @discardableResult
  private mutating func end(_ key: Key, at time: Int64) -> [Int] {
    let places = owed.removeValue(forKey: key) ?? []
    for place in places { debts[place].until = time }
    return places
  }
}
