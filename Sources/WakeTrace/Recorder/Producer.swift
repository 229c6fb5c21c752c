import Glibc
public import WakeEvents

/// Records events for one thread.
///
/// A call takes no lock, allocates nothing for saves and deletes, and makes no system call but for the
/// clock where the time is not given; in the mode `block` it may wait for room.
public struct Producer: ~Copyable, @unchecked Sendable {
  // Sendable: it cannot be copied, so one thread at a time has it.
  private let handle: UInt64
  private let core: RecorderCore

  init(handle: UInt64, core: RecorderCore) {
    self.handle = handle
    self.core = core
  }

  deinit { core.closeProducer(handle) }

  /// Records that a sample was saved.
  ///
  /// - Parameter time: When; nil is now.
  /// - Complexity: O(1).
  @discardableResult
  public mutating func save(
    _ type: SampleType, from source: Source, at time: Timestamp? = nil
  ) -> RecordStatus {
    ProducerCalls.save(
      handle, at: time?.nanoseconds ?? ProducerCalls.now, type: type.index, source: source.index)
  }

  /// Records that a sample was deleted.
  @discardableResult
  public mutating func delete(
    _ type: SampleType, from source: Source, at time: Timestamp? = nil
  ) -> RecordStatus {
    ProducerCalls.delete(
      handle, at: time?.nanoseconds ?? ProducerCalls.now, type: type.index, source: source.index)
  }

  /// Records any input.
  ///
  /// - Parameters:
  ///   - time: When; nil is now.
  ///   - device: Where; nil is the producer's device.
  @discardableResult
  public mutating func record(
    _ input: Input, at time: Timestamp? = nil, device: Device? = nil
  ) -> RecordStatus {
    ProducerCalls.record(
      handle, input, time: time?.nanoseconds ?? ProducerCalls.now, device: device?.index)
  }
}

/// The calls of producers, by handle; a handle that is closed is refused.
package enum ProducerCalls {
  /// The system's time, in nanoseconds since the Unix epoch.
  @inline(__always)
  package static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Records a save.
  package static func save(
    _ handle: UInt64, at time: Int64, type: UInt32, source: UInt32
  ) -> RecordStatus {
    ProducerCells.record(handle, .save, type: type, source: source, time: time)
  }

  /// Records a delete.
  package static func delete(
    _ handle: UInt64, at time: Int64, type: UInt32, source: UInt32
  ) -> RecordStatus {
    ProducerCells.record(handle, .delete, type: type, source: source, time: time)
  }

  /// Records a save with a value.
  package static func save(
    _ handle: UInt64, at time: Int64, type: UInt32, source: UInt32, value: Double
  ) -> RecordStatus {
    guard let cell = unsafe ProducerCells.cell(handle) else {
      return ProducerCells.refusal(handle)
    }
    let sample = Sample(
      type: SampleType(index: type), source: Source(index: source), value: value)
    return unsafe cell.pointee.record(kind: .save, sample, time: time, device: nil)
  }

  /// Records any input.
  package static func record(
    _ handle: UInt64, _ input: Input, time: Int64, device: UInt32?
  ) -> RecordStatus {
    guard let cell = unsafe ProducerCells.cell(handle) else {
      return ProducerCells.refusal(handle)
    }
    return unsafe cell.pointee.record(input, time: time, device: device)
  }
}
