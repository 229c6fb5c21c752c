package import Glibc
import WakeTrace

/// Where a scheduler is: memory that the process in which it runs shares with the one that supervises it.
///
/// Each instance notes its calls in a slot, so that the supervisor can tell of the call in which the process ended or
/// that does not return.
///
/// Unchecked: words are written by one thread at a time, and the supervisor reads them as they come.
@safe
package final class CallWatch: @unchecked Sendable {
  /// A function of the scheduler, or what else runs its code: the loading of the library, and the end of the process.
  package enum Function: Int64, Sendable {
    case create = 1
    case destroy, begin, take, input, nextDue, advance, finish
    case load, exit

    /// Its name in rouse_scheduler.h.
    var word: String { self == .nextDue ? "next_due" : String(describing: self) }
  }

  /// A call under way.
  package struct Call: Equatable, Sendable {
    package var function: Function
    /// The numbers of the first and last event that it was given; none if `last` is less.
    package var first: Int
    package var last: Int
    /// The time of the first, or to which it advances.
    package var time: Int64
    /// The device's name, cut if it is long.
    package var device: String
    /// Grows with every call of the slot.
    package var number: Int64
  }

  // The words of the memory: a head, slots, texts.
  private enum Head {
    static let state = 0, locatesFrom = 1, faultLength = 2, parent = 3, words = 8
  }
  private enum Slot {
    static let number = 0, function = 1, first = 2, last = 3, time = 4, nameLength = 5, name = 6
    static let words = 16
  }
  private static let slots = 64
  private static let nameBytes = (Slot.words - Slot.name) * 8
  private static let faultAt = (Head.words + slots * Slot.words) * 8
  private static let faultBytes = 4_096
  package static let bytes = faultAt + faultBytes

  /// What has become of the run.
  package enum State: Int64, Sendable {
    case running = 0
    /// The command has ended in order; its exit status says how.
    case finished
    /// The scheduler did what none may do; ``fault`` says what.
    case faulty
  }

  private let words: UnsafeMutablePointer<Int64>
  /// The process that has mapped the memory.
  private let original = getpid()

  /// Maps the memory of a file with ``bytes`` bytes; nil if the file is no such one.
  package init?(descriptor: Int32) {
    guard let length = SystemCalls.status(of: descriptor)?.length, length >= Self.bytes else {
      return nil
    }
    let memory = unsafe mmap(
      nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
    unsafe words = memory.bindMemory(to: Int64.self, capacity: Self.bytes / 8)
  }

  deinit { unsafe _ = munmap(words, Self.bytes) }

  package var state: State {
    get { State(rawValue: unsafe words[Head.state]) ?? .running }
    set { unsafe words[Head.state] = newValue.rawValue }
  }

  /// The event from which on rows are given one by one, to find the one that does it; nil if all are given at once.
  package var locatesFrom: Int? {
    get { unsafe words[Head.locatesFrom] == 0 ? nil : Int(words[Head.locatesFrom] - 1) }
    set { unsafe words[Head.locatesFrom] = newValue.map { Int64($0) + 1 } ?? 0 }
  }

  /// The supervising process.
  package var parent: pid_t {
    get { unsafe pid_t(truncatingIfNeeded: words[Head.parent]) }
    set { unsafe words[Head.parent] = Int64(newValue) }
  }

  // MARK: In the process of the scheduler

  private func slot(_ instance: Int) -> Int {
    Head.words + instance % Self.slots * Slot.words
  }

  /// Notes the device of an instance's further calls.
  func note(device: String, instance: Int) {
    let slot = slot(instance)
    var length = 0
    unsafe UnsafeMutableRawPointer(words + slot + Slot.name).withMemoryRebound(
      to: UInt8.self, capacity: Self.nameBytes
    ) { name in
      for byte in device.utf8.prefix(Self.nameBytes) {
        unsafe name[length] = byte
        length += 1
      }
    }
    unsafe words[slot + Slot.nameLength] = Int64(length)
  }

  @inline(__always)
  func enter(_ function: Function, instance: Int, first: Int, last: Int, time: Int64) {
    let slot = slot(instance)
    unsafe words[slot + Slot.first] = Int64(first)
    unsafe words[slot + Slot.last] = Int64(last)
    unsafe words[slot + Slot.time] = time
    unsafe words[slot + Slot.number] &+= 1
    unsafe words[slot + Slot.function] = function.rawValue
  }

  /// Notes what is no call for a device.
  func enter(_ function: Function) {
    enter(function, instance: 0, first: 0, last: -1, time: 0)
  }

  @inline(__always)
  func leave(instance: Int) {
    unsafe words[slot(instance) + Slot.function] = 0
  }

  /// Tells the supervisor of a fault, and ends this process, as the scheduler may never return.
  func end(with fault: String) -> Never {
    note(fault)
    UnfinishedFiles.removeAll()
    _exit(1)
  }

  /// Tells the supervisor of a fault from a copy of the process, and ends both.
  func endOriginal(with fault: String) {
    note(fault)
    UnfinishedFiles.removeAll()
    kill(original, SIGKILL)
  }

  private func note(_ fault: String) {
    unsafe UnsafeMutableRawPointer(words).advanced(by: Self.faultAt).withMemoryRebound(
      to: UInt8.self, capacity: Self.faultBytes
    ) { text in
      var length = 0
      for byte in fault.utf8.prefix(Self.faultBytes) {
        unsafe text[length] = byte
        length += 1
      }
      unsafe words[Head.faultLength] = Int64(length)
    }
    state = .faulty
  }

  // MARK: In the supervising process

  /// The fault that was told.
  package var fault: String {
    let length = unsafe min(max(0, Int(words[Head.faultLength])), Self.faultBytes)
    return unsafe String(
      decoding: UnsafeRawBufferPointer(
        start: UnsafeRawPointer(words).advanced(by: Self.faultAt), count: length), as: UTF8.self)
  }

  /// The calls under way, each with its slot.
  package var calls: [(slot: Int, call: Call)] {
    (0..<Self.slots).compactMap { place in
      let slot = slot(place)
      guard let function = unsafe Function(rawValue: words[slot + Slot.function]) else {
        return nil
      }
      let length = unsafe min(max(0, Int(words[slot + Slot.nameLength])), Self.nameBytes)
      let name = unsafe String(
        decoding: UnsafeRawBufferPointer(start: words + slot + Slot.name, count: length),
        as: UTF8.self)
      return unsafe (
        place,
        Call(
          function: function, first: Int(words[slot + Slot.first]),
          last: Int(words[slot + Slot.last]), time: words[slot + Slot.time], device: name,
          number: words[slot + Slot.number])
      )
    }
  }
}
