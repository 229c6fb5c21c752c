import WakeEvents

/// An input that is neither save nor delete, as words of a ring.
struct OtherRecord {
  /// Stands for no app (`"*"`).
  static let everyApp = RingSlot.noSubject

  var kind: InputKind
  /// ``App/index``, or ``everyApp``.
  var app = everyApp
  /// What the kind needs most, and what else it has.
  var argument: UInt64 = 0
  var words: [UInt64] = []

  /// What stands in the slots that follow: the argument and the words, or nothing if they are nothing.
  var further: [UInt64] {
    get { argument == 0 && words.isEmpty ? [] : [argument] + words }
    set { (argument, words) = (newValue.first ?? 0, Array(newValue.dropFirst())) }
  }
}

extension OtherRecord {
  /// Puts an input into words; nil for saves and deletes.
  init?(_ input: Input) {
    self.init(kind: input.kind)
    switch input {
    case .save, .delete: return nil
    case .lock, .unlock, .reboot: break
    case .enable(let app, let type, let frequency):
      self.app = app.index
      argument = Self.pair(type.index, UInt32(frequency.rawValue))
    case .disable(let app, let type):
      self.app = app.index
      argument = UInt64(type.index)
    case .disableAll(let app), .launch(let app), .background(let app), .terminate(let app),
      .forceQuit(let app):
      self.app = app.index
    case .execute(let app, let query, let type, let predicate):
      self.app = app.index
      argument = Self.pair(query.index, type.index)
      if let predicate { words = Self.words(predicate) }
    case .stop(let app, let query):
      self.app = app.index
      argument = UInt64(query.index)
    case .complete(let app, let item, let result):
      self.app = app.index
      let (number, type): (UInt32, UInt32) =
        switch item {
        case .everything: (0, 0)
        case .push: (1, 0)
        case .refresh: (2, 0)
        case .type(let type): (3, type.index)
        }
      argument = Self.pair(type, number | (result.map { UInt32($0.rawValue) + 1 } ?? 0) << 8)
    case .push(let app, let push):
      self.app = app.index
      words = Self.words(push)
    case .refreshInterval(let app, let interval):
      self.app = app.index
      switch interval {
      case .never: words = [0]
      case .minimum: words = [1]
      case .seconds(let seconds): (argument, words) = (seconds.bitPattern, [2])
      }
    case .refreshStatus(let app, let status):
      self.app = app?.index ?? Self.everyApp
      argument = UInt64(status.rawValue)
    case .complication(let app, let isOn), .entitlement(let app, let isOn):
      self.app = app.index
      argument = isOn ? 1 : 0
    case .network(let isGood), .power(let isGood):
      argument = isGood ? 1 : 0
    }
  }

  private static func pair(_ low: UInt32, _ high: UInt32) -> UInt64 {
    UInt64(low) | UInt64(high) << 32
  }

  /// Parts (one bit each, for booleans two), then source, start, end, min, max.
  private static func words(_ predicate: Predicate) -> [UInt64] {
    var parts: UInt64 = 0
    func note(_ has: Bool, _ bit: UInt64) { if has { parts |= bit } }
    note(predicate.source != nil, 1)
    note(predicate.start != nil, 2)
    note(predicate.end != nil, 4)
    note(predicate.min != nil, 8)
    note(predicate.max != nil, 16)
    note(predicate.strictStart != nil, 32)
    note(predicate.strictStart == true, 64)
    note(predicate.strictEnd != nil, 128)
    note(predicate.strictEnd == true, 256)
    return [
      parts, UInt64(predicate.source?.index ?? 0),
      UInt64(bitPattern: predicate.start?.nanoseconds ?? 0),
      UInt64(bitPattern: predicate.end?.nanoseconds ?? 0), (predicate.min ?? 0).bitPattern,
      (predicate.max ?? 0).bitPattern,
    ]
  }

  /// Parts, priority, content-available, bytes of id, aps and pushType, then these three as text.
  private static func words(_ push: Push) -> [UInt64] {
    var parts: UInt64 = 0
    func note(_ has: Bool, _ bit: UInt64) { if has { parts |= bit } }
    note(push.aps != nil, 1)
    note(push.aps?.contentAvailable != nil, 2)
    note(push.aps?.isShownToUser == true, 4)
    note(push.pushType != nil, 8)
    note(push.priority != nil, 16)
    let texts = [push.id, push.aps?.json ?? "", push.pushType ?? ""]
    var words = [
      parts, (push.priority ?? 0).bitPattern, (push.aps?.contentAvailable ?? 0).bitPattern,
    ]
    words += texts.map { UInt64($0.utf8.count) }
    var (word, bits): (UInt64, UInt64) = (0, 0)
    for text in texts {
      for byte in text.utf8 {
        word |= UInt64(byte) << bits
        bits += 8
        if bits == 64 {
          words.append(word)
          (word, bits) = (0, 0)
        }
      }
    }
    if bits > 0 { words.append(word) }
    return words
  }
}

extension OtherRecord {
  /// The input that the words stand for; nil if they stand for none.
  ///
  /// - Parameter counts: How many names of each sort there are.
  func input(_ counts: NameCounts) -> Input? {
    let (low, high) = (
      UInt32(truncatingIfNeeded: argument), UInt32(truncatingIfNeeded: argument >> 32)
    )
    func known(_ index: UInt32, _ sort: NameSort) -> Bool { index < counts[sort] }
    let hasApp = known(app, .app)
    let app = App(index: app)
    switch kind {
    case .lock: return .lock
    case .unlock: return .unlock
    case .reboot: return .reboot
    case .network: return .network(isGood: low != 0)
    case .power: return .power(isGood: low != 0)
    case .refreshStatus:
      guard let status = RefreshStatus(rawValue: UInt8(clamping: low)),
        hasApp || self.app == Self.everyApp
      else { return nil }
      return .refreshStatus(app: hasApp ? app : nil, status)
    default: break
    }
    guard hasApp else { return nil }
    switch kind {
    case .enable:
      guard known(low, .type), let frequency = Frequency(rawValue: UInt8(clamping: high))
      else { return nil }
      return .enable(app: app, type: SampleType(index: low), frequency: frequency)
    case .disable:
      return known(low, .type) ? .disable(app: app, type: SampleType(index: low)) : nil
    case .disableAll: return .disableAll(app: app)
    case .launch: return .launch(app: app)
    case .background: return .background(app: app)
    case .terminate: return .terminate(app: app)
    case .forceQuit: return .forceQuit(app: app)
    case .execute:
      guard known(low, .query), known(high, .type) else { return nil }
      var predicate: Predicate?
      if words.count >= 6 {
        guard let read = Self.predicate(words, counts) else { return nil }
        predicate = read
      }
      return .execute(
        app: app, query: Query(index: low), type: SampleType(index: high), predicate: predicate)
    case .stop: return known(low, .query) ? .stop(app: app, query: Query(index: low)) : nil
    case .complete:
      let result = high >> 8 == 0 ? nil : FetchResult(rawValue: UInt8(clamping: high >> 8 - 1))
      guard result != nil || high >> 8 == 0 else { return nil }
      switch high & 0xFF {
      case 0: return .complete(app: app, item: .everything, result: result)
      case 1: return .complete(app: app, item: .push, result: result)
      case 2: return .complete(app: app, item: .refresh, result: result)
      case 3 where known(low, .type):
        return .complete(app: app, item: .type(SampleType(index: low)), result: result)
      default: return nil
      }
    case .push: return Self.push(words).map { .push(app: app, $0) }
    case .refreshInterval:
      switch words.first {
      case 0: return .refreshInterval(app: app, .never)
      case 1: return .refreshInterval(app: app, .minimum)
      case 2:
        let seconds = Double(bitPattern: argument)
        guard Seconds.validRange.contains(seconds) else { return nil }
        return .refreshInterval(app: app, .seconds(seconds))
      default: return nil
      }
    case .complication: return .complication(app: app, isActive: low != 0)
    case .entitlement: return .entitlement(app: app, isGranted: low != 0)
    default: return nil
    }
  }

  private static func predicate(_ words: [UInt64], _ counts: NameCounts) -> Predicate? {
    guard words.count >= 6 else { return nil }
    let parts = words[0]
    func has(_ bit: UInt64) -> Bool { parts & bit != 0 }
    func time(_ word: UInt64) -> Timestamp { Timestamp(nanoseconds: Int64(bitPattern: word)) }
    let source = UInt32(truncatingIfNeeded: words[1])
    let predicate = Predicate(
      source: has(1) ? Source(index: source) : nil, start: has(2) ? time(words[2]) : nil,
      end: has(4) ? time(words[3]) : nil, strictStart: has(32) ? has(64) : nil,
      strictEnd: has(128) ? has(256) : nil, min: has(8) ? Double(bitPattern: words[4]) : nil,
      max: has(16) ? Double(bitPattern: words[5]) : nil)
    guard source < counts[.source] || !has(1), predicate.isWritable else { return nil }
    return predicate
  }

  private static func push(_ words: [UInt64]) -> Push? {
    guard words.count >= 6 else { return nil }
    let parts = words[0]
    func has(_ bit: UInt64) -> Bool { parts & bit != 0 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity((words.count - 6) * 8)
    for word in words.dropFirst(6) {
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) }
    }
    var texts: [String] = []
    var start = 0
    for length in words[3...5].map({ Int(clamping: $0) }) {
      guard length <= bytes.count - start,
        let text = String(validating: bytes[start..<start + length], as: UTF8.self)
      else { return nil }
      texts.append(text)
      start += length
    }
    var push = Push(id: texts[0])
    if has(1) {
      push.aps = Push.Payload(
        json: texts[1], contentAvailable: has(2) ? Double(bitPattern: words[2]) : nil,
        isShownToUser: has(4))
    }
    if has(8) { push.pushType = texts[2] }
    if has(16) { push.priority = Double(bitPattern: words[1]) }
    return push.isWritable ? push : nil
  }
}

/// How many names of each sort there are, by ``NameSort``.
struct NameCounts {
  var counts: [UInt32]

  init(_ symbols: Symbols) { counts = NameSort.allCases.map { symbols.count(of: $0) } }

  subscript(sort: NameSort) -> UInt32 { counts[Int(sort.rawValue)] }
}

extension Predicate {
  /// Whether its times and numbers are such as SPEC 2 allows.
  var isWritable: Bool {
    (start?.isValid ?? true) && (end?.isValid ?? true) && (min ?? 0).isFinite
      && (max ?? 0).isFinite
  }
}

extension Push {
  /// Whether its numbers are such as SPEC 2 allows.
  var isWritable: Bool { (priority ?? 0).isFinite && (aps?.contentAvailable ?? 0).isFinite }
}

extension Timestamp {
  /// Whether it is in ``validRange``.
  @inline(__always)
  var isValid: Bool { Self.validRange.contains(nanoseconds) }
}
