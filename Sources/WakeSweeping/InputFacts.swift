import WakeEvents

/// What a trace holds beside saves and deletes, as far as policies have parameters for it.
struct InputFacts: Sendable {
  /// A bit for each ``InputKind`` that occurs.
  private var kinds: UInt64 = 0
  /// Whether a complication was ever active.
  private(set) var hasComplication = false
  /// Whether a push was a background notification.
  private(set) var hasPush = false
  /// Whether the minimum refresh interval was asked for by name.
  private(set) var asksMinimumRefresh = false
  /// The least refresh interval asked for in nanoseconds; `Int64.max` if none was.
  private(set) var leastRefresh = Int64.max

  /// Whether an input of a kind occurs.
  func has(_ kind: InputKind) -> Bool { kinds & (1 << UInt64(kind.rawValue)) != 0 }

  /// Whether an input names an app.
  var namesApps: Bool {
    InputKind.allCases.contains { kind in
      switch kind {
      case .save, .delete, .network, .power, .lock, .unlock, .reboot, .observed: false
      case .enable, .disable, .disableAll, .execute, .stop, .complete, .launch, .background,
        .terminate, .forceQuit, .push, .refreshInterval, .refreshStatus, .complication,
        .entitlement:
        has(kind)
      }
    }
  }

  mutating func take(_ input: borrowing Input) {
    kinds |= 1 << UInt64(input.kind.rawValue)
    switch input {
    case .complication(_, let isActive): hasComplication = hasComplication || isActive
    case .push(_, let push): hasPush = hasPush || push.isBackgroundNotification
    case .refreshInterval(_, .minimum): asksMinimumRefresh = true
    case .refreshInterval(_, .seconds(let seconds)):
      leastRefresh = min(leastRefresh, Seconds.nanoseconds(seconds))
    default: break
    }
  }
}
