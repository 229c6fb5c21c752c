import WakeEvents

extension ProducerCell {
  /// Records a save or delete that has nothing but type, source and perhaps a value.
  @inline(__always)
  mutating func record(
    kind: InputKind, type: UInt32, source: UInt32, time: Int64, value: Double? = nil
  ) -> RecordStatus {
    guard Timestamp.validRange.contains(time) else { return .invalidTime }
    guard knows(type, .type), knows(source, .source) else { return .unknownName }
    var marks: UInt64 = 0
    if let value {
      guard value.isFinite else { return .invalidNumber }
      marks = RingSlot.Marks.value
    }
    // Apart, so that the usual way needs no registers to be saved for the other one.
    guard reserveAtOnce() else {
      return recordSlowly(
        kind: kind, marks: marks, type: type, source: source, time: time, value: value)
    }
    putSample(kind, marks, type, source, time, value)
    publish(1)
    return .recorded
  }

  @inline(never)
  private mutating func recordSlowly(
    kind: InputKind, marks: UInt64, type: UInt32, source: UInt32, time: Int64, value: Double?
  ) -> RecordStatus {
    let status = reserve(1)
    guard status.isRecorded else { return status }
    putSample(kind, marks, type, source, time, value)
    publish(1)
    return status
  }

  @inline(__always)
  private func putSample(
    _ kind: InputKind, _ marks: UInt64, _ type: UInt32, _ source: UInt32, _ time: Int64,
    _ value: Double?
  ) {
    put(
      0, UInt64(bitPattern: time), UInt64(kind.rawValue) | marks << 8 | number << 16,
      UInt64(type) | UInt64(source) << 32, (value ?? 0).bitPattern)
  }

  /// Records a save or delete with all that it may have.
  mutating func record(
    kind: InputKind, _ sample: Sample, time: Int64, device: UInt32?
  ) -> RecordStatus {
    guard Timestamp.validRange.contains(time), sample.start?.isValid ?? true,
      sample.end?.isValid ?? true
    else { return .invalidTime }
    guard knows(sample.type.index, .type), knows(sample.source.index, .source),
      device.map({ knows($0, .device) }) ?? true
    else { return .unknownName }
    guard sample.value?.isFinite ?? true else { return .invalidNumber }
    var marks: UInt64 = 0
    if sample.start != nil { marks |= RingSlot.Marks.start }
    if sample.end != nil { marks |= RingSlot.Marks.end }
    if sample.value != nil { marks |= RingSlot.Marks.value }
    if let device, device != self.device { marks |= RingSlot.Marks.device }
    let count: UInt64 = marks & RingSlot.Marks.second == 0 ? 1 : 2
    let status = reserve(count)
    guard status.isRecorded else { return status }
    put(
      0, UInt64(bitPattern: time), UInt64(kind.rawValue) | marks << 8 | number << 16,
      UInt64(sample.type.index) | UInt64(sample.source.index) << 32,
      (sample.value ?? 0).bitPattern)
    if count == 2 {
      put(
        1, UInt64(bitPattern: sample.start?.nanoseconds ?? 0), RingSlot.more,
        UInt64(bitPattern: sample.end?.nanoseconds ?? 0), UInt64(device ?? 0))
    }
    publish(count)
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
    guard var record = OtherRecord(input) else { return .unknownName }
    guard Timestamp.validRange.contains(time) else { return .invalidTime }
    if let status = refusal(of: input, device: device) { return status }
    var marks: UInt64 = 0
    if let device, device != self.device {
      marks = RingSlot.Marks.device
      record.words.insert(UInt64(device), at: 0)
    }
    let count = record.slots
    guard count <= capacity / 4 else { return .tooLarge }
    let status = reserve(count)
    guard status.isRecorded else { return status }
    put(
      0, UInt64(bitPattern: time), UInt64(record.kind.rawValue) | marks << 8 | number << 16,
      UInt64(record.app) | (count - 1) << 32, record.argument)
    var place: UInt64 = 1
    for start in stride(from: 0, to: record.words.count, by: 3) {
      func word(_ offset: Int) -> UInt64 {
        start + offset < record.words.count ? record.words[start + offset] : 0
      }
      put(place, word(0), RingSlot.more, word(1), word(2))
      place += 1
    }
    publish(count)
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
      return predicate.isWritable ? nil : .invalidNumber
    case .stop(let app, let query): return check(app, nil, query)
    case .complete(let app, .type(let type), _): return check(app, type)
    case .complete(let app, _, _): return check(app)
    case .push(let app, let push): return check(app) ?? (push.isWritable ? nil : .invalidNumber)
    case .refreshInterval(let app, let interval):
      if case .seconds(let seconds) = interval, !Seconds.validRange.contains(seconds) {
        return .invalidNumber
      }
      return check(app)
    case .refreshStatus(let app, _): return check(app)
    }
  }
}
