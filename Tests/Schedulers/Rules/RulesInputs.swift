import CRouse
import WakeEvents
import WakeScheduling

extension Policy {
  /// The policy that a scheduler is given; `symbols` has the names of its numbers.
  init(_ given: rouse_policy_t, _ symbols: Symbols) {
    func frequency(_ number: Int32) -> Frequency {
      Frequency(rawValue: UInt8(number)) ?? .immediate
    }
    self = .iOS
    caps.removeAll()
    for place in 0..<(unsafe given.cap_count) {
      let cap = unsafe given.caps[place]
      caps[ExactName(symbols.types.name(of: SampleType(index: cap.type)))] = frequency(
        cap.frequency)
    }
    defaultCap = unsafe frequency(given.default_cap)
    if unsafe given.has_budget != 0 {
      budget = unsafe Budget(
        window: given.window, limit: Int(given.limit),
        limitWithoutComplication: Int(given.limit_without_complication))
    }
    completionTimeout = unsafe given.completion_timeout
    maxStrikes = unsafe Int(given.max_strikes)
    backoffBase = unsafe given.backoff_base
    backoffFactor = unsafe given.backoff_factor
    backoffMax = unsafe given.backoff_max
    pushLimit = unsafe Int(given.push_limit)
    pushWindow = unsafe given.push_window
    minimumRefreshInterval = unsafe given.minimum_refresh_interval
    switch unsafe Int(given.carry) {
    case ROUSE_CARRY_DUE: carry = .due
    case ROUSE_CARRY_ALWAYS: carry = .always
    default: carry = .launch
    }
    forceQuitBlocksHealth = unsafe given.force_quit_blocks_health != 0
    lockBlocksHealth = unsafe given.lock_blocks_health != 0
    subscriptions = (0..<(unsafe given.subscription_count)).map { place in
      let subscription = unsafe given.subscriptions[place]
      return Subscription(
        app: symbols.apps.name(of: App(index: subscription.app)),
        type: symbols.types.name(of: SampleType(index: subscription.type)),
        frequency: frequency(subscription.frequency))
    }
    behaviour = unsafe Behaviour(
      completesAfter: given.has_completes_after != 0 ? given.completes_after : nil,
      coldStart: given.cold_start, ignoresEvery: Int(given.ignores_every))
  }
}

extension rouse_event_t {
  /// The input other than a save or delete; nil for a kind that this version does not know.
  var input: Input? {
    let app = unsafe App(index: self.app)
    let type = unsafe SampleType(index: self.type.number)
    let isOn = unsafe is_on != 0
    switch unsafe UInt8(exactly: kind).flatMap({ InputKind(rawValue: $0) }) {
    case nil, .save, .delete, .observed: return nil
    case .enable:
      return unsafe .enable(
        app: app, type: type, frequency: Frequency(rawValue: UInt8(frequency)) ?? .immediate)
    case .disable: return .disable(app: app, type: type)
    case .disableAll: return .disableAll(app: app)
    case .execute:
      return unsafe .execute(app: app, query: Query(index: query), type: type, predicate: predicate)
    case .stop: return unsafe .stop(app: app, query: Query(index: query))
    case .complete: return unsafe .complete(app: app, item: completionItem, result: nil)
    case .launch: return .launch(app: app)
    case .background: return .background(app: app)
    case .terminate: return .terminate(app: app)
    case .forceQuit: return .forceQuit(app: app)
    case .push: return unsafe .push(app: app, push)
    case .refreshInterval: return unsafe .refreshInterval(app: app, refreshInterval)
    case .refreshStatus:
      return unsafe .refreshStatus(
        app: app.index == .max ? nil : app,
        RefreshStatus(rawValue: UInt8(status)) ?? .available)
    case .complication: return .complication(app: app, isActive: isOn)
    case .entitlement: return .entitlement(app: app, isGranted: isOn)
    case .network: return .network(isGood: isOn)
    case .power: return .power(isGood: isOn)
    case .lock: return .lock
    case .unlock: return .unlock
    case .reboot: return .reboot
    }
  }

  private func has(_ part: Int) -> Bool { unsafe has & UInt32(part) != 0 }

  private var predicate: Predicate? {
    guard unsafe has(ROUSE_HAS_PREDICATE) else { return nil }
    return unsafe Predicate(
      source: has(ROUSE_HAS_SOURCE) ? Source(index: source.number) : nil,
      start: has(ROUSE_HAS_START) ? Timestamp(nanoseconds: start) : nil,
      end: has(ROUSE_HAS_END) ? Timestamp(nanoseconds: end) : nil,
      strictStart: has(ROUSE_HAS_STRICT_START) ? strict_start != 0 : nil,
      strictEnd: has(ROUSE_HAS_STRICT_END) ? strict_end != 0 : nil,
      min: has(ROUSE_HAS_MIN) ? min : nil, max: has(ROUSE_HAS_MAX) ? max : nil)
  }

  private var completionItem: CompletionItem {
    switch unsafe Int(item) {
    case ROUSE_ITEM_PUSH: .push
    case ROUSE_ITEM_REFRESH: .refresh
    case ROUSE_ITEM_TYPE: unsafe .type(SampleType(index: type.number))
    default: .everything
    }
  }

  private var refreshInterval: RefreshInterval {
    switch unsafe interval {
    case Double(ROUSE_NEVER): .never
    case Double(ROUSE_MINIMUM): .minimum
    default: unsafe .seconds(interval)
    }
  }

  /// Rouse has judged the push (rule 5.8).
  private var push: Push {
    let id = unsafe id.map { unsafe String(cString: $0) } ?? ""
    let isBackground = unsafe has(Int(ROUSE_IS_BACKGROUND))
    return Push(id: id, pushType: isBackground ? nil : "alert")
  }
}
