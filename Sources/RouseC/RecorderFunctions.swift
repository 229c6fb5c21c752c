// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The compiler checks the functions against rouse.h, whose names these are.

public import CRouse
import WakeEvents
import WakeRecorder
import WakeTrace

@c @implementation
public func rouse_open(
  _ options: UnsafePointer<rouse_options_t>?, _ recorder: UnsafeMutablePointer<rouse_recorder_t>?
) -> Int32 {
  guard let options = unsafe options, let recorder = unsafe recorder,
    let given = unsafe rouse_options_t.given(options)
  else { return fail(ROUSE_INVALID_ARGUMENT) }
  var made = Recorder.Options(trace: nil)
  do throws(Refusal) {
    made.trace = try unsafe optionalText(given.trace)
    made.ringFolder = try unsafe optionalText(given.ring_folder) ?? made.ringFolder
    made.device = try unsafe optionalText(given.device) ?? made.device
  } catch let refusal {
    return fail(refusal.code)
  }
  guard let mode = unsafe UInt8(exactly: given.mode).flatMap({ RecorderMode(rawValue: $0) }),
    unsafe given.flush_seconds.isDuration, unsafe given.seconds_per_file.isDuration
  else { return fail(ROUSE_INVALID_ARGUMENT) }
  made.mode = mode
  unsafe made.level = given.level == 0 ? 1 : given.level == -1 ? 0 : Int(given.level)
  if unsafe given.slots_per_ring > 0 { unsafe made.slotsPerRing = Int(given.slots_per_ring) }
  if unsafe given.events_per_block > 0 { unsafe made.eventsPerBlock = Int(given.events_per_block) }
  if unsafe given.flush_seconds > 0 {
    unsafe made.flushInterval = .seconds(given.flush_seconds)
  }
  if unsafe given.seconds_per_file > 0 {
    unsafe made.timePerFile = .seconds(given.seconds_per_file)
  }
  if unsafe given.bytes_per_file != 0 { unsafe made.bytesPerFile = given.bytes_per_file }
  return attempt { () throws(TraceError) in
    unsafe recorder.pointee = Handles.add(try Recorder(made, cells: Producers.cells))
    return 0
  }
}

@c @implementation
public func rouse_flush(_ recorder: rouse_recorder_t) -> Int32 {
  attempt(recorder) { (recorder) throws(TraceError) in
    try recorder.flush()
    return 0
  }
}

@c @implementation
public func rouse_snapshot(_ recorder: rouse_recorder_t, _ path: UnsafePointer<CChar>?) -> Int32 {
  guard let path = unsafe path else { return fail(ROUSE_INVALID_ARGUMENT) }
  guard let path = unsafe text(path) else { return fail(ROUSE_INVALID_TEXT) }
  return attempt(recorder) { (recorder) throws(TraceError) in
    _ = try recorder.snapshot(to: path)
    return 0
  }
}

@c @implementation
public func rouse_statistics(
  _ recorder: rouse_recorder_t, _ statistics: UnsafeMutablePointer<rouse_statistics_t>?
) -> Int32 {
  guard let statistics = unsafe statistics else { return fail(ROUSE_INVALID_ARGUMENT) }
  return attempt(recorder) { recorder in
    let figures = recorder.statistics
    unsafe statistics.pointee = rouse_statistics_t(
      written: UInt64(figures.written), blocks: UInt64(figures.blocks),
      bytes: UInt64(figures.bytes), lost: figures.lost)
    return 0
  }
}

@c @implementation
public func rouse_close(_ recorder: rouse_recorder_t) -> Int32 {
  attempt { () throws(TraceError) in
    guard let recorder = Handles.removeRecorder(recorder) else { return fail(ROUSE_CLOSED) }
    defer { Handles.removeProducers(of: recorder) }
    try recorder.close()
    return 0
  }
}

@c @implementation
public func rouse_name(
  _ recorder: rouse_recorder_t, _ sort: Int32, _ name: UnsafePointer<CChar>?,
  _ number: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  guard let name = unsafe name, let number = unsafe number, (0...4).contains(sort) else {
    return fail(ROUSE_INVALID_ARGUMENT)
  }
  guard let name = unsafe text(name) else { return fail(ROUSE_INVALID_TEXT) }
  return attempt(recorder) { (recorder) throws(TraceError) in
    unsafe number.pointee = try recorder.intern(name, sort: UInt8(sort))
    return 0
  }
}

@c @implementation
public func rouse_producer_open(
  _ recorder: rouse_recorder_t, _ producer: UnsafeMutablePointer<rouse_producer_t>?
) -> Int32 {
  unsafe rouse_producer_open_device(recorder, 0, producer)
}

@c @implementation
public func rouse_producer_open_device(
  _ recorder: rouse_recorder_t, _ device: UInt32,
  _ producer: UnsafeMutablePointer<rouse_producer_t>?
) -> Int32 {
  guard let producer = unsafe producer else { return fail(ROUSE_INVALID_ARGUMENT) }
  let owner = recorder
  return attempt(owner) { (recorder) throws(TraceError) in
    let handle = try recorder.openProducer(device: device)
    guard Handles.addProducer(handle, of: recorder, owner) else {
      recorder.closeProducer(handle)
      return fail(ROUSE_CLOSED)
    }
    unsafe producer.pointee = handle
    return 0
  }
}

@c @implementation
public func rouse_producer_close(_ producer: rouse_producer_t) -> Int32 {
  attempt {
    guard let recorder = Handles.removeProducer(producer) else { return fail(ROUSE_CLOSED) }
    recorder.closeProducer(producer)
    return 0
  }
}

@c @implementation
public func rouse_text(_ code: Int32) -> UnsafePointer<CChar>? { unsafe CodeTexts.text(code) }

@c @implementation
public func rouse_last_error() -> UnsafePointer<CChar>? { unsafe LastError.text }

/// A text from C that may be null.
private func optionalText(_ pointer: UnsafePointer<CChar>?) throws(Refusal) -> String? {
  guard let pointer = unsafe pointer else { return nil }
  guard let text = unsafe text(pointer) else {
    throw Refusal(code: Int(ROUSE_INVALID_TEXT))
  }
  return text
}

extension Double {
  /// Whether it is a number of seconds that a timer accepts, or 0.
  fileprivate var isDuration: Bool { (0...1e9).contains(self) }
}
