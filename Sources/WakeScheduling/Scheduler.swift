public import WakeEvents

/// Which event of a wake a ``Scheduler`` reports.
public enum WakePhase: Sendable {
  /// The app was woken; the wake is in flight. A daemon acts on this.
  case began
  /// The wake ended, or ``Scheduler/finish(_:)`` left it open. A wake log consists of these.
  case ended
}

/// The wake scheduler of one device (page Rules, 3 to 7).
///
/// It takes inputs with their times, one by one or as columns, and reports wakes to the closure of each call, when they
/// begin and when they end. It reads no clock: time comes with the inputs. A daemon that drives it live calls
/// ``advance(to:_:)`` when ``nextDue`` has come.
///
///     let symbols = Symbols()
///     var scheduler = Scheduler(policy: .iOS, symbols: symbols)
///     let app = symbols.apps.intern("com.example.run")
///     let type = symbols.types.intern("HKWorkoutTypeIdentifier")
///     scheduler.take(.enable(app: app, type: type, frequency: .immediate), at: now) { _, _ in }
///
/// Wakes may end in another order than they begin; ``Wake/number`` is the order of the wake log.
///
/// All symbols of its inputs must come from its `Symbols`. An app or a sample type beyond them is a precondition failure.
public struct Scheduler: ~Copyable {
  var core: SchedulerCore
  private var hasher = WakeHasher(isShared: false)

  /// Makes the scheduler of a device and enables the policy's subscriptions on it.
  ///
  /// - Parameters:
  ///   - policy: The parameters of the rules.
  ///   - symbols: The tables that the symbols of all inputs come from.
  ///   - device: The device's name, for the digest and the names of stopped apps; empty for none. It is interned into
  ///     `symbols`.
  public init(policy: Policy, symbols: Symbols, device: String = "") {
    self.init(policy: policy, symbols: symbols, device: device, accelerations: .all)
  }

  /// ``init(policy:symbols:device:)`` with some accelerations only.
  package init(
    policy: Policy, symbols: Symbols, device: String = "", accelerations: Accelerations
  ) {
    core = SchedulerCore(
      policy: policy, symbols: symbols, device: device, accelerations: accelerations)
  }

  /// The time at which it next wants to be called if no input comes before: something is due then. Nil if nothing is,
  /// or not before 2^62 − 1 ns, which is later than every valid time.
  public var nextDue: Timestamp? { core.nextDue }

  /// Whether saves must come with start, end and value from now on, since a query has a predicate.
  public var needsSampleDetails: Bool { core.needsSampleDetails }

  /// Takes one input (rules 4 and 5).
  ///
  /// - Parameters:
  ///   - input: What happened.
  ///   - time: When; if before the present, it happens at the present and counts as late (rule 4.1).
  ///   - onWake: Called for each wake that begins or ends until then.
  /// - Returns: Why an `enable` was rejected, else nil.
  /// - Complexity: For a save or delete O(1) and what it wakes; for what concerns one app O(its subscriptions + log apps on
  ///   the device); for what concerns every app O(log apps), amortised, and what it wakes.
  @discardableResult
  public mutating func take(
    _ input: Input, at time: Timestamp, _ onWake: (WakePhase, borrowing Wake) -> Void
  ) -> RegistrationError? {
    defer { core.dropEarlyTimers() }
    return core.take(input, at: time, &hasher) { phase, wakes in
      wakes.forEachWake { onWake(phase, $0) }
    }
  }

  /// Takes a run of inputs given as columns, as if one by one.
  ///
  /// - Parameters:
  ///   - columns: The inputs.
  ///   - rows: Which of them, in order.
  ///   - onWake: Called for each wake that begins or ends until then.
  /// - Complexity: For a save or delete O(1) and what it wakes; else as for one input. A save or delete allocates
  ///   nothing once the device's types are known.
  public mutating func take(
    _ columns: borrowing InputColumns, rows: Range<Int>,
    _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    core.take(columns, rows: rows, &hasher) { phase, wakes in
      wakes.forEachWake { onWake(phase, $0) }
    }
    core.dropEarlyTimers()
  }

  /// Lets everything due at or before `time` happen (rule 4.2), as a daemon does when ``nextDue`` has come.
  ///
  /// A replay does not need it: inputs bring time with them, and after the last input nothing happens (rule 4.3).
  ///
  /// - Complexity: O(1) if nothing is due.
  public mutating func advance(
    to time: Timestamp, _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    core.advance(to: time, &hasher) { phase, wakes in wakes.forEachWake { onWake(phase, $0) } }
    core.dropEarlyTimers()
  }

  /// Calls `body` for each app, in app order.
  ///
  /// - Complexity: O(apps + subscriptions).
  public func forEachApp(_ body: (AppStanding) -> Void) { core.forEachApp(body) }

  /// Ends the run: wakes in flight are `open`, and everything is counted (rule 4.3; page Rules, 7).
  public consuming func finish(_ onWake: (WakePhase, borrowing Wake) -> Void) -> Summary {
    var summary = core.close(&hasher) { phase, wakes in wakes.forEachWake { onWake(phase, $0) } }
    summary.stoppedApps.sort { $0.precedes($1) }
    summary.digest.value = hasher.takeDigest()
    return summary
  }
}
