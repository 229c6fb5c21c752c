import Glibc
public import WakeEvents

/// Records events for one thread.
///
/// A call takes no lock, allocates nothing for saves and deletes, and makes no system call except reading the
/// clock when no time is given. In the mode `block` it may wait for room in the ring.
public struct Producer: ~Copyable, @unchecked Sendable {
  // Sendable: it cannot be copied, so one thread at a time has it.
  private let memory: ProducerMemory
  private let handle: UInt64
  private let core: RecorderCore

  init(handle: UInt64, core: RecorderCore) {
    memory = core.cells.memory
    self.handle = handle
    self.core = core
  }

  deinit { core.closeProducer(handle) }

  /// Records that a sample was saved.
  ///
  /// - Parameters:
  ///   - type: What was saved.
  ///   - source: Who saved it.
  ///   - time: When; nil is now.
  /// - Complexity: O(1).
  @discardableResult
  public mutating func save(
    _ type: SampleType, from source: Source, at time: Timestamp? = nil
  ) -> RecordStatus {
    memory.record(
      handle, kind: 0, type: type.index, source: source.index,
      time: time?.nanoseconds ?? RealTimeClock.now)
  }

  /// Records that a sample was deleted.
  @discardableResult
  public mutating func delete(
    _ type: SampleType, from source: Source, at time: Timestamp? = nil
  ) -> RecordStatus {
    memory.record(
      handle, kind: 1, type: type.index, source: source.index,
      time: time?.nanoseconds ?? RealTimeClock.now)
  }

  /// Records any input.
  ///
  /// - Parameters:
  ///   - input: What happened.
  ///   - time: When; nil is now.
  ///   - device: Where; nil is the producer's device.
  @discardableResult
  public mutating func record(
    _ input: Input, at time: Timestamp? = nil, device: Device? = nil
  ) -> RecordStatus {
    memory.record(
      handle, input, time: time?.nanoseconds ?? RealTimeClock.now, device: device?.index)
  }
}

/// The system's clock.
package enum RealTimeClock {
  /// Nanoseconds since the Unix epoch. Not inlined, so that events with a time need no stack for it.
  @inline(never)
  package static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
