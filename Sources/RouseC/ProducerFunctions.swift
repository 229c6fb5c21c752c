// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of rouse.h, which the compiler holds them against.

public import CRouse
import WakeEvents
import WakeTrace

// One line each, as they are called for every event.

@c @implementation
public func rouse_save(
  _ producer: rouse_producer_t, _ time: Int64, _ type: UInt32, _ source: UInt32
) -> Int32 {
  ProducerCalls.save(producer, at: time, type: type, source: source).rawValue
}

@c @implementation
public func rouse_save_now(_ producer: rouse_producer_t, _ type: UInt32, _ source: UInt32) -> Int32
{
  ProducerCalls.save(producer, at: ProducerCalls.now, type: type, source: source).rawValue
}

@c @implementation
public func rouse_save_value(
  _ producer: rouse_producer_t, _ time: Int64, _ type: UInt32, _ source: UInt32, _ value: Double
) -> Int32 {
  ProducerCalls.save(producer, at: time, type: type, source: source, value: value).rawValue
}

@c @implementation
public func rouse_delete(
  _ producer: rouse_producer_t, _ time: Int64, _ type: UInt32, _ source: UInt32
) -> Int32 {
  ProducerCalls.delete(producer, at: time, type: type, source: source).rawValue
}

@c @implementation
public func rouse_delete_now(_ producer: rouse_producer_t, _ type: UInt32, _ source: UInt32)
  -> Int32
{
  ProducerCalls.delete(producer, at: ProducerCalls.now, type: type, source: source).rawValue
}

@c @implementation
public func rouse_save_sample(
  _ producer: rouse_producer_t, _ time: Int64, _ type: UInt32, _ source: UInt32, _ start: Int64,
  _ end: Int64, _ value: Double
) -> Int32 {
  let sample = Sample(
    type: SampleType(index: type), source: Source(index: source),
    start: Timestamp(nanoseconds: start), end: Timestamp(nanoseconds: end),
    value: value.isNaN ? nil : value)
  return record(producer, time, .save(sample))
}

@c @implementation
public func rouse_enable(
  _ producer: rouse_producer_t, _ time: Int64, _ app: UInt32, _ type: UInt32, _ frequency: Int32
) -> Int32 {
  guard let frequency = UInt8(exactly: frequency).flatMap({ Frequency(rawValue: $0) }) else {
    return fail(ROUSE_INVALID_ARGUMENT)
  }
  let (app, type) = (App(index: app), SampleType(index: type))
  return record(producer, time, .enable(app: app, type: type, frequency: frequency))
}

@c @implementation
public func rouse_disable(
  _ producer: rouse_producer_t, _ time: Int64, _ app: UInt32, _ type: UInt32
) -> Int32 {
  record(producer, time, .disable(app: App(index: app), type: SampleType(index: type)))
}

@c @implementation
public func rouse_execute(
  _ producer: rouse_producer_t, _ time: Int64, _ app: UInt32, _ query: UInt32, _ type: UInt32
) -> Int32 {
  record(
    producer, time,
    .execute(
      app: App(index: app), query: Query(index: query), type: SampleType(index: type),
      predicate: nil))
}

@c @implementation
public func rouse_stop(
  _ producer: rouse_producer_t, _ time: Int64, _ app: UInt32, _ query: UInt32
) -> Int32 {
  record(producer, time, .stop(app: App(index: app), query: Query(index: query)))
}

@c @implementation
public func rouse_app_event(
  _ producer: rouse_producer_t, _ time: Int64, _ kind: Int32, _ app: UInt32
) -> Int32 {
  let app = App(index: app)
  let input: Input
  switch kind {
  case Int32(ROUSE_DISABLE_ALL): input = .disableAll(app: app)
  case Int32(ROUSE_COMPLETE): input = .complete(app: app, item: .everything, result: nil)
  case Int32(ROUSE_LAUNCH): input = .launch(app: app)
  case Int32(ROUSE_BACKGROUND): input = .background(app: app)
  case Int32(ROUSE_TERMINATE): input = .terminate(app: app)
  case Int32(ROUSE_FORCE_QUIT): input = .forceQuit(app: app)
  default: return fail(ROUSE_INVALID_ARGUMENT)
  }
  return record(producer, time, input)
}

@c @implementation
public func rouse_device_event(
  _ producer: rouse_producer_t, _ time: Int64, _ kind: Int32, _ isGood: Int32
) -> Int32 {
  let input: Input
  switch kind {
  case Int32(ROUSE_NETWORK): input = .network(isGood: isGood != 0)
  case Int32(ROUSE_POWER): input = .power(isGood: isGood != 0)
  case Int32(ROUSE_LOCK): input = .lock
  case Int32(ROUSE_UNLOCK): input = .unlock
  case Int32(ROUSE_REBOOT): input = .reboot
  default: return fail(ROUSE_INVALID_ARGUMENT)
  }
  return record(producer, time, input)
}

@c @implementation
public func rouse_push(
  _ producer: rouse_producer_t, _ time: Int64, _ app: UInt32, _ id: UnsafePointer<CChar>?
) -> Int32 {
  guard let id = unsafe id else { return fail(ROUSE_INVALID_ARGUMENT) }
  guard let id = unsafe text(id) else { return fail(ROUSE_INVALID_TEXT) }
  return record(producer, time, .push(app: App(index: app), Push(id: id)))
}

private func record(_ producer: rouse_producer_t, _ time: Int64, _ input: Input) -> Int32 {
  ProducerCalls.record(producer, input, time: time, device: nil).rawValue
}
