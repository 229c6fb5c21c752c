package import Glibc
import Synchronization
import WakeTrace

/// Where a scheduler is: memory that the process in which it runs shares with the one that supervises it.
///
/// Each call under way is noted in a slot of its own, so that the supervisor can tell of the call in which the process ended
/// or that does not return.
///
/// Unchecked: the words of a slot are written by the thread that has claimed it, and the supervisor reads them as they come.
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

  /// A device that is called. Its number is its own in the process, so that a slot gets its name once.
  struct CalledDevice {
    fileprivate let number: Int64
    fileprivate let name: String
  }

  // The words of the memory: a head, slots, texts.
  private enum Head {
    static let state = 0, locatesFrom = 1, faultLength = 2, parent = 3, slotsUsed = 4, words = 8
  }
  private enum Slot {
    static let number = 0, function = 1, first = 2, last = 3, time = 4
    static let device = 5, nameLength = 6, name = 7
    static let words = 16
  }
  /// More than the threads of a replay, each of which makes one call at a time.
  private static let slots = 1_100
  /// Of these, so many are tried first, so that the supervisor looks at few.
  private static let likelySlots = 32
  /// The function of a slot that has none yet.
  private static let claimed: Int64 = -1
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
  private let devices = Atomic<Int64>(0)
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

  /// Makes a device that calls can be noted of.
  func device(named name: String) -> CalledDevice {
    CalledDevice(number: devices.add(1, ordering: .relaxed).newValue, name: name)
  }

  /// Notes a call of a device that begins.
  ///
  /// - Returns: The slot in which it is noted, for ``leave(_:)``.
  @inline(__always)
  func enter(_ function: Function, first: Int, last: Int, time: Int64, on device: CalledDevice)
    -> Int
  {
    let slot = claim(likely: Int(device.number) % Self.likelySlots)
    if unsafe words[slot + Slot.device] != device.number { note(device, in: slot) }
    unsafe words[slot + Slot.first] = Int64(first)
    unsafe words[slot + Slot.last] = Int64(last)
    unsafe words[slot + Slot.time] = time
    unsafe words[slot + Slot.number] &+= 1
    unsafe self.function(of: slot).pointee.store(function.rawValue, ordering: .releasing)
    return slot
  }

  /// Notes what is no call of a device.
  @discardableResult
  func enter(_ function: Function) -> Int {
    enter(function, first: 0, last: -1, time: 0, on: CalledDevice(number: 0, name: ""))
  }

  /// Notes that a call has returned.
  @inline(__always)
  func leave(_ slot: Int) { unsafe function(of: slot).pointee.store(0, ordering: .releasing) }

  /// Claims a slot in which no call is noted, the likely one if it is such.
  @inline(__always)
  private func claim(likely: Int) -> Int {
    for offset in 0..<Self.slots {
      let place = (likely &+ offset) % Self.slots
      let slot = Head.words + place * Slot.words
      let (isClaimed, _) = unsafe function(of: slot).pointee.compareExchange(
        expected: 0, desired: Self.claimed, ordering: .acquiring)
      guard isClaimed else { continue }
      if unsafe place >= atomic(Head.slotsUsed).pointee.load(ordering: .relaxed) {
        unsafe _ = atomic(Head.slotsUsed).pointee.max(Int64(place) + 1, ordering: .relaxed)
      }
      return slot
    }
    preconditionFailure("more threads than \(Self.slots)")
  }

  @inline(__always)
  private func atomic(_ word: Int) -> UnsafeMutablePointer<Atomic<Int64>> {
    unsafe UnsafeMutableRawPointer(words + word).assumingMemoryBound(to: Atomic<Int64>.self)
  }

  /// The word of a slot which says whether it is claimed.
  @inline(__always)
  private func function(of slot: Int) -> UnsafeMutablePointer<Atomic<Int64>> {
    unsafe atomic(slot + Slot.function)
  }

  private func note(_ device: CalledDevice, in slot: Int) {
    var length = 0
    unsafe UnsafeMutableRawPointer(words + slot + Slot.name).withMemoryRebound(
      to: UInt8.self, capacity: Self.nameBytes
    ) { name in
      for byte in device.name.utf8.prefix(Self.nameBytes) {
        unsafe name[length] = byte
        length += 1
      }
    }
    unsafe words[slot + Slot.nameLength] = Int64(length)
    unsafe words[slot + Slot.device] = device.number
  }

  /// Tells the supervisor of a fault, and ends this process, as the scheduler may never return.
  func end(with fault: String) -> Never {
    note(fault)
    UnfinishedFiles.removeAll { _exit(1) }
  }

  /// Tells the supervisor of a fault from a copy of the process, and ends both.
  func endOriginal(with fault: String) -> Never {
    note(fault)
    UnfinishedFiles.removeAll {
      kill(original, SIGKILL)
      _exit(1)
    }
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
    // The scheduler may have written anything.
    let used = unsafe Int(clamping: atomic(Head.slotsUsed).pointee.load(ordering: .relaxed))
    return (0..<max(0, min(used, Self.slots))).compactMap { place in
      let slot = Head.words + place * Slot.words
      let word = unsafe function(of: slot).pointee.load(ordering: .acquiring)
      guard let function = Function(rawValue: word) else { return nil }
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
