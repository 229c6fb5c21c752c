import WakeEvents

// Reading the column of inputs that are neither save nor delete, as `Input` or as `BriefInput`.

/// A push as it was read: its texts are ranges of the reader's bytes, which may be no UTF-8.
struct PushFields {
  var id: Range<Int>
  /// Nil without a payload.
  var json: Range<Int>?
  var contentAvailable: Double?
  var isShownToUser = false
  var pushType: Range<Int>?
  var priority: Double?
}

/// What a reader makes of the fields of an input: an `Input`, or a `BriefInput` where nobody asks for more.
protocol InputForm {
  associatedtype PushForm
  /// The push of fields that were read.
  static func push(
    of fields: PushFields, in reader: ByteReader
  ) throws(BlockError) -> PushForm

  static func enable(app: App, type: SampleType, frequency: Frequency) -> Self
  static func disable(app: App, type: SampleType) -> Self
  static func disableAll(app: App) -> Self
  static func stop(app: App, query: Query) -> Self
  static func complete(app: App, item: CompletionItem, result: FetchResult?) -> Self
  static func launch(app: App) -> Self
  static func background(app: App) -> Self
  static func terminate(app: App) -> Self
  static func forceQuit(app: App) -> Self
  static func push(app: App, _ push: PushForm) -> Self
  static func refreshInterval(app: App, _ interval: RefreshInterval) -> Self
  static func refreshStatus(app: App?, _ status: RefreshStatus) -> Self
  static func complication(app: App, isActive: Bool) -> Self
  static func entitlement(app: App, isGranted: Bool) -> Self
  static func network(isGood: Bool) -> Self
  static func power(isGood: Bool) -> Self
  static var lock: Self { get }
  static var unlock: Self { get }
  static var reboot: Self { get }
}

extension Input: InputForm {
  static func push(
    of fields: PushFields, in reader: ByteReader
  ) throws(BlockError) -> Push {
    var push = Push(id: try reader.text(fields.id), priority: fields.priority)
    if let json = fields.json {
      push.aps = Push.Payload(
        json: try reader.text(json), contentAvailable: fields.contentAvailable,
        isShownToUser: fields.isShownToUser)
    }
    if let type = fields.pushType { push.pushType = try reader.text(type) }
    return push
  }
}

extension BriefInput: InputForm {
  static func push(
    of fields: PushFields, in reader: ByteReader
  ) throws(BlockError) -> BriefPush {
    try reader.checkText(fields.id)
    if let json = fields.json { try reader.checkText(json) }
    var isBackgroundType = true
    if let type = fields.pushType {
      try reader.checkText(type)
      isBackgroundType = reader.bytes[type].elementsEqual(Push.backgroundType.utf8)
    }
    return BriefPush(
      id: reader.hash(fields.id),
      isBackgroundNotification: Push.isBackgroundNotification(
        contentAvailable: fields.json == nil ? 1 : fields.contentAvailable,
        isShownToUser: fields.isShownToUser, isBackgroundType: isBackgroundType,
        priority: fields.priority))
  }
}

extension DecodedNames {
  /// Reads the fields of an input of a kind.
  func readInput(_ kind: InputKind, _ reader: inout ByteReader) throws(BlockError) -> Input {
    switch kind {
    case .execute:
      return .execute(
        app: try readApp(&reader), query: try readQuery(&reader), type: try readType(&reader),
        predicate: try readPredicate(&reader))
    case .observed:
      return .observed(app: try readApp(&reader), try readObservation(&reader))
    default: return try readForm(kind, &reader)
    }
  }

  /// ``readInput(_:_:)`` for all kinds but execute and observed, of which a `BriefInput` does not hold all that a scheduler
  /// needs.
  @inline(__always)
  func readForm<Form: InputForm>(
    _ kind: InputKind, _ reader: inout ByteReader
  ) throws(BlockError) -> Form {
    switch kind {
    case .save, .delete, .execute, .observed: throw .malformed("column others has a sample")
    case .lock: return .lock
    case .unlock: return .unlock
    case .reboot: return .reboot
    case .network: return .network(isGood: try reader.readFlag())
    case .power: return .power(isGood: try reader.readFlag())
    case .refreshStatus:
      let place = try reader.readVarint()
      let app = place == 0 ? nil : try apps.at(place - 1, "app")
      return .refreshStatus(app: app, try reader.readWord())
    default: break
    }
    let app = try readApp(&reader)
    switch kind {
    case .enable:
      return .enable(app: app, type: try readType(&reader), frequency: try reader.readWord())
    case .disable: return .disable(app: app, type: try readType(&reader))
    case .disableAll: return .disableAll(app: app)
    case .stop: return .stop(app: app, query: try readQuery(&reader))
    case .complete:
      let item = try readItem(&reader)
      let word = try reader.readByte()
      guard word > 0 else { return .complete(app: app, item: item, result: nil) }
      guard let result = FetchResult(rawValue: word - 1) else { throw ByteReader.unknownWord }
      return .complete(app: app, item: item, result: result)
    case .launch: return .launch(app: app)
    case .background: return .background(app: app)
    case .terminate: return .terminate(app: app)
    case .forceQuit: return .forceQuit(app: app)
    case .push:
      return .push(app: app, try Form.push(of: try reader.readPushFields(), in: reader))
    case .refreshInterval: return .refreshInterval(app: app, try reader.readInterval())
    case .complication: return .complication(app: app, isActive: try reader.readFlag())
    case .entitlement: return .entitlement(app: app, isGranted: try reader.readFlag())
    default: preconditionFailure("kind \(kind) was read above")
    }
  }

  /// Reads the fields of a push in brief, and where its id is among the reader's bytes.
  func readPush(
    _ reader: inout ByteReader
  ) throws(BlockError) -> (push: BriefInput, id: Range<Int>) {
    let app = try readApp(&reader)
    let fields = try reader.readPushFields()
    return (.push(app: app, try BriefInput.push(of: fields, in: reader)), fields.id)
  }

  private func readApp(_ reader: inout ByteReader) throws(BlockError) -> App {
    try apps.at(reader.readVarint(), "app")
  }

  private func readType(_ reader: inout ByteReader) throws(BlockError) -> SampleType {
    try types.at(reader.readVarint(), "type")
  }

  private func readQuery(_ reader: inout ByteReader) throws(BlockError) -> Query {
    try queries.at(reader.readVarint(), "query")
  }

  private func readItem(_ reader: inout ByteReader) throws(BlockError) -> CompletionItem {
    switch try reader.readByte() {
    case 0: return .everything
    case 1: return .push
    case 2: return .refresh
    case 3: return .type(try types.at(reader.readVarint(), "type"))
    default: throw ByteReader.unknownWord
    }
  }

  private func readPredicate(_ reader: inout ByteReader) throws(BlockError) -> Predicate? {
    let has = PredicateFields(rawValue: try reader.readByte())
    guard has.contains(.exists) else {
      guard has.isEmpty else { throw ByteReader.unknownWord }
      return nil
    }
    var predicate = Predicate()
    if has.contains(.source) { predicate.source = try sources.at(reader.readVarint(), "source") }
    if has.contains(.start) { predicate.start = try reader.readTime() }
    if has.contains(.end) { predicate.end = try reader.readTime() }
    if has.contains(.min) { predicate.min = try reader.readNumber() }
    if has.contains(.max) { predicate.max = try reader.readNumber() }
    if has.contains(.strictStart) { predicate.strictStart = try reader.readFlag() }
    if has.contains(.strictEnd) { predicate.strictEnd = try reader.readFlag() }
    return predicate
  }
}

// Fields of inputs, with the bounds that ``ByteWriter`` checks.
extension ByteReader {
  static let unknownWord = BlockError.malformed("column others has an unknown value")

  mutating func readWord<Word: RawRepresentable<UInt8>>() throws(BlockError) -> Word {
    guard let word = Word(rawValue: try readByte()) else { throw Self.unknownWord }
    return word
  }

  mutating func readFlag() throws(BlockError) -> Bool {
    let byte = try readByte()
    guard byte <= 1 else { throw Self.unknownWord }
    return byte == 1
  }

  mutating func readTime() throws(BlockError) -> Timestamp {
    let time = try read(Int64.self)
    guard Timestamp.validRange.contains(time) else {
      throw .malformed("\(subject) has a time beyond ±4 × 10^18")
    }
    return Timestamp(nanoseconds: time)
  }

  fileprivate mutating func readNumber() throws(BlockError) -> Double {
    let number = Double(bitPattern: try read(UInt64.self))
    guard number.isFinite else { throw .malformed("\(subject) has a number not finite") }
    return number
  }

  fileprivate mutating func readPushFields() throws(BlockError) -> PushFields {
    var fields = PushFields(id: try readTextRange(upTo: TraceLimits.textBytes))
    let has = PushParts(rawValue: try readByte())
    guard has.isDisjoint(with: .unknown) else { throw Self.unknownWord }
    if has.contains(.aps) {
      fields.json = try readTextRange(upTo: TraceLimits.textBytes)
      fields.isShownToUser = has.contains(.shownToUser)
      if has.contains(.contentAvailable) { fields.contentAvailable = try readNumber() }
    } else if has.contains(.contentAvailable) || has.contains(.shownToUser) {
      throw Self.unknownWord
    }
    if has.contains(.pushType) { fields.pushType = try readTextRange(upTo: TraceLimits.textBytes) }
    if has.contains(.priority) { fields.priority = try readNumber() }
    return fields
  }

  fileprivate mutating func readInterval() throws(BlockError) -> RefreshInterval {
    switch try readByte() {
    case 0: return .never
    case 1: return .minimum
    case 2:
      let seconds = try readNumber()
      guard Seconds.validRange.contains(seconds) else {
        throw .malformed("column others has an interval beyond 10^9 seconds")
      }
      return .seconds(seconds)
    default: throw Self.unknownWord
    }
  }
}
