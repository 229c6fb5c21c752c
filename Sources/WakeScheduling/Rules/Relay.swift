import WakeEvents

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
  private var channels: [RelayChannel<Payload>] = []
  private var listenersAdded = 0
  private var eventsKept: UInt64 = 0

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
      places[name] = channels.count
      channels.append(RelayChannel())
    }
  }

  /// Takes an event and tells what is to be done with it.
  ///
  /// - Throws: ``RelayError`` if the relay does not support the name; the event is then nowhere.
  /// - Complexity: O(length of the name), amortised.
  public mutating func send(
    _ payload: Payload, as event: String
  ) throws(RelayError) -> Disposition {
    let place = try place(of: event)
    let listeners = channels[place].listeners
    guard listeners.isEmpty else { return .deliver(to: listeners) }
    switch buffering {
    case .none:
      return .lost
    case .latest:
      let superseded = channels[place].takeKept().first
      keep(payload, at: place)
      return .kept(superseding: superseded)
    case .queue:
      keep(payload, at: place)
      return .kept(superseding: nil)
    }
  }

  /// Adds a listener for the events of a name.
  ///
  /// - Returns: The listener, which stands for it when events are delivered and when it is removed,
  ///   and the events to deliver to it now, in the order they were sent: those kept if it is the
  ///   first for its name, else none.
  /// - Throws: ``RelayError`` if the relay does not support the name.
  /// - Complexity: O(length of the name + events kept for it).
  public mutating func addListener(
    for event: String
  ) throws(RelayError) -> (listener: Listener, kept: [Payload]) {
    let place = try place(of: event)
    listenersAdded += 1
    let listener = Listener(number: listenersAdded, place: place)
    channels[place].listeners.append(listener)
    return (listener, channels[place].takeKept())
  }

  /// Removes a listener.
  ///
  /// - Returns: Whether the relay had it; removing it again changes nothing.
  /// - Complexity: O(listeners for its name).
  @discardableResult
  public mutating func remove(_ listener: Listener) -> Bool {
    guard channels.indices.contains(listener.place) else { return false }
    let index = channels[listener.place].listeners.firstIndex(of: listener)
    guard let index else { return false }
    channels[listener.place].listeners.remove(at: index)
    return true
  }

  /// Drops all events kept, as when the user logs out; listeners stay.
  ///
  /// - Returns: The events, in the order they were sent.
  /// - Complexity: O(n log n) in the number of events kept.
  @discardableResult
  public mutating func discardAll() -> [Payload] {
    var dropped: [RelayChannel<Payload>.Kept] = []
    for place in channels.indices {
      dropped += channels[place].kept
      channels[place].kept = []
    }
    return dropped.sorted { $0.number < $1.number }.map(\.payload)
  }

  /// How many events are kept for the listeners to come of a name.
  ///
  /// - Throws: ``RelayError`` if the relay does not support the name.
  /// - Complexity: O(length of the name).
  public func keptCount(for event: String) throws(RelayError) -> Int {
    channels[try place(of: event)].kept.count
  }

  private mutating func keep(_ payload: Payload, at place: Int) {
    eventsKept += 1
    channels[place].kept.append(.init(number: eventsKept, payload: payload))
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

/// The state of one event name in a ``Relay``. Events are kept only while there is no listener.
private struct RelayChannel<Payload> {
  struct Kept {
    /// Its place in the order in which events were kept, over all names.
    var number: UInt64
    var payload: Payload
  }

  var listeners: [Relay<Payload>.Listener] = []
  var kept: [Kept] = []

  mutating func takeKept() -> [Payload] {
    let taken = kept.map(\.payload)
    kept.removeAll(keepingCapacity: taken.count == 1)
    return taken
  }
}

extension RelayChannel: Sendable where Payload: Sendable {}
extension RelayChannel.Kept: Sendable where Payload: Sendable {}
