import WakeEvents
import WakeTrace

extension ProducerCell {
  /// Records a save or delete with all that it may have.
  mutating func record(
    kind: InputKind, _ sample: Sample, time: Int64, device: UInt32?
  ) -> RecordStatus {
    guard time.isValidTime, sample.start?.isValid ?? true, sample.end?.isValid ?? true else {
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

  /// Records any input.
  mutating func record(_ input: Input, time: Int64, device: UInt32?) -> RecordStatus {
    switch input {
    case .save(let sample): return record(kind: .save, sample, time: time, device: device)
    case .delete(let type, let source):
      return record(
        kind: .delete, Sample(type: type, source: source), time: time, device: device)
    default: break
    }
    guard time.isValidTime else { return .invalidTime }
    if let status = refusal(of: input, device: device) { return status }
    let device = device == self.device ? nil : device
    guard let bytes = try? InputCodec.encode(input) else { return .tooLarge }
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

  /// Why an input that is neither save nor delete cannot be recorded; nil if it can.
  private func refusal(of input: Input, device: UInt32?) -> RecordStatus? {
    if let device, !knows(device, .device) { return .unknownName }
    func check(_ app: App?, _ type: SampleType? = nil, _ query: Query? = nil) -> RecordStatus? {
      let isKnown =
        (app.map { knows($0.index, .app) } ?? true)
        && (type.map { knows($0.index, .type) } ?? true)
        && (query.map { knows($0.index, .query) } ?? true)
      return isKnown ? nil : .unknownName
    }
    switch input {
    case .save, .delete, .lock, .unlock, .reboot, .network, .power: return nil
    case .enable(let app, let type, _), .disable(let app, let type): return check(app, type)
    case .disableAll(let app), .launch(let app), .background(let app), .terminate(let app),
      .forceQuit(let app), .complication(let app, _), .entitlement(let app, _):
      return check(app)
    case .execute(let app, let query, let type, let predicate):
      if let status = check(app, type, query) { return status }
      guard let predicate else { return nil }
      if let source = predicate.source, !knows(source.index, .source) { return .unknownName }
      guard predicate.start?.isValid ?? true, predicate.end?.isValid ?? true else {
        return .invalidTime
      }
      return predicate.hasFiniteNumbers ? nil : .invalidNumber
    case .stop(let app, let query): return check(app, nil, query)
    case .complete(let app, .type(let type), _): return check(app, type)
    case .complete(let app, _, _): return check(app)
    case .push(let app, let push):
      return check(app) ?? (push.hasFiniteNumbers ? nil : .invalidNumber)
    case .refreshInterval(let app, let interval):
      if case .seconds(let seconds) = interval, !Seconds.validRange.contains(seconds) {
        return .invalidNumber
      }
      return check(app)
    case .refreshStatus(let app, _): return check(app)
    }
  }
}
