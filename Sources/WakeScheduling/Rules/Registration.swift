import WakeEvents

// Page Rules, 5.2: enable.
extension SchedulerCore {
  /// Enables background delivery of a type to an app; returns why it was rejected.
  mutating func enable(
    _ app: Int, _ type: SampleType, _ frequency: Frequency
  ) -> RegistrationError? {
    guard apps[app].hasEntitlement else { return reject(.authorizationDenied) }
    guard let cap = typeCaps.cap(of: type, policy, symbols) else {
      return reject(.invalidArgument)
    }
    if apps[app].activity == .foreground || apps[app].subscriptions.isEmpty {
      apps[app].backoff.reset()
    }
    let allowed = Policy.slower(frequency, cap)
    if let slot = subscription(of: app, on: type) {
      coalescer.subscriptions[slot].setFrequency(allowed)
      if coalescer.subscriptions[slot].oldest != .max {
        forgetPending(coalescer.subscriptions[slot].place, of: app)
        notePending(slot, of: app)
      }
    } else {
      add(SubscriptionState(app: app, type: type, frequency: allowed))
      // The app may have queries on the type.
      updateFilter(of: app, on: type)
    }
    return nil
  }

  private mutating func reject(_ code: RegistrationError.Code) -> RegistrationError {
    counts.rejectedRegistrations += 1
    return RegistrationError(code: code)
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
