// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of rouse.h, which the compiler holds them against.

public import CRouse
import WakeEvents

// The calls of the C interface that components make for every sample stand beside what they do: a step
// from one module to another costs about a tenth of such a call.

@c @implementation
public func rouse_save(
  _ producer: rouse_producer_t, _ time: Int64, _ type: UInt32, _ source: UInt32
) -> Int32 {
  ProducerCells.record(producer, .save, type: type, source: source, time: time).rawValue
}

@c @implementation
public func rouse_save_now(_ producer: rouse_producer_t, _ type: UInt32, _ source: UInt32) -> Int32
{
  ProducerCells.record(producer, .save, type: type, source: source, time: ProducerCalls.now)
    .rawValue
}

@c @implementation
public func rouse_delete(
  _ producer: rouse_producer_t, _ time: Int64, _ type: UInt32, _ source: UInt32
) -> Int32 {
  ProducerCells.record(producer, .delete, type: type, source: source, time: time).rawValue
}

@c @implementation
public func rouse_delete_now(_ producer: rouse_producer_t, _ type: UInt32, _ source: UInt32)
  -> Int32
{
  ProducerCells.record(producer, .delete, type: type, source: source, time: ProducerCalls.now)
    .rawValue
}
