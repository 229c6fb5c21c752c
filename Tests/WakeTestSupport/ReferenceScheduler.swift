public import WakeEvents
public import WakeScheduling

/// The rules for one device (page Rules, 2 to 7), as plainly as possible.
///
/// The scheduler is compared with this one, so nothing here is clever: pending saves are lists of
/// times, everything is found by a search through all of it, and what is due is computed anew each
/// time. It shares the product's types of inputs, policies and wakes, and no code of the rules:
/// predicates, pushes and the digest are computed here once more, by the text of the page Rules.
///
///     var reference = ReferenceScheduler(policy: .iOS, symbols: symbols, device: device)
///     reference.take(.lock, at: Timestamp(nanoseconds: 0))
///     let (wakes, summary) = reference.finish()
public struct ReferenceScheduler {
  let policy: Policy
  /// The reasons that never hold (rules, 9.5).
  let lifted: Set<String>
  let symbols: Symbols
  let device: Device

  /// Every app seen so far, by its number.
  var apps: [ReferenceApp] = []
  var numbers: [App: Int] = [:]
  var conditions = ReferenceApp.Conditions()
  /// The time up to which everything has happened; before the first input, before all times.
  var present = Int64.min
  /// In the order of their starts; one in flight says `open`.
  var wakes: [Wake] = []
  var summary = Summary()
  /// Whether it finds out why wakes came no sooner.
  var logsWaits = false
  /// The wait log so far (rules, 9.3).
  public internal(set) var waitLog: [ReferenceWait] = []
  /// What ended without a wake, which has no line there.
  public internal(set) var droppedWaits: [ReferenceWait] = []
  /// What was owed to whom, and when wakes were forbidden (rules, 10).
  var owing = ReferenceOwing()
  /// How often the run came to the situations that random tests must reach.
  public internal(set) var reached: [Happening: Int] = [:]

  /// Starts a device, with the policy's subscriptions enabled (rules, 3).
  ///
  /// - Parameter lifted: The reasons that never hold, by their words (rules, 9.5).
  public init(
    policy: Policy, symbols: Symbols, device: Device, without lifted: Set<String> = []
  ) {
    var policy = policy
    if lifted.contains("budget") { policy.budget = nil }
    if lifted.contains("throttle") { policy.pushLimit = .max }
    self.policy = policy
    self.lifted = lifted
    self.symbols = symbols
    self.device = device
    for subscription in policy.subscriptions {
      let number = numberApp(symbols.apps.intern(subscription.app))
      enable(number, symbols.types.intern(subscription.type), subscription.frequency)
    }
  }

  /// Takes the device's next input (rules, 4 and 5).
  ///
  /// - Parameter time: as written on the input.
  /// - Complexity: O(apps × subscriptions) for each thing that happens until then.
  public mutating func take(_ input: Input, at time: Timestamp) {
    // Rules, 11.
    if case .observed = input { return }
    summary.inputs += 1
    if time.nanoseconds < present { summary.lateInputs += 1 }
    let now = max(time.nanoseconds, present)
    letHappen(until: now)
    wait(until: now)
    present = now

    // Rules, 1: even an input without effect gives its app a number.
    if let app = input.app { _ = numberApp(app) }
    switch input {
    case .save(let sample):
      summary.saves += 1
      deliver(sample.type) { Self.matches($0, sample, writtenAt: time.nanoseconds) }
    case .delete(let type, _):
      summary.deletes += 1
      deliver(type) { _ in true }
    default:
      apply(input)
      noteOverdue()
      for number in apps.indices { evaluate(number) }
    }
    owing.note(isLocked: conditions.isLocked, apps, at: present)
  }

  /// The number of `app`, from 0, in the order of first appearance (rules, 1).
  mutating func numberApp(_ app: App) -> Int {
    if let number = numbers[app] { return number }
    let number = apps.count
    numbers[app] = number
    apps.append(ReferenceApp(app: app))
    return number
  }
}

// MARK: - Time (rules, 4)

extension ReferenceScheduler {
  /// Lets everything happen that is due at or before `limit` (rule 4.2).
  private mutating func letHappen(until limit: Int64) {
    while let due = nextDue(), due.time <= limit {
      if due.time == limit { reach(.dueAtInputsInstant) }
      wait(until: due.time)
      present = due.time
      if due.isAnswer {
        complete(due.number, .everything)
      } else {
        runTimer(of: due.number)
      }
    }
  }

  /// The time at which something is due next if no input comes before; nil is never.
  public var nextDueTime: Timestamp? { nextDue().map { Timestamp(nanoseconds: $0.time) } }

  /// What is due first: by time, timers before modelled completions, by app number (rule 4.2).
  private func nextDue() -> (time: Int64, isAnswer: Bool, number: Int)? {
    var first: (time: Int64, isAnswer: Bool, number: Int)?
    for number in apps.indices {
      if let time = timer(of: number), first.map({ time < $0.time }) ?? true {
        first = (time, false, number)
      }
    }
    for number in apps.indices {
      guard case .awake(let flight) = apps[number].state, let time = flight.answer else { continue }
      if first.map({ time < $0.time }) ?? true { first = (time, true, number) }
    }
    return first
  }

  /// The app's one timer (rule 4.4).
  func timer(of number: Int) -> Int64? {
    switch apps[number].state {
    case .awake(let flight): flight.deadline
    case .foreground: nil
    case .terminated, .suspended: apps[number].earliestWake(from: present, policy, conditions)
    }
  }

  private mutating func runTimer(of number: Int) {
    if case .awake = apps[number].state {
      abandonWake(of: number, as: .expired)
      apps[number].state = .suspended
      evaluate(number)
    } else {
      evaluate(number)
      guard case .awake = apps[number].state else {
        preconditionFailure("the timer of app \(number) did not wake it at \(present)")
      }
    }
  }
}

extension Input {
  /// The app that the input names (rules, 2).
  package var app: App? {
    switch self {
    case .save, .delete, .network, .power, .lock, .unlock, .reboot: nil
    case .enable(let app, _, _), .disable(let app, _), .disableAll(let app),
      .execute(let app, _, _, _), .stop(let app, _), .complete(let app, _, _), .launch(let app),
      .background(let app), .terminate(let app), .forceQuit(let app), .push(let app, _),
      .refreshInterval(let app, _), .complication(let app, _), .entitlement(let app, _),
      .observed(let app, _):
      app
    case .refreshStatus(let app, _): app
    }
  }
}
