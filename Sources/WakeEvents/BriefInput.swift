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
  package private(set) var type = SampleType(index: 0)
  package private(set) var query = Query(index: 0)
  /// The ``NameHash`` of a push's id, the place of a predicate among ``InputColumns/predicates``, or what ``item`` or
  /// ``interval`` is made of.
  package private(set) var number: UInt64 = 0

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
      self.init(.enable, app)
      (self.type, self.frequency) = (type, frequency)
    case .disable(let app, let type):
      self.init(.disable, app)
      self.type = type
    case .disableAll(let app): self.init(.disableAll, app)
    case .execute(let app, let query, let type, let predicate):
      self.init(.execute, app)
      (self.query, self.type, isOn) = (query, type, predicate != nil)
    case .stop(let app, let query):
      self.init(.stop, app)
      self.query = query
    case .complete(let app, let item, _):
      self.init(.complete, app)
      switch item {
      case .everything: number = Self.everyItem
      case .push: number = Self.pushItem
      case .refresh: number = Self.refreshItem
      case .type(let type): (number, self.type) = (Self.typeItem, type)
      }
    case .launch(let app): self.init(.launch, app)
    case .background(let app): self.init(.background, app)
    case .terminate(let app): self.init(.terminate, app)
    case .forceQuit(let app): self.init(.forceQuit, app)
    case .push(let app, let push):
      self.init(.push, app)
      (number, isOn) = (NameHash.ofMany(push.id), push.isBackgroundNotification)
    case .refreshInterval(let app, let interval):
      self.init(.refreshInterval, app)
      switch interval {
      case .never: number = Self.neverInterval
      case .minimum: number = Self.minimumInterval
      case .seconds(let seconds): number = seconds.bitPattern
      }
    case .refreshStatus(let app, let status):
      self.init(.refreshStatus, isOn: app == nil)
      if let app { self.app = app }
      self.status = status
    case .complication(let app, let isActive):
      self.init(.complication, app)
      isOn = isActive
    case .entitlement(let app, let isGranted):
      self.init(.entitlement, app)
      isOn = isGranted
    case .network(let isGood): self.init(.network, isOn: isGood)
    case .power(let isGood): self.init(.power, isOn: isGood)
    case .lock: self.init(InputKind.lock)
    case .unlock: self.init(InputKind.unlock)
    case .reboot: self.init(InputKind.reboot)
    case .observed: self.init(InputKind.observed)
    }
  }

  /// Notes where the predicate of this execute is.
  mutating func setPredicate(at place: Int) { number = UInt64(place) }

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
