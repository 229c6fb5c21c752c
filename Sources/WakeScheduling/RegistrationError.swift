/// Why background delivery could not be enabled (SPEC 5.2).
public struct RegistrationError: Error, Hashable, Sendable {
  /// The reasons; more may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// The app lacks the background-delivery entitlement.
    public static let authorizationDenied = Code(description: "authorization denied")
    /// The type is a correlation type.
    public static let invalidArgument = Code(description: "invalid argument")
  }

  /// The reason.
  public let code: Code
}
