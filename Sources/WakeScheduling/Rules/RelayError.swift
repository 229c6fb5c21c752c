public import WakeEvents

/// Why a ``Relay`` takes neither an event nor a listener (rule 8.1).
public struct RelayError: Error, Hashable, Sendable {
  /// The reasons; more may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// The event's name is not among those that the relay supports.
    public static let unsupportedEvent = Code(description: "unsupported event")
  }

  /// The reason.
  public let code: Code
  /// The event's name as it was given; names are compared by their bytes.
  public let event: ExactName
}

extension RelayError: CustomStringConvertible {
  public var description: String { "\(code): \(event.string)" }
}
