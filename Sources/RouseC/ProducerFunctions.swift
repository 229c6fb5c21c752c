// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The compiler checks the functions against rouse.h, whose names these are.

public import CRouse
import WakeEvents
@_spi(RouseC) import WakeRecorder

/// The producers of recorders that this API opens.
enum Producers {
  static var memory: ProducerMemory {
    @inline(__always) get { unsafe ProducerMemory(producer_cells()) }
  }

  static let cells: ProducerCells = {
    precondition(ProducerMemory.byteCount == Int(PRODUCER_CELLS_BYTES))
    return ProducerCells(memory)
  }()
}

@c @implementation
public func rouse_save(
  _ producer: rouse_producer_t, _ time: Int64, _ type: rouse_type_t, _ source: rouse_source_t
) -> Int32 {
  Producers.memory.record(producer, kind: 0, type: type.number, source: source.number, time: time)
    .rawValue
}

@c @implementation
public func rouse_save_now(
  _ producer: rouse_producer_t, _ type: rouse_type_t, _ source: rouse_source_t
) -> Int32 {
  rouse_save(producer, RealTimeClock.now, type, source)
}

@c @implementation
public func rouse_delete(
  _ producer: rouse_producer_t, _ time: Int64, _ type: rouse_type_t, _ source: rouse_source_t
) -> Int32 {
  Producers.memory.record(producer, kind: 1, type: type.number, source: source.number, time: time)
    .rawValue
}

@c @implementation
public func rouse_delete_now(
  _ producer: rouse_producer_t, _ type: rouse_type_t, _ source: rouse_source_t
) -> Int32 {
  rouse_delete(producer, RealTimeClock.now, type, source)
}

@c @implementation
public func rouse_save_value(
  _ producer: rouse_producer_t, _ time: Int64, _ type: rouse_type_t, _ source: rouse_source_t,
  _ value: Double
) -> Int32 {
  Producers.memory.save(producer, at: time, type: type.number, source: source.number, value: value)
    .rawValue
}

@c @implementation
public func rouse_now() -> Int64 { RealTimeClock.now }

@c @implementation
public func rouse_record(
  _ producer: rouse_producer_t, _ event: UnsafePointer<rouse_event_t>?
) -> Int32 {
  guard let event = unsafe event else { return fail(ROUSE_INVALID_ARGUMENT, "the event is null") }
  guard let given = unsafe rouse_event_t.given(event) else {
    return fail(ROUSE_INVALID_ARGUMENT, "the event's structure has an unknown size or more parts")
  }
  do throws(Refusal) {
    // The record itself is outside the gate, as it may wait for room.
    let input = try ForkGate.passBriefly { () throws(Refusal) in try unsafe given.input() }
    let device = unsafe given.has & UInt32(ROUSE_HAS_DEVICE) != 0 ? given.device : nil
    let status = Producers.memory.record(
      producer, input, time: unsafe given.time, device: device)
    // Losses may come in masses, so they set no text.
    let isFailure = !status.isRecorded && status != .lost
    return isFailure
      ? fail(Int(status.rawValue), unsafe given.message(status)) : status.rawValue
  } catch let refusal {
    return fail(refusal.code, refusal.message)
  }
}
