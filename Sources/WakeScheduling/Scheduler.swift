public import WakeEvents

/// What a ``Scheduler`` says of a wake.
public enum WakePhase: Sendable {
  /// The app was woken; the wake is in flight. A daemon acts on this.
  case began
  /// The wake ended, or is left open by ``Scheduler/finish(_:)``. A wake log is made of these.
  case ended
}

/// The wake scheduler of one device (SPEC 3 to 7).
///
/// It takes inputs with their times, one by one or as columns, and tells of wakes through the closure
/// given with each call, as they begin and as they end. It reads no clock: time comes in with the
/// inputs. A daemon that drives it live calls ``advance(to:_:)`` when ``nextDue`` has come.
///
///     let symbols = Symbols()
///     var scheduler = Scheduler(policy: .iOS, symbols: symbols)
///     let app = symbols.apps.intern("com.example.run")
///     let type = symbols.types.intern("HKWorkoutTypeIdentifier")
///     scheduler.take(.enable(app: app, type: type, frequency: .immediate), at: now) { _, _ in }
///
/// Wakes end in another order than they begin; ``Wake/number`` is the order of the wake log.
///
/// All symbols of its inputs must come from the ``Symbols`` it was made with.
public struct Scheduler: ~Copyable {
  let policy: Policy
  let symbols: Symbols
  private var device: Device?
  /// Whether wakes are told with their types, and again as they end. Who only counts wakes does without either,
  /// so their ends may be counted ahead (``AppState/awakeUntil``): a wake that begins may tell an end to come, and
  /// ``nextDue`` is no answer's time.
  package var tellsAll = true

  /// The effective time of the last input, or of what was due since (SPEC 4.1).
  package internal(set) var present = Int64.min
  var isLocked = false
  var isNetworkGood = true
  var isPowerGood = true

  var coalescer = Coalescer()
  var timers = TimerTree()
  /// By app number (SPEC 1).
  var apps = Table<AppState>()
  /// App numbers by ``App/index``.
  private var appNumbers: [UInt32: Int] = [:]
  /// What was counted so far (SPEC 7); whole once the run is closed, but that its stopped apps are in any order.
  ///
  /// Read where it stands: whoever asks a scheduler by a method that changes nothing copies all of it first.
  package internal(set) var counts = Summary()
  var hasher: WakeHasher
  /// Whether what the processor can do with eight rows or wakes at a time is done so.
  var usesEights: Bool { hasher.usesEights }

  /// Makes the scheduler of a device and enables the policy's subscriptions on it (SPEC 3).
  ///
  /// - Parameters:
  ///   - policy: The parameters of the rules.
  ///   - symbols: The tables that the symbols of all inputs come from.
  ///   - device: The device's name, for the digest and the names of stopped apps; empty for none. It is interned
  ///     into `symbols`.
  public init(policy: Policy, symbols: Symbols, device: String = "") {
    self.policy = policy
    self.symbols = symbols
    self.device = device.isEmpty ? nil : symbols.devices.intern(device)
    hasher = WakeHasher(device: NameHash.device(device))
    for subscription in policy.subscriptions {
      let app = number(of: symbols.apps.intern(subscription.app))
      let type = symbols.types.intern(subscription.type)
      _ = enable(app, type, subscription.frequency)
    }
    formCohorts()
  }

  /// Makes the scheduler of a device that starts as another one did, in O(state): names are not looked up
  /// again.
  ///
  /// - Parameters:
  ///   - start: A scheduler that has taken no input.
  ///   - holdsWakes: Whether it adds up the hashes of wakes by itself; if not, it is lent what does whenever it
  ///     is fed, advanced or closed (``exchangeHasher(for:)``), but not while it restarts.
  package init(
    like start: borrowing Scheduler, device: Device?, hash: UInt64, holdsWakes: Bool = true
  ) {
    policy = start.policy
    symbols = start.symbols
    hasher = WakeHasher(device: hash, holdsWakes: holdsWakes)
    restart(like: start, device: device, hash: hash)
  }

  /// Becomes the scheduler of another device, in the memory that it has.
  ///
  /// - Parameters:
  ///   - start: A scheduler of the same policy and symbols that has taken no input.
  ///   - hash: The ``NameHash/device(_:)`` of the device's name.
  package mutating func restart(like start: borrowing Scheduler, device: Device?, hash: UInt64) {
    self.device = device
    tellsAll = start.tellsAll
    present = start.present
    isLocked = start.isLocked
    isNetworkGood = start.isNetworkGood
    isPowerGood = start.isPowerGood
    coalescer.copy(start.coalescer)
    // Most are met again, and a save of an unknown type needs care.
    coalescer.reserveTypes(symbols.types.count)
    timers.copy(start.timers)
    apps.copy(start.apps)
    appNumbers = start.appNumbers
    counts = start.counts
    hasher.begin(device: hash)
  }

  /// Has the hashes of wakes added up by another hasher than its own, which stands in its place meanwhile; then,
  /// called again, by its own.
  package mutating func exchangeHasher(for other: inout WakeHasher) {
    hasher.exchange(for: &other)
  }

  /// The time at which it next wants to be called if no input comes before: something is due then.
  /// Nil if nothing is, or not before 2^62 ns: no valid time is as late.
  public var nextDue: Timestamp? {
    timers.nextDue == .max ? nil : Timestamp(nanoseconds: timers.nextDue)
  }

  /// Whether saves must now come with their start, end and value, as some app's query asks for them.
  public var needsSampleDetails: Bool {
    apps.indices.contains { apps[$0].queries.havePredicates }
  }

  /// Takes one input (SPEC 2, 4, 5).
  ///
  /// - Parameters:
  ///   - input: What happened.
  ///   - time: When; if before the present, it happens at the present and counts as late (SPEC 4.1).
  ///   - onWake: Called for each wake that begins or ends on the way.
  /// - Returns: Why an `enable` was rejected, else nil.
  /// - Complexity: For a save or delete O(1) and what it wakes; else O(apps on the device), and for what
  ///   concerns one app O(its subscriptions).
  @discardableResult
  public mutating func take(
    _ input: Input, at time: Timestamp, _ onWake: (WakePhase, borrowing Wake) -> Void
  ) -> RegistrationError? {
    feed(input, at: time) { phase, wakes in wakes.forEachWake { onWake(phase, $0) } }
  }

  private mutating func feed(
    _ input: Input, at time: Timestamp, _ listener: WakeListener
  ) -> RegistrationError? {
    enter(time.nanoseconds, listener)
    switch input {
    case .save(let sample):
      let type = Int(sample.type.index)
      coalescer.reserveTypes(type + 1)
      take(type, isDelete: false, listener) {
        Self.match(sample, writtenAt: time, oneOf: $0)
      }
      return nil
    case .delete(let type, _):
      let type = Int(type.index)
      coalescer.reserveTypes(type + 1)
      take(type, isDelete: true, listener) { _ in true }
      return nil
    default:
      return apply(input, listener)
    }
  }

  /// Lets everything due at or before `time` happen (SPEC 4.2), as a daemon does when ``nextDue``
  /// has come.
  ///
  /// A replay needs no call of this: inputs bring time with them, and after a device's last input
  /// nothing more happens (SPEC 4.3).
  ///
  /// - Complexity: O(1) if nothing is due.
  public mutating func advance(
    to time: Timestamp, _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    elapse(to: time) { phase, wakes in wakes.forEachWake { onWake(phase, $0) } }
  }

  /// ``advance(to:_:)`` without copies of the wakes.
  ///
  /// - Complexity: O(apps) where wakes are only counted, besides what is due.
  package mutating func elapse(
    to time: Timestamp, _ listener: (WakePhase, borrowing WakeView) -> Void
  ) {
    // Where nothing is due, the next is at the end of time.
    let last = min(time.nanoseconds, TimerTree.never)
    while timers.nextDue <= last { happen(listener) }
    passAnswers(to: last)
  }

  /// Ends the run: wakes in flight are left open, and everything is counted (SPEC 4.3, 7).
  public consuming func finish(_ onWake: (WakePhase, borrowing Wake) -> Void) -> Summary {
    close { phase, wakes in wakes.forEachWake { onWake(phase, $0) } }
    counts.stoppedApps.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return counts
  }

  /// ``finish(_:)`` without copies of the wakes; then the scheduler takes nothing but
  /// ``restart(like:device:hash:)``.
  package mutating func close(_ listener: (WakePhase, borrowing WakeView) -> Void) {
    closeUndigested(listener)
    counts.digest.value = hasher.digest()
  }

  /// ``close(_:)`` without the digest, of which the hasher that it was lent has its part.
  package mutating func closeUndigested(_ listener: (WakePhase, borrowing WakeView) -> Void) {
    for app in apps.indices where apps[app].leads {
      takeBackAnswer(app)
      let standing = standing(of: app)
      let count = apps[app].cohort
      if standing.isAwake { report(app, .open, end: nil, listener) }
      if apps[app].activity == .foreground {
        for slot in apps[app].subscriptions { coalescer.settle(slot) }
      }
      counts.completed += count * standing.completed
      counts.expired += count * standing.expired
      counts.aborted += count * standing.aborted
      if standing.isAwake { counts.open += count }
      counts.pendingAtEnd += count * standing.pending
      if standing.holdsPush { counts.pushesHeldAtEnd += count }
      if standing.isStopped { noteStopped(app..<app + count) }
    }
    counts.liveDeliveries += coalescer.liveDeliveries
  }

  private mutating func noteStopped(_ stopped: Range<Int>) {
    let deviceName = device.map(symbols.devices.name(of:)) ?? ""
    for app in stopped {
      let name = symbols.apps.name(of: apps[app].symbol)
      counts.stoppedApps.append(deviceName.isEmpty ? name : deviceName + "/" + name)
    }
  }

  /// The number of an app on this device, which is new with its first appearance (SPEC 1).
  mutating func number(of app: App) -> Int {
    if let number = appNumbers[app.index] { return number }
    let number = apps.count
    appNumbers[app.index] = number
    apps.append(AppState(symbol: app, nameHash: symbols.apps.hash(of: app), policy: policy))
    timers.appendApp()
    return number
  }

  /// Brings the present to an input's time: counts it, as late if it is, and lets what is due by then
  /// happen (SPEC 4.1, 4.2).
  @inline(always)
  mutating func enter(_ time: Int64, _ listener: WakeListener) {
    counts.inputs += 1
    if time < present { counts.lateInputs += 1 }
    let effective = max(time, present)
    let last = min(effective, TimerTree.never)
    while timers.nextDue <= last { happen(listener) }
    present = effective
  }
}
