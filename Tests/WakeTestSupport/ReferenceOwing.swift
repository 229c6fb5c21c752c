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
    /// The wake that carries it, until it comes back.
    var wake: Int?
  }

  /// What an app's episodes are made of (rule 10.2).
  enum Mark {
    case arrival(Int64)
    case end(Int64)
  }

  var debts: [Debt] = []
  /// By app number.
  var marks: [Int: [Mark]] = [:]
  /// The state after each input: whether the device is locked, and which apps are force-quit.
  var states: [(time: Int64, isLocked: Bool, forceQuit: Set<Int>)] = []

  mutating func take(_ number: Int, _ type: SampleType, at time: Int64) {
    debts.append(Debt(number: number, type: type, since: time))
    marks[number, default: []].append(.arrival(time))
  }

  mutating func carry(_ number: Int, _ types: Set<SampleType>, in wake: Int, at time: Int64) {
    end(at: time, wake: wake) { $0.number == number && types.contains($0.type) }
  }

  mutating func giveBack(_ type: SampleType, ofWake wake: Int) {
    for place in debts.indices where debts[place].type == type && debts[place].wake == wake {
      debts[place].until = nil
      debts[place].wake = nil
    }
  }

  mutating func launch(_ number: Int, at time: Int64) {
    end(at: time, wake: nil) { $0.number == number }
    marks[number, default: []].append(.end(time))
  }

  mutating func disable(_ number: Int, _ type: SampleType, at time: Int64) {
    end(at: time, wake: nil) { $0.number == number && $0.type == type }
    marks[number, default: []].append(.end(time))
  }

  mutating func note(isLocked: Bool, _ apps: [ReferenceApp], at time: Int64) {
    states.append((time, isLocked, Set(apps.indices.filter { apps[$0].isForceQuit })))
  }

  private mutating func end(at time: Int64, wake: Int?, _ isEnded: (Debt) -> Bool) {
    for place in debts.indices where debts[place].until == nil && isEnded(debts[place]) {
      debts[place].until = time
      debts[place].wake = wake
    }
  }
}
