public import WakeEvents

/// Bridges wakes, or any events, to listeners that may start later than the app (rule 8.1).
///
/// A launch in the background delivers its events before most of the app is there to take them. A
/// relay stands between: an event whose name has listeners is theirs at once; one whose name has none
/// is lost, or kept until the first listener for the name is added, as ``Buffering`` says.
///
/// A relay calls nobody. It is told what happens and returns what is to be delivered, and its caller
/// delivers it, so it needs no thread, lock or closure of its own:
///
///     var relay = Relay<Delivery>(events: ["health", "push"], buffering: .latest)
///     try relay.send(delivery, as: "health")     // .kept(superseding: nil)
///     let added = try relay.addListener(for: "health")
///     for delivery in added.kept { handle(delivery) }
///
/// The completion is the listener's to call: an event's payload carries what that takes, and the
/// relay holds it no longer than the event. Events that no listener will ever see, those lost,
/// superseded or discarded, come back to the caller, who may have to complete them.
///
/// Where rule 8.1 is silent:
/// - Names are compared by their UTF-8 bytes.
/// - Kept events go to the listener whose addition gives a name its first, and to no other.
/// - When the last listener of a name is removed, the name is as it was before: its events are lost or
///   kept again, and the next listener added is the first.
/// - Names do not touch each other: each keeps its own events, in the order they were sent. Where those
///   of several names come out together (``discardAll()``) they are in the order they were sent, too.
/// - A queue has no bound.
public struct Relay<Payload> {
  /// What becomes of events that have no listener.
  public enum Buffering: String, CaseIterable, Sendable {
    /// They are lost.
    case none
    /// One is kept for each event name, the newest winning.
    case latest
    /// All are kept, in the order they were sent, without a bound.
    case queue
  }

  /// A listener for the events of one name, as ``addListener(for:)`` gave it.
  public struct Listener: Hashable, Sendable {
    /// Its number among all listeners ever added to its relay, from 1.
    public let number: Int
    let place: Int
  }

  /// What became of an event.
  public enum Disposition {
    /// It is to be delivered now to these listeners, at least one, in the order they were added.
    case deliver(to: [Listener])
    /// It is kept for the name's first listener; one kept before may have to give way to it, and
    /// then reaches nobody.
    case kept(superseding: Payload?)
    /// It reaches nobody.
    case lost
  }

  /// What becomes of events that have no listener.
  public let buffering: Buffering

  private var places: [ExactName: Int] = [:]
  /// The listeners for each name.
  private var listeners: [[Listener]] = []
  /// The events kept, in the order they were sent. A name with listeners has none.
  private var kept: [(place: Int, payload: Payload)] = []
  private var listenersAdded = 0

  /// Makes a relay without listeners.
  ///
  /// - Parameters:
  ///   - events: The names of the events that it supports; one given twice counts once.
  ///   - buffering: What becomes of events that have no listener.
  public init(events: some Sequence<String>, buffering: Buffering) {
    self.buffering = buffering
    for event in events {
      let name = ExactName(event)
      guard places[name] == nil else { continue }
      places[name] = listeners.count
      listeners.append([])
    }
  }

  /// Takes an event and tells what is to be done with it.
  ///
  /// - Throws: ``RelayError`` if the relay does not support the name; the event is then nowhere.
  /// - Complexity: O(length of the name), amortised; with ``Buffering/latest`` and no listener O(names) besides.
  public mutating func send(
    _ payload: Payload, as event: String
  ) throws(RelayError) -> Disposition {
    let place = try place(of: event)
    guard listeners[place].isEmpty else { return .deliver(to: listeners[place]) }
    guard buffering != .none else { return .lost }
    let superseded = buffering == .latest ? takeKept(of: place).first : nil
    kept.append((place, payload))
    return .kept(superseding: superseded)
  }

  /// Adds a listener for the events of a name.
  ///
  /// - Returns: The listener, which stands for it when events are delivered and when it is removed,
  ///   and the events to deliver to it now, in the order they were sent: those kept if it is the
  ///   first for its name, else none.
  /// - Throws: ``RelayError`` if the relay does not support the name.
  /// - Complexity: O(length of the name + events kept).
  public mutating func addListener(
    for event: String
  ) throws(RelayError) -> (listener: Listener, kept: [Payload]) {
    let place = try place(of: event)
    listenersAdded += 1
    let listener = Listener(number: listenersAdded, place: place)
    listeners[place].append(listener)
    return (listener, takeKept(of: place))
  }

  /// Removes a listener.
  ///
  /// - Returns: Whether the relay had it; removing it again changes nothing.
  /// - Complexity: O(listeners for its name).
  @discardableResult
  public mutating func remove(_ listener: Listener) -> Bool {
    guard listeners.indices.contains(listener.place),
      let index = listeners[listener.place].firstIndex(of: listener)
    else { return false }
    listeners[listener.place].remove(at: index)
    return true
  }

  /// Drops all events kept, as when the user logs out; listeners stay.
  ///
  /// - Returns: The events, in the order they were sent.
  /// - Complexity: O(events kept).
  @discardableResult
  public mutating func discardAll() -> [Payload] {
    defer { kept = [] }
    return kept.map(\.payload)
  }

  /// How many events are kept for the listeners to come of a name.
  ///
  /// - Throws: ``RelayError`` if the relay does not support the name.
  /// - Complexity: O(length of the name + events kept).
  public func keptCount(for event: String) throws(RelayError) -> Int {
    let place = try place(of: event)
    return kept.count { $0.place == place }
  }

  private mutating func takeKept(of place: Int) -> [Payload] {
    let taken = kept.filter { $0.place == place }
    if !taken.isEmpty { kept.removeAll { $0.place == place } }
    return taken.map(\.payload)
  }

  private func place(of event: String) throws(RelayError) -> Int {
    let name = ExactName(event)
    guard let place = places[name] else {
      throw RelayError(code: .unsupportedEvent, event: name)
    }
    return place
  }
}

extension Relay: Sendable where Payload: Sendable {}
extension Relay.Disposition: Sendable where Payload: Sendable {}
extension Relay.Disposition: Equatable where Payload: Equatable {}

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
