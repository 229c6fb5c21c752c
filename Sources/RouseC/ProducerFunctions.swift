// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of rouse.h, which the compiler holds them against.

public import CRouse
import WakeEvents
import WakeTrace

// One line each, as they are called for every event.

@c @implementation
public func rouse_save_value(
  _ producer: rouse_producer_t, _ time: Int64, _ type: UInt32, _ source: UInt32, _ value: Double
) -> Int32 {
  ProducerCalls.save(producer, at: time, type: type, source: source, value: value).rawValue
}

@c @implementation
public func rouse_now() -> Int64 { ProducerCalls.now }

@c @implementation
public func rouse_record(
  _ producer: rouse_producer_t, _ event: UnsafePointer<rouse_event_t>?
) -> Int32 {
  guard let event = unsafe event else { return fail(ROUSE_INVALID_ARGUMENT) }
  guard let given = unsafe rouse_event_t.given(event) else {
    return fail(ROUSE_INVALID_ARGUMENT, "the event's structure has an unknown size or more parts")
  }
  do throws(Refusal) {
    // Outside again before it may have to wait for room.
    let input = try ForkGate.passBriefly { () throws(Refusal) in try unsafe given.input() }
    let device = unsafe given.has & UInt32(ROUSE_HAS_DEVICE) != 0 ? given.device : nil
    let status = ProducerCalls.record(producer, input, time: unsafe given.time, device: device)
    // A loss, which may come in masses, is counted and leaves no text.
    let isFailure = !status.isRecorded && status != .lost
    return isFailure ? fail(Int(status.rawValue)) : status.rawValue
  } catch let refusal {
    return fail(refusal.code, refusal.message)
  }
}
