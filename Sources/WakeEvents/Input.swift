/// What can happen on a device, without its time and device (page Rules, section 2), or was observed on it (section 11).
///
/// Each case has its name in JSON Lines. Absent optional fields stay nil, so an input is unchanged after it is
/// written to a trace and read back.
public enum Input: Hashable, Sendable {
  /// A sample was saved.
  case save(Sample)
  /// A sample was deleted.
  case delete(type: SampleType, source: Source)
  /// Background delivery is enabled.
  case enable(app: App, type: SampleType, frequency: Frequency)
  /// Background delivery is disabled for one type.
  case disable(app: App, type: SampleType)
  /// Background delivery is disabled for all of an app's types.
  case disableAll(app: App)
  /// An observer query starts; one already running under the id is replaced.
  case execute(app: App, query: Query, type: SampleType, predicate: Predicate?)
  /// An observer query stops.
  case stop(app: App, query: Query)
  /// The app's completion handler was called.
  case complete(app: App, item: CompletionItem, result: FetchResult?)
  /// The user opens the app.
  case launch(app: App)
  /// The user leaves the app.
  case background(app: App)
  /// The system ends the app.
  case terminate(app: App)
  /// The user ends the app.
  case forceQuit(app: App)
  /// A background notification reaches the device.
  case push(app: App, Push)
  /// The minimum background fetch interval is set.
  case refreshInterval(app: App, RefreshInterval)
  /// Background refresh is allowed or not; a nil app means every app seen so far (`"*"`).
  case refreshStatus(app: App?, RefreshStatus)
  /// A complication of the app is on the active watch face, or is not.
  case complication(app: App, isActive: Bool)
  /// The background-delivery entitlement is granted, or is not.
  case entitlement(app: App, isGranted: Bool)
  /// The network is good for background refresh, or is not.
  case network(isGood: Bool)
  /// The power is good for background refresh, or is not.
  case power(isGood: Bool)
  /// The device is locked.
  case lock
  /// The device is unlocked.
  case unlock
  /// The device restarts.
  case reboot
  /// A real system woke the app. This is an observation beside the inputs: schedulers ignore it (rules, 11).
  case observed(app: App, Observation)
}

/// The kinds of input, numbered from 0 in this order, as a trace stores them.
///
/// A number never changes its meaning: a new kind comes last.
public enum InputKind: UInt8, CaseIterable, Sendable {
  case save, delete, enable, disable, disableAll, execute, stop, complete
  case launch, background, terminate, forceQuit, push
  case refreshInterval, refreshStatus, complication, entitlement
  case network, power, lock, unlock, reboot
  case observed

  /// The kind's word in JSON Lines.
  public var word: String { String(describing: self) }
}

extension Input {
  /// The kind of the input.
  public var kind: InputKind {
    switch self {
    case .save: .save
    case .delete: .delete
    case .enable: .enable
    case .disable: .disable
    case .disableAll: .disableAll
    case .execute: .execute
    case .stop: .stop
    case .complete: .complete
    case .launch: .launch
    case .background: .background
    case .terminate: .terminate
    case .forceQuit: .forceQuit
    case .push: .push
    case .refreshInterval: .refreshInterval
    case .refreshStatus: .refreshStatus
    case .complication: .complication
    case .entitlement: .entitlement
    case .network: .network
    case .power: .power
    case .lock: .lock
    case .unlock: .unlock
    case .reboot: .reboot
    case .observed: .observed
    }
  }
}

extension Input {
  /// The app, the query and the type of an input other than a save or delete, in the order in which files list them.
  ///
  /// The app of ``refreshStatus(app:_:)``, which may be every app, and the type of a ``CompletionItem`` are not among
  /// them.
  package var subject: (app: App?, query: Query?, type: SampleType?) {
    switch self {
    case .enable(let app, let type, _), .disable(let app, let type): (app, nil, type)
    case .execute(let app, let query, let type, _): (app, query, type)
    case .stop(let app, let query): (app, query, nil)
    case .disableAll(let app), .complete(let app, _, _), .launch(let app), .background(let app),
      .terminate(let app), .forceQuit(let app), .push(let app, _), .refreshInterval(let app, _),
      .complication(let app, _), .entitlement(let app, _), .observed(let app, _):
      (app, nil, nil)
    case .save, .delete, .refreshStatus, .network, .power, .lock, .unlock, .reboot: (nil, nil, nil)
    }
  }
}

/// An input with its time and its device.
public struct Event: Hashable, Sendable {
  /// The time as written. A scheduler moves a late input to its present (rule 4.1).
  public var time: Timestamp
  /// The device it happened on.
  public var device: Device
  /// What happened.
  public var input: Input

  /// Makes an event.
  public init(time: Timestamp, device: Device, input: Input) {
    self.time = time
    self.device = device
    self.input = input
  }
}
