/// An input other than a save or delete without what few readers need: the texts of a push, the predicate of a query, the
/// result of a completion.
///
/// It is three words without references, so that a scheduler copies none and counts none, and the hash of a push's id is
/// computed where the input is read, once. Which fields mean anything depends on the kind: those that ``Input`` has for it.
/// It is no enumeration, so that a scheduler can decide by the column of kinds before this is read.
package struct BriefInput: Sendable {
  package let kind: InputKind
  /// Whether an execute has a predicate, a push is a background notification, a complication is active, an entitlement is
  /// granted, network or power are good, or a refresh status is that of every app.
  package private(set) var isOn = false
  package private(set) var frequency = Frequency.immediate
  package private(set) var status = RefreshStatus.available
  package private(set) var app = App(index: 0)
  /// Of a push, this and ``query`` say where its id is (``idRange``).
  package private(set) var type = SampleType(index: 0)
  package private(set) var query = Query(index: 0)
  /// The ``NameHash`` of a push's id, the place of a predicate among ``InputColumns/predicates``, or what ``item`` or
  /// ``interval`` is made of.
  package private(set) var number: UInt64 = 0

  /// Where the id of a push is in ``InputColumns/pushIDs``; behind all ids, if it was not read. A push has no type and query,
  /// whose memory this takes: ``type`` is the first byte, and ``query`` how many there are.
  package var idRange: Range<Int> { Int(type.index)..<Int(type.index) + Int(query.index) }

  /// Whether the id of a push was read.
  var hasID: Bool { type.index != Self.unreadID }

  /// The first byte of an id that was not read.
  private static let unreadID = UInt32.max

  /// What a complete answers.
  @inlinable
  package var item: CompletionItem {
    switch number {
    case Self.everyItem: .everything
    case Self.pushItem: .push
    case Self.refreshItem: .refresh
    default: .type(type)
    }
  }

  /// The interval of a refreshInterval.
  @inlinable
  package var interval: RefreshInterval {
    switch number {
    case Self.neverInterval: .never
    case Self.minimumInterval: .minimum
    default: .seconds(Double(bitPattern: number))
    }
  }

  // What `number` is for an item. Package, as `item` and `interval` are inlined in other modules.
  @inlinable
  package static var everyItem: UInt64 { 0 }
  @inlinable
  package static var pushItem: UInt64 { 1 }
  @inlinable
  package static var refreshItem: UInt64 { 2 }
  private static let typeItem: UInt64 = 3
  // What it is for an interval: the bits of no valid number of seconds.
  @inlinable
  package static var neverInterval: UInt64 { .max }
  @inlinable
  package static var minimumInterval: UInt64 { .max - 1 }

  private init(_ kind: InputKind) { self.kind = kind }

  private init(_ kind: InputKind, _ app: App) {
    self.kind = kind
    self.app = app
  }

  private init(_ kind: InputKind, isOn: Bool) {
    self.kind = kind
    self.isOn = isOn
  }

  /// What there is of an input; nil for a save or delete.
  package init?(_ input: borrowing Input) {
    switch input {
    case .save, .delete: return nil
    case .enable(let app, let type, let frequency):
      self = .enable(app: app, type: type, frequency: frequency)
    case .disable(let app, let type): self = .disable(app: app, type: type)
    case .disableAll(let app): self = .disableAll(app: app)
    case .execute(let app, let query, let type, let predicate):
      self.init(.execute, app)
      (self.query, self.type, isOn) = (query, type, predicate != nil)
    case .stop(let app, let query): self = .stop(app: app, query: query)
    case .complete(let app, let item, let result):
      self = .complete(app: app, item: item, result: result)
    case .launch(let app): self = .launch(app: app)
    case .background(let app): self = .background(app: app)
    case .terminate(let app): self = .terminate(app: app)
    case .forceQuit(let app): self = .forceQuit(app: app)
    case .push(let app, let push):
      self = .push(
        app: app,
        BriefPush(
          id: NameHash.ofMany(push.id), isBackgroundNotification: push.isBackgroundNotification))
    case .refreshInterval(let app, let interval): self = .refreshInterval(app: app, interval)
    case .refreshStatus(let app, let status): self = .refreshStatus(app: app, status)
    case .complication(let app, let isActive): self = .complication(app: app, isActive: isActive)
    case .entitlement(let app, let isGranted): self = .entitlement(app: app, isGranted: isGranted)
    case .network(let isGood): self = .network(isGood: isGood)
    case .power(let isGood): self = .power(isGood: isGood)
    case .lock: self = .lock
    case .unlock: self = .unlock
    case .reboot: self = .reboot
    case .observed: self.init(InputKind.observed)
    }
  }

  /// Notes where the predicate of this execute is.
  mutating func setPredicate(at place: Int) { number = UInt64(place) }

  /// Notes where the id of this push is.
  package mutating func setID(at range: Range<Int>) {
    precondition(
      range.upperBound < Self.unreadID, "the ids of a batch's pushes have 4 GiB or more together")
    type = SampleType(index: UInt32(range.lowerBound))
    query = Query(index: UInt32(range.count))
  }

  /// This enable with another frequency.
  package func with(_ frequency: Frequency) -> BriefInput {
    var input = self
    input.frequency = frequency
    return input
  }

  /// This refreshStatus with another status.
  package func with(_ status: RefreshStatus) -> BriefInput {
    var input = self
    input.status = status
    return input
  }

  /// This network or power, good.
  package var good: BriefInput {
    var input = self
    input.isOn = true
    return input
  }

  /// A terminate of the app of this forceQuit.
  package var terminating: BriefInput { BriefInput(.terminate, app) }
}

/// What a scheduler looks at of a push.
package struct BriefPush: Sendable {
  /// The ``NameHash`` of its id.
  package let id: UInt64
  /// See `Push.isBackgroundNotification`.
  package let isBackgroundNotification: Bool

  /// Makes what a scheduler looks at from the hash of an id and from the rule's answer.
  package init(id: UInt64, isBackgroundNotification: Bool) {
    self.id = id
    self.isBackgroundNotification = isBackgroundNotification
  }
}

// The cases of ``Input`` that hold no more than a name's number, a flag and a word: a reader makes one as it makes the other.
extension BriefInput {
  package static func enable(app: App, type: SampleType, frequency: Frequency) -> Self {
    var input = Self(.enable, app)
    (input.type, input.frequency) = (type, frequency)
    return input
  }

  package static func disable(app: App, type: SampleType) -> Self {
    var input = Self(.disable, app)
    input.type = type
    return input
  }

  package static func disableAll(app: App) -> Self { Self(.disableAll, app) }

  package static func stop(app: App, query: Query) -> Self {
    var input = Self(.stop, app)
    input.query = query
    return input
  }

  /// Without the result.
  package static func complete(app: App, item: CompletionItem, result _: FetchResult?) -> Self {
    var input = Self(.complete, app)
    switch item {
    case .everything: input.number = everyItem
    case .push: input.number = pushItem
    case .refresh: input.number = refreshItem
    case .type(let type): (input.number, input.type) = (typeItem, type)
    }
    return input
  }

  package static func launch(app: App) -> Self { Self(.launch, app) }
  package static func background(app: App) -> Self { Self(.background, app) }
  package static func terminate(app: App) -> Self { Self(.terminate, app) }
  package static func forceQuit(app: App) -> Self { Self(.forceQuit, app) }

  package static func push(app: App, _ push: BriefPush) -> Self {
    var input = Self(.push, app)
    (input.number, input.isOn) = (push.id, push.isBackgroundNotification)
    input.type = SampleType(index: unreadID)
    return input
  }

  package static func refreshInterval(app: App, _ interval: RefreshInterval) -> Self {
    var input = Self(.refreshInterval, app)
    switch interval {
    case .never: input.number = neverInterval
    case .minimum: input.number = minimumInterval
    case .seconds(let seconds): input.number = seconds.bitPattern
    }
    return input
  }

  package static func refreshStatus(app: App?, _ status: RefreshStatus) -> Self {
    var input = Self(.refreshStatus, isOn: app == nil)
    if let app { input.app = app }
    input.status = status
    return input
  }

  package static func complication(app: App, isActive: Bool) -> Self {
    var input = Self(.complication, app)
    input.isOn = isActive
    return input
  }

  package static func entitlement(app: App, isGranted: Bool) -> Self {
    var input = Self(.entitlement, app)
    input.isOn = isGranted
    return input
  }

  package static func network(isGood: Bool) -> Self { Self(.network, isOn: isGood) }
  package static func power(isGood: Bool) -> Self { Self(.power, isOn: isGood) }
  package static var lock: Self { Self(InputKind.lock) }
  package static var unlock: Self { Self(InputKind.unlock) }
  package static var reboot: Self { Self(InputKind.reboot) }
}
