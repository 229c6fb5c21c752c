internal import WakeEvents
internal import WakeJSON
internal import WakeTrace

/// Turns one line of JSON Lines into an event (page Rules, section 2).
struct EventParser {
  private static let kinds = WordTable<InputKind>()
  private static let frequencies = WordTable<Frequency>(name: \.word)
  private static let results = WordTable<FetchResult>()
  private static let statuses = WordTable<RefreshStatus>()
  private static let outcomes = WordTable<Observation.Outcome>()

  private let symbols: Symbols
  private var types: CachedNames<NameOf.SampleType>
  private var sources: CachedNames<NameOf.Source>
  private var apps: CachedNames<NameOf.App>
  private var queries: CachedNames<NameOf.Query>
  private var devices: CachedNames<NameOf.Device>
  /// The device of lines without the key `device`; nil before the first such line.
  private var namelessDevice: Device?
  private var deviceHashes = DeviceHashes()
  /// The devices below this index were looked at, and none of them has the hash of another.
  private var distinctDevices: UInt32
  var fields = EventFields()
  /// The time of lines without `t`; nil makes them errors.
  var clock: (() -> Timestamp)?

  init(symbols: Symbols) {
    self.symbols = symbols
    types = CachedNames(symbols.types)
    sources = CachedNames(symbols.sources)
    apps = CachedNames(symbols.apps)
    queries = CachedNames(symbols.queries)
    devices = CachedNames(symbols.devices)
    distinctDevices = UInt32(symbols.devices.count)
  }

  /// The event of a line that is not blank.
  mutating func parse(_ line: JSONBytes) throws(JSONError) -> Event {
    try fields.read(line)
    do throws(JSONError) {
      let time = try time()
      let kind = try word(.k, of: Self.kinds)
      return Event(time: time, device: try device(), input: try input(kind))
    } catch {
      throw error.inside(fields.current.name)
    }
  }

  private mutating func input(_ kind: InputKind) throws(JSONError) -> Input {
    switch kind {
    case .save:
      .save(
        Sample(
          type: try type(), source: try sources.symbol(for: string(.source), in: bytes),
          start: try fields.optional(.start).map(bytes.time),
          end: try fields.optional(.end).map(bytes.time),
          value: try fields.optional(.value).map(bytes.double)))
    case .delete:
      .delete(type: try type(), source: try sources.symbol(for: string(.source), in: bytes))
    case .enable:
      .enable(
        app: try app(), type: try type(), frequency: try word(.frequency, of: Self.frequencies))
    case .disable: .disable(app: try app(), type: try type())
    case .disableAll: .disableAll(app: try app())
    case .execute:
      .execute(
        app: try app(), query: try queries.symbol(for: string(.query), in: bytes), type: try type(),
        predicate: try predicate())
    case .stop: .stop(app: try app(), query: try queries.symbol(for: string(.query), in: bytes))
    case .complete:
      .complete(app: try app(), item: try completionItem(), result: try result())
    case .launch: .launch(app: try app())
    case .background: .background(app: try app())
    case .terminate: .terminate(app: try app())
    case .forceQuit: .forceQuit(app: try app())
    case .push: .push(app: try app(), try push())
    case .refreshInterval: .refreshInterval(app: try app(), try refreshInterval())
    case .refreshStatus:
      .refreshStatus(app: try appOrEvery(), try word(.status, of: Self.statuses))
    case .complication: .complication(app: try app(), isActive: try boolean(.active))
    case .entitlement: .entitlement(app: try app(), isGranted: try boolean(.granted))
    case .network: .network(isGood: try boolean(.good))
    case .power: .power(isGood: try boolean(.good))
    case .lock: .lock
    case .unlock: .unlock
    case .reboot: .reboot
    case .observed: .observed(app: try app(), try observation())
    }
  }
}

// The fields.
extension EventParser {
  var bytes: JSONBytes { fields.bytes }

  private mutating func time() throws(JSONError) -> Timestamp {
    if let clock { return try fields.optional(.t).map(bytes.time) ?? clock() }
    return try bytes.time(try fields.required(.t))
  }

  private mutating func type() throws(JSONError) -> SampleType {
    types.symbol(for: try string(.type), in: bytes)
  }

  mutating func app() throws(JSONError) -> App {
    apps.symbol(for: try string(.app), in: bytes)
  }

  /// The app; nil for `"*"`, every app seen so far.
  private mutating func appOrEvery() throws(JSONError) -> App? {
    bytes.string(try string(.app)) == "*" ? nil : try app()
  }

  mutating func device() throws(JSONError) -> Device {
    let device =
      if let name = try optionalString(.device) {
        devices.symbol(for: name, in: bytes)
      } else {
        nameless()
      }
    if device.index >= distinctDevices { try check(device) }
    return device
  }

  private mutating func nameless() -> Device {
    if let namelessDevice { return namelessDevice }
    let device = symbols.devices.intern("")
    namelessDevice = device
    return device
  }

  /// Refuses a device whose name has the hash of another one: a trace could not tell them apart.
  private mutating func check(_ device: Device) throws(JSONError) {
    if let fault = deviceHashes.insert(symbols.devices.name(of: device)) {
      throw JSONError(.invalidField, fault.message)
    }
    if device.index == distinctDevices { distinctDevices += 1 }
  }

  private mutating func string(_ field: Field) throws(JSONError) -> JSONString {
    try bytes.boundedString(try fields.required(field))
  }

  mutating func optionalString(_ field: Field) throws(JSONError) -> JSONString? {
    try fields.optional(field).map(bytes.boundedString)
  }

  private mutating func boolean(_ field: Field) throws(JSONError) -> Bool {
    try bytes.boolean(try fields.required(field))
  }

  private mutating func word<Word>(
    _ field: Field, of table: WordTable<Word>
  ) throws(JSONError) -> Word {
    try bytes.word(try fields.required(field), of: table)
  }

  private mutating func result() throws(JSONError) -> FetchResult? {
    guard let value = fields.optional(.result) else { return nil }
    return try bytes.word(value, of: Self.results)
  }

  private mutating func completionItem() throws(JSONError) -> CompletionItem {
    guard let item = try optionalString(.item) else { return .everything }
    switch bytes.string(item) {
    case "push": return .push
    case "refresh": return .refresh
    default: return .type(types.symbol(for: item, in: bytes))
    }
  }

  private mutating func refreshInterval() throws(JSONError) -> RefreshInterval {
    let value = try fields.required(.interval)
    switch value {
    case .number: return .seconds(try bytes.double(value, in: Seconds.validRange))
    case .string(let string):
      switch bytes.string(string) {
      case "never": return .never
      case "minimum": return .minimum
      default: throw bytes.unknownWord(string, "never, minimum")
      }
    default: throw bytes.wrongType(value, "a number of seconds, never or minimum")
    }
  }

  private mutating func push() throws(JSONError) -> Push {
    Push(
      id: bytes.string(try string(.id)),
      aps: try fields.optional(.aps).map(bytes.pushPayload),
      pushType: try optionalString(.pushType).map(bytes.string),
      priority: try fields.optional(.priority).map(bytes.double))
  }

  private mutating func observation() throws(JSONError) -> Observation {
    var observation = Observation(types: try typeList())
    observation.push = try optionalString(.push).map(bytes.string)
    observation.refresh = try fields.optional(.refresh).map(bytes.boolean)
    observation.outcome = try outcome()
    observation.end = try fields.optional(.end).map(bytes.time)
    return observation
  }

  mutating func outcome() throws(JSONError) -> Observation.Outcome? {
    guard let outcome = fields.optional(.outcome) else { return nil }
    return try bytes.word(outcome, of: Self.outcomes)
  }

  mutating func typeList() throws(JSONError) -> [SampleType] {
    let value = try fields.required(.types)
    var list: [SampleType] = []
    try bytes.forEachElement(of: try bytes.array(value)) { name throws(JSONError) in
      guard list.count < TraceLimits.typesPerObservation else {
        throw JSONError(
          .outOfRange, "is one more than the \(TraceLimits.typesPerObservation) types allowed")
      }
      list.append(types.symbol(for: try bytes.boundedString(name), in: bytes))
    }
    return list
  }

  private mutating func predicate() throws(JSONError) -> Predicate? {
    guard let (members, source) = try fields.optional(.predicate).map(bytes.predicate) else {
      return nil
    }
    var predicate = members
    predicate.source = source.map { sources.symbol(for: $0, in: bytes) }
    return predicate
  }
}

/// A symbol table with a cache of names by the bytes of JSON strings.
private struct CachedNames<Namespace> {
  private let table: SymbolTable<Namespace>
  private var cache = NameCache<Namespace>()

  init(_ table: SymbolTable<Namespace>) {
    self.table = table
  }

  mutating func symbol(for string: JSONString, in bytes: JSONBytes) -> Symbol<Namespace> {
    if string.hasEscapes { return table.intern(bytes.string(string)) }
    return bytes.withSpan(string.content) { name in
      cache.symbol(of: name) { table.intern(bytes.text(string.content)) }
    }
  }
}
