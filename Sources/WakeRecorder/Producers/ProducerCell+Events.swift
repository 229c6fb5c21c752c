import WakeEvents
import WakeTrace

extension ProducerCell {
  /// Records a save or delete with all that it may have.
  mutating func record(
    kind: InputKind, _ sample: Sample, time: Int64, device: UInt32?
  ) -> RecordStatus {
    guard time.isValidTime, Timestamp.areValid(sample.start, sample.end) else {
      return .invalidTime
    }
    countNames()
    guard sample.type.index < typeCount, sample.source.index < sourceCount,
      device.map({ knows($0, .device) }) ?? true
    else { return .unknownName }
    guard sample.value?.isFinite ?? true else { return .invalidNumber }
    let device = device == self.device ? nil : device
    var marks: UInt64 = 0
    if sample.start != nil { marks |= RingSlot.Marks.start }
    if sample.end != nil { marks |= RingSlot.Marks.end }
    if sample.value != nil { marks |= RingSlot.Marks.value }
    if device != nil { marks |= RingSlot.Marks.device }
    let status = reserve(1 + UInt64(marks.nonzeroBitCount))
    guard status.isRecorded else { return status }
    put(
      0, UInt64(bitPattern: time),
      RingSlot.head(kind.rawValue, marks, sample.type.index, sample.source.index))
    var place: UInt64 = 1
    func putMore(_ word: UInt64?) {
      guard let word else { return }
      put(place, word, RingSlot.more << 56)
      place += 1
    }
    putMore(sample.start.map { UInt64(bitPattern: $0.nanoseconds) })
    putMore(sample.end.map { UInt64(bitPattern: $0.nanoseconds) })
    putMore(sample.value?.bitPattern)
    putMore(device.map { UInt64($0) })
    publish()
    return status
  }

  mutating func record(_ input: Input, time: Int64, device: UInt32?) -> RecordStatus {
    switch input {
    case .save(let sample): return record(kind: .save, sample, time: time, device: device)
    case .delete(let type, let source):
      return record(
        kind: .delete, Sample(type: type, source: source), time: time, device: device)
    default: break
    }
    guard time.isValidTime else { return .invalidTime }
    guard device.map({ knows($0, .device) }) ?? true, knowsNames(of: input) else {
      return .unknownName
    }
    switch input {
    case .execute(_, _, _, let predicate?):
      guard Timestamp.areValid(predicate.start, predicate.end) else { return .invalidTime }
    case .observed(_, let observation):
      guard Timestamp.areValid(observation.end, nil) else { return .invalidTime }
    default: break
    }
    let device = device == self.device ? nil : device
    let bytes: [UInt8]
    do throws(BlockError) {
      bytes = try InputCodec.encode(input)
    } catch let error {
      return error.code == .tooLarge ? .tooLarge : .invalidNumber
    }
    var words = device.map { [UInt64($0)] } ?? []
    for start in stride(from: 0, to: bytes.count, by: 8) {
      words.append(UInt64(littleEndianBytes: bytes[start..<min(start + 8, bytes.count)]))
    }
    guard words.count < capacity / 4 else { return .tooLarge }
    let status = reserve(1 + UInt64(words.count))
    guard status.isRecorded else { return status }
    put(
      0, UInt64(bitPattern: time),
      RingSlot.head(
        input.kind.rawValue, device == nil ? 0 : RingSlot.Marks.device, 0, UInt32(words.count)))
    var place: UInt64 = 1
    for word in words {
      put(place, word, RingSlot.more << 56)
      place += 1
    }
    publish()
    return status
  }

  /// Whether the names of an input that is neither save nor delete were interned.
  private func knowsNames(of input: Input) -> Bool {
    func knows(_ app: App?, _ type: SampleType? = nil, _ query: Query? = nil) -> Bool {
      (app.map { self.knows($0.index, .app) } ?? true)
        && (type.map { self.knows($0.index, .type) } ?? true)
        && (query.map { self.knows($0.index, .query) } ?? true)
    }
    let subject = input.subject
    guard knows(subject.app, subject.type, subject.query) else { return false }
    return switch input {
    case .complete(_, .type(let type), _): knows(nil, type)
    case .refreshStatus(let app, _): knows(app)
    case .execute(_, _, _, let predicate):
      predicate?.source.map { self.knows($0.index, .source) } ?? true
    case .observed(_, let observation):
      observation.types.allSatisfy { self.knows($0.index, .type) }
    case .save, .delete, .enable, .disable, .disableAll, .complete, .stop, .launch, .background,
      .terminate, .forceQuit, .push, .refreshInterval, .complication, .entitlement, .network,
      .power,
      .lock, .unlock, .reboot:
      true
    }
  }
}

extension Timestamp {
  /// Whether the times that are given are in ``validRange``.
  static func areValid(_ start: Timestamp?, _ end: Timestamp?) -> Bool {
    (start?.nanoseconds.isValidTime ?? true) && (end?.nanoseconds.isValidTime ?? true)
  }
}
