package import WakeEvents

// The column of inputs that are neither save nor delete: the fields of each, as Format.md lists them. The kinds are in
// the column of subjects.

extension BlockNames {
  /// Appends an input's fields. Throws `tooLarge` or `invalidEvent` for fields that readers reject.
  mutating func append(_ input: Input, to writer: inout ByteWriter) throws(BlockError) {
    let subject = input.subject
    if let app = subject.app { writer.appendVarint(apps.place(of: app)) }
    if let query = subject.query { writer.appendVarint(queries.place(of: query)) }
    if let type = subject.type { writer.appendVarint(types.place(of: type)) }
    switch input {
    case .save, .delete, .disable, .disableAll, .stop, .launch, .background, .terminate, .forceQuit,
      .lock, .unlock, .reboot:
      break
    case .enable(_, _, let frequency):
      writer.append(frequency.rawValue)
    case .execute(_, _, _, let predicate):
      try append(predicate, to: &writer)
    case .complete(_, let item, let result):
      switch item {
      case .everything: writer.append(0 as UInt8)
      case .push: writer.append(1 as UInt8)
      case .refresh: writer.append(2 as UInt8)
      case .type(let type):
        writer.append(3 as UInt8)
        writer.appendVarint(types.place(of: type))
      }
      writer.append(result.map { $0.rawValue + 1 } ?? 0)
    case .push(_, let push):
      try append(push, to: &writer)
    case .refreshInterval(_, let interval):
      switch interval {
      case .never: writer.append(0 as UInt8)
      case .minimum: writer.append(1 as UInt8)
      case .seconds(let seconds):
        writer.append(2 as UInt8)
        guard Seconds.validRange.contains(seconds) else {
          throw .invalidEvent("an event has an interval that is not from 0 to 10^9 seconds")
        }
        try writer.append(number: seconds)
      }
    case .refreshStatus(let app, let status):
      // 0 is every app.
      writer.appendVarint(app.map { apps.place(of: $0) + 1 } ?? 0)
      writer.append(status.rawValue)
    case .complication(_, let isOn), .entitlement(_, let isOn), .network(let isOn),
      .power(let isOn):
      writer.append(isOn ? 1 : 0 as UInt8)
    case .observed(_, let observation):
      try append(observation, to: &writer)
    }
  }

  private mutating func append(
    _ predicate: Predicate?, to writer: inout ByteWriter
  ) throws(BlockError) {
    guard let predicate else {
      writer.append(0 as UInt8)
      return
    }
    var has: PredicateFields = .exists
    if predicate.source != nil { has.insert(.source) }
    if predicate.start != nil { has.insert(.start) }
    if predicate.end != nil { has.insert(.end) }
    if predicate.min != nil { has.insert(.min) }
    if predicate.max != nil { has.insert(.max) }
    if predicate.strictStart != nil { has.insert(.strictStart) }
    if predicate.strictEnd != nil { has.insert(.strictEnd) }
    writer.append(has.rawValue)
    if let source = predicate.source { writer.appendVarint(sources.place(of: source)) }
    if let start = predicate.start { try writer.append(time: start) }
    if let end = predicate.end { try writer.append(time: end) }
    if let min = predicate.min { try writer.append(number: min) }
    if let max = predicate.max { try writer.append(number: max) }
    if let strict = predicate.strictStart { writer.append(strict ? 1 : 0 as UInt8) }
    if let strict = predicate.strictEnd { writer.append(strict ? 1 : 0 as UInt8) }
  }

  private func append(_ push: Push, to writer: inout ByteWriter) throws(BlockError) {
    try writer.append(text: push.id)
    var has: PushParts = []
    if push.aps != nil { has.insert(.aps) }
    if push.aps?.contentAvailable != nil { has.insert(.contentAvailable) }
    if push.aps?.isShownToUser == true { has.insert(.shownToUser) }
    if push.pushType != nil { has.insert(.pushType) }
    if push.priority != nil { has.insert(.priority) }
    writer.append(has.rawValue)
    if let aps = push.aps { try writer.append(text: aps.json) }
    if let contentAvailable = push.aps?.contentAvailable {
      try writer.append(number: contentAvailable)
    }
    if let pushType = push.pushType { try writer.append(text: pushType) }
    if let priority = push.priority { try writer.append(number: priority) }
  }
}

/// The parts of a predicate that follow; 0 is no predicate.
private struct PredicateFields: OptionSet {
  let rawValue: UInt8
  static let exists = PredicateFields(rawValue: 1)
  static let source = PredicateFields(rawValue: 2)
  static let start = PredicateFields(rawValue: 4)
  static let end = PredicateFields(rawValue: 8)
  static let min = PredicateFields(rawValue: 16)
  static let max = PredicateFields(rawValue: 32)
  static let strictStart = PredicateFields(rawValue: 64)
  static let strictEnd = PredicateFields(rawValue: 128)
}

/// The parts of a push that follow its id.
private struct PushParts: OptionSet {
  let rawValue: UInt8
  static let aps = PushParts(rawValue: 1)
  static let contentAvailable = PushParts(rawValue: 2)
  static let shownToUser = PushParts(rawValue: 4)
  static let pushType = PushParts(rawValue: 8)
  static let priority = PushParts(rawValue: 16)
  static let unknown = PushParts(rawValue: 0xE0)
}

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

/// The same fields outside of a block, where symbols keep their numbers: a recorder's ring stores inputs so.
package struct InputCodec {
  private let names: DecodedNames

  /// Prepares to decode, given how many names there are of each sort.
  package init(types: UInt32, sources: UInt32, apps: UInt32, queries: UInt32) {
    names = DecodedNames(types: types, sources: sources, apps: apps, queries: queries)
  }

  /// The fields of an input that is neither save nor delete.
  ///
  /// - Throws: `tooLarge` or `invalidEvent` for what ``decode(_:_:)`` would refuse.
  package static func encode(_ input: Input) throws(BlockError) -> [UInt8] {
    var names = BlockNames.keepingNumbers
    var writer = ByteWriter()
    try names.append(input, to: &writer)
    return writer.bytes
  }

  /// The input of a kind; nil if the bytes are damaged. Bytes after the fields are ignored.
  package func decode(_ kind: InputKind, _ bytes: [UInt8]) -> Input? {
    var reader = ByteReader(bytes, subject: "input")
    return try? names.readInput(kind, &reader)
  }
}
