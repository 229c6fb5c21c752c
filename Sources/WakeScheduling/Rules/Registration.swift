import WakeEvents

// Page Rules, 5.2: enable.
extension SchedulerCore {
  /// Enables background delivery of a type to an app, or notes why not (``rejection``). Returns whether it changes when
  /// the app is woken.
  mutating func enable(_ app: Int, _ type: SampleType, _ frequency: Frequency) -> Bool {
    guard apps[app].hasEntitlement else { return reject(.authorizationDenied) }
    guard let cap = fastestFrequency(of: type) else { return reject(.invalidArgument) }
    if apps[app].activity == .foreground || apps[app].subscriptions.isEmpty {
      apps[app].backoff.reset()
      updateIsWokenBySavesOnly(of: app)
    }
    let allowed = Policy.slower(frequency, cap)
    guard let slot = subscription(of: app, on: type) else {
      add(SubscriptionState(app: app, type: type, frequency: allowed))
      // The app may have queries on the type.
      updateFilter(of: app, on: type)
      return false
    }
    guard coalescer.subscriptions[slot].frequency != allowed else { return false }
    coalescer.subscriptions[slot].setFrequency(allowed)
    guard coalescer.subscriptions[slot].oldest != .max else { return false }
    forgetPending(coalescer.subscriptions[slot].place, of: app)
    notePending(slot, of: app)
    return true
  }

  private mutating func reject(_ code: RegistrationError.Code) -> Bool {
    counts.rejectedRegistrations += 1
    rejection = RegistrationError(code: code)
    return false
  }
}

/// Why background delivery could not be enabled (rule 5.2).
public struct RegistrationError: Error, Hashable, Sendable {
  /// The reasons; more may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Reason: String {
      case authorizationDenied = "authorization denied"
      case invalidArgument = "invalid argument"
    }

    private let reason: Reason

    public var description: String { reason.rawValue }

    /// The app lacks the background-delivery entitlement.
    public static let authorizationDenied = Code(reason: .authorizationDenied)
    /// The type is a correlation type.
    public static let invalidArgument = Code(reason: .invalidArgument)
  }

  /// The reason.
  public let code: Code
}
