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
struct PredicateFields: OptionSet {
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
struct PushParts: OptionSet {
  let rawValue: UInt8
  static let aps = PushParts(rawValue: 1)
  static let contentAvailable = PushParts(rawValue: 2)
  static let shownToUser = PushParts(rawValue: 4)
  static let pushType = PushParts(rawValue: 8)
  static let priority = PushParts(rawValue: 16)
  static let unknown = PushParts(rawValue: 0xE0)
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
