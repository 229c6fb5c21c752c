/// An input other than a save or delete without what few readers need: the texts of a push, the predicate of a query, the
/// result of a completion.
///
/// It is a few words without references, so that a scheduler copies none and counts none, and the hash of a push's id is
/// computed where the input is read, once.
package enum BriefInput: Sendable {
  case enable(app: App, type: SampleType, frequency: Frequency)
  case disable(app: App, type: SampleType)
  case disableAll(app: App)
  case execute(app: App, query: Query, type: SampleType, hasPredicate: Bool)
  case stop(app: App, query: Query)
  case complete(app: App, item: CompletionItem)
  case launch(app: App)
  case background(app: App)
  case terminate(app: App)
  case forceQuit(app: App)
  /// With the ``NameHash`` of its id and ``Push/isBackgroundNotification``.
  case push(app: App, id: UInt64, isBackground: Bool)
  case refreshInterval(app: App, RefreshInterval)
  case refreshStatus(app: App?, RefreshStatus)
  case complication(app: App, isActive: Bool)
  case entitlement(app: App, isGranted: Bool)
  case network(isGood: Bool)
  case power(isGood: Bool)
  case lock
  case unlock
  case reboot
  /// No input, but what a real system did (page Rules, section 11).
  case observed

  /// What there is of an input; nil for a save or delete.
  package init?(_ input: borrowing Input) {
    switch input {
    case .save, .delete: return nil
    case .enable(let app, let type, let frequency):
      self = .enable(app: app, type: type, frequency: frequency)
    case .disable(let app, let type): self = .disable(app: app, type: type)
    case .disableAll(let app): self = .disableAll(app: app)
    case .execute(let app, let query, let type, let predicate):
      self = .execute(app: app, query: query, type: type, hasPredicate: predicate != nil)
    case .stop(let app, let query): self = .stop(app: app, query: query)
    case .complete(let app, let item, _): self = .complete(app: app, item: item)
    case .launch(let app): self = .launch(app: app)
    case .background(let app): self = .background(app: app)
    case .terminate(let app): self = .terminate(app: app)
    case .forceQuit(let app): self = .forceQuit(app: app)
    case .push(let app, let push):
      self = .push(
        app: app, id: NameHash.ofMany(push.id), isBackground: push.isBackgroundNotification)
    case .refreshInterval(let app, let interval): self = .refreshInterval(app: app, interval)
    case .refreshStatus(let app, let status): self = .refreshStatus(app: app, status)
    case .complication(let app, let isActive):
      self = .complication(app: app, isActive: isActive)
    case .entitlement(let app, let isGranted):
      self = .entitlement(app: app, isGranted: isGranted)
    case .network(let isGood): self = .network(isGood: isGood)
    case .power(let isGood): self = .power(isGood: isGood)
    case .lock: self = .lock
    case .unlock: self = .unlock
    case .reboot: self = .reboot
    case .observed: self = .observed
    }
  }
}
