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
    ProducerCalls.record(
      handle, .save, type: type.index, source: source.index,
      time: time?.nanoseconds ?? ProducerCalls.now)
  }

  /// Records that a sample was deleted.
  @discardableResult
  public mutating func delete(
    _ type: SampleType, from source: Source, at time: Timestamp? = nil
  ) -> RecordStatus {
    ProducerCalls.record(
      handle, .delete, type: type.index, source: source.index,
      time: time?.nanoseconds ?? ProducerCalls.now)
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
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Records a save or delete.
  package static func record(
    _ handle: UInt64, _ kind: InputKind, type: UInt32, source: UInt32, time: Int64
  ) -> RecordStatus {
    guard let cell = unsafe ProducerCells.cell(handle) else {
      return ProducerCells.refusal(handle)
    }
    return unsafe cell.pointee.record(kind: kind, type: type, source: source, time: time)
  }

  /// Records a save with a value.
  package static func record(
    _ handle: UInt64, value: Double, type: UInt32, source: UInt32, time: Int64
  ) -> RecordStatus {
    guard let cell = unsafe ProducerCells.cell(handle) else {
      return ProducerCells.refusal(handle)
    }
    return unsafe cell.pointee.record(
      kind: .save, type: type, source: source, time: time, value: value)
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
