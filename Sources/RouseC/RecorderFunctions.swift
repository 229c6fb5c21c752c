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
  attempt {
    unsafe recorder?.pointee = 0
    guard let options = unsafe options, let recorder = unsafe recorder else {
      throw Refusal.argument("options or recorder is null")
    }
    guard let given = unsafe rouse_options_t.given(options) else {
      throw Refusal.argument(
        unsafe "options.size is \(options.pointee.size), not sizeof(rouse_options_t), or more is set"
      )
    }
    _ = Handles.closedAtExit
    unsafe recorder.pointee = Handles.add(
      try Recorder(try unsafe given.options(), cells: Producers.cells))
  }
}

extension rouse_options_t {
  fileprivate func options() throws(Refusal) -> Recorder.Options {
    var options = Recorder.Options(trace: try unsafe optionalText(trace))
    if let folder = try unsafe optionalText(ring_folder) { options.ringFolder = folder }
    if let device = try unsafe optionalText(device) { options.device = device }
    // What a timer accepts, or 0.
    let seconds = 0...1e9
    guard let mode = unsafe UInt8(exactly: mode).flatMap({ RecorderMode(rawValue: $0) }) else {
      throw .argument(unsafe "unknown mode \(self.mode)")
    }
    guard unsafe seconds.contains(flush_seconds), unsafe seconds.contains(seconds_per_file) else {
      throw .argument("flush_seconds or seconds_per_file is not between 0 and 10^9")
    }
    guard unsafe (0...1).contains(durable), unsafe reserved == 0 else {
      throw .argument("durable is not 0 or 1, or reserved is not 0")
    }
    options.mode = mode
    guard unsafe (-1...9).contains(level) else { throw .argument("level is not from -1 to 9") }
    unsafe options.level = level == 0 ? 1 : level == -1 ? 0 : Int(level)
    if unsafe slots_per_ring > 0 { unsafe options.slotsPerRing = Int(slots_per_ring) }
    if unsafe events_per_block > 0 { unsafe options.eventsPerBlock = Int(events_per_block) }
    if unsafe flush_seconds > 0 { unsafe options.flushInterval = .seconds(flush_seconds) }
    if unsafe seconds_per_file > 0 { unsafe options.timePerFile = .seconds(seconds_per_file) }
    if unsafe bytes_per_file != 0 { unsafe options.bytesPerFile = bytes_per_file }
    unsafe options.isDurable = durable == 1
    return options
  }
}

@c @implementation
public func rouse_flush(_ recorder: rouse_recorder_t) -> Int32 {
  attempt { try Handles.recorder(recorder).flush() }
}

@c @implementation
public func rouse_snapshot(_ recorder: rouse_recorder_t, _ path: UnsafePointer<CChar>?) -> Int32 {
  attempt {
    guard let path = try unsafe optionalText(path) else { throw Refusal.argument("path is null") }
    _ = try Handles.recorder(recorder).snapshot(to: path)
  }
}

@c @implementation
public func rouse_statistics(
  _ recorder: rouse_recorder_t, _ statistics: UnsafeMutablePointer<rouse_statistics_t>?
) -> Int32 {
  attempt {
    guard let statistics = unsafe statistics else {
      throw Refusal.argument("statistics is null")
    }
    let figures = try Handles.recorder(recorder).statistics
    unsafe statistics.pointee = rouse_statistics_t(
      written: UInt64(figures.written), blocks: UInt64(figures.blocks),
      bytes: UInt64(figures.bytes), lost: figures.lost)
  }
}

@c @implementation
public func rouse_close(_ recorder: rouse_recorder_t) -> Int32 {
  attempt {
    let recorder = try Handles.remove(recorder, isRecorder: true)
    defer { Handles.removeProducers(of: recorder) }
    try recorder.close()
  }
}

@c @implementation
public func rouse_name(
  _ recorder: rouse_recorder_t, _ sort: Int32, _ name: UnsafePointer<CChar>?,
  _ number: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  attempt {
    guard let number = unsafe number, let name = try unsafe optionalText(name) else {
      throw Refusal.argument("name or the number's pointer is null")
    }
    guard let sort = UInt8(exactly: sort).flatMap({ NameSort(rawValue: $0) }) else {
      throw Refusal.argument("unknown sort \(sort)")
    }
    unsafe number.pointee = try Handles.recorder(recorder).core.intern(name, sort)
  }
}

@c @implementation
public func rouse_type(
  _ recorder: rouse_recorder_t, _ name: UnsafePointer<CChar>?,
  _ type: UnsafeMutablePointer<rouse_type_t>?
) -> Int32 {
  // The structure is its number.
  let number = unsafe UnsafeMutableRawPointer(type)?.assumingMemoryBound(to: UInt32.self)
  return unsafe rouse_name(recorder, Int32(ROUSE_TYPE), name, number)
}

@c @implementation
public func rouse_source(
  _ recorder: rouse_recorder_t, _ name: UnsafePointer<CChar>?,
  _ source: UnsafeMutablePointer<rouse_source_t>?
) -> Int32 {
  let number = unsafe UnsafeMutableRawPointer(source)?.assumingMemoryBound(to: UInt32.self)
  return unsafe rouse_name(recorder, Int32(ROUSE_SOURCE), name, number)
}

@c @implementation
public func rouse_version() -> Int32 { Int32(ROUSE_VERSION) }

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
  let owner = recorder
  return attempt {
    guard let producer = unsafe producer else { throw Refusal.argument("producer is null") }
    unsafe producer.pointee = 0
    let recorder = try Handles.recorder(owner)
    let handle = try recorder.core.openProducer(device: device)
    guard Handles.addProducer(handle, of: recorder, owner) else {
      recorder.core.closeProducer(handle)
      throw Refusal.closed
    }
    unsafe producer.pointee = handle
  }
}

@c @implementation
public func rouse_producer_close(_ producer: rouse_producer_t) -> Int32 {
  attempt { try Handles.remove(producer, isRecorder: false).core.closeProducer(producer) }
}

@c @implementation
public func rouse_text(_ code: Int32) -> UnsafePointer<CChar>? { unsafe CodeTexts.text(code) }

@c @implementation
public func rouse_last_error() -> UnsafePointer<CChar>? { unsafe LastError.text }
