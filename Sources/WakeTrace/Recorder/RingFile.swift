import CSystem
import Glibc

/// A ring file that is open: of this process, of another one, or of one that is dead.
final class RingFile: @unchecked Sendable {
  // Sendable: what changes after the beginning are words that are shared by design; names and rings
  // are added by one thread at a time, which the recorder's lock sees to.

  /// Bytes of the file that are locked: for the process that records, and for who takes events.
  enum Lock {
    static let recorder = 1 << 40
    static let consumer = 1 << 40 + 1
  }

  let path: String
  let descriptor: Int32
  let slotsPerRing: Int
  let mode: RecorderMode
  /// The trace that the recorder's own writer writes; nil if it has no writer.
  let tracePath: String?
  let front: MappedRegion
  private let isPrivate: Bool
  private let process = getpid()
  /// Bytes of the names' part that have memory.
  var reservedNameBytes = 0
  /// Rings that the file is long enough for.
  private let wholeRings: Int

  var words: SharedWords { front.words() }
  /// Rings that there are, and are whole.
  var ringCount: Int { min(wholeRings, ringCountNoted) }
  /// Rings that there should be.
  private var ringCountNoted: Int { Int(clamping: words.acquire(RingLayout.File.ringCount)) }
  /// What is wrong if rings are missing as the file was cut off; nil if it was not.
  var cut: TraceError? {
    guard ringCountNoted > wholeRings else { return nil }
    return TraceError(
      code: .truncated, file: path,
      message: "ring file ends before its \(ringCountNoted) rings do"
        + (wholeRings > 0 ? "; \(wholeRings) of them are whole" : ""))
  }

  /// Lets calls of producers that are under way when the file ends do no harm.
  func keepAddresses() { front.keepAddresses() }

  /// Gives the memory of header and names back.
  func letGo() { front.letGo() }

  // A child that was forked off has closed it; its number may be another file's there.
  deinit { if getpid() == process { rouse_unlock_and_close(descriptor) } }

  /// Makes the ring file of this process.
  init(
    creating path: String, mode: RecorderMode, slotsPerRing: Int, tracePath: String?
  ) throws(TraceError) {
    let trace = Array((tracePath ?? "").utf8)
    guard trace.count <= RingLayout.pathBytes else {
      throw TraceError(
        code: .tooLarge, file: path,
        message: "the trace's path is longer than \(RingLayout.pathBytes) bytes")
    }
    descriptor = SystemCalls.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    guard descriptor >= 0 else { throw .system("cannot be made", file: path) }
    (self.path, self.mode, self.slotsPerRing) = (path, mode, slotsPerRing)
    self.tracePath = tracePath
    isPrivate = false
    wholeRings = .max
    do throws(TraceError) {
      guard rouse_lock_byte(descriptor, Lock.recorder) else {
        throw .system("cannot be locked", file: path)
      }
      try Self.takeMemory(descriptor, path, 0..<RingLayout.pageBytes)
      let status = SystemCalls.withoutSignals { [descriptor] in
        ftruncate(descriptor, RingLayout.ringsOffset)
      }
      guard status == 0 else {
        throw .system("cannot be made", file: path)
      }
      front = try MappedRegion(
        descriptor, offset: 0, length: RingLayout.ringsOffset, isPrivate: false, name: path)
    } catch let error {
      SystemCalls.remove(path)
      close(descriptor)
      throw error
    }
    front.write(trace, at: RingLayout.pathOffset)
    let words = front.words()
    words.store(UInt64(mode.rawValue), at: RingLayout.File.mode)
    words.store(UInt64(slotsPerRing), at: RingLayout.File.slotsPerRing)
    words.store(UInt64(trace.count), at: RingLayout.File.pathLength)
    words.release(RingLayout.magic, at: RingLayout.File.magic)
  }

  /// Opens a ring file that another process made.
  ///
  /// - Parameter isPrivate: Whether the file is left as it is, whatever is done with this. One that was cut off
  ///   is then opened for the rings that are whole.
  /// - Throws: ``TraceError`` with `notATrace` if it is none, `truncated` or `malformed` if it is not
  ///   whole.
  init(opening path: String, isPrivate: Bool) throws(TraceError) {
    descriptor = SystemCalls.open(path, isPrivate ? O_RDONLY : O_RDWR)
    guard descriptor >= 0 else { throw .system("cannot be opened", file: path) }
    self.path = path
    self.isPrivate = isPrivate
    do throws(TraceError) {
      guard let status = SystemCalls.status(of: descriptor), status.sort == S_IFREG else {
        throw TraceError(code: .notATrace, file: path, message: "is no ring file")
      }
      guard status.length >= RingLayout.ringsOffset else {
        throw TraceError(
          code: .truncated, file: path,
          message: "is no ring file, or one whose header was not finished")
      }
      front = try MappedRegion(
        descriptor, offset: 0, length: RingLayout.ringsOffset, isPrivate: isPrivate, name: path)
      let words = front.words()
      let magic = words.acquire(RingLayout.File.magic)
      guard magic == RingLayout.magic else { throw Self.wrongMagic(magic, path) }
      let slots = words.load(RingLayout.File.slotsPerRing)
      let pathLength = words.load(RingLayout.File.pathLength)
      guard let mode = RecorderMode(rawValue: UInt8(clamping: words.load(RingLayout.File.mode))),
        Recorder.Options.slotRange.contains(Int(clamping: slots)), slots & (slots - 1) == 0,
        pathLength <= RingLayout.pathBytes
      else {
        throw TraceError(code: .malformed, file: path, message: "ring file's header is damaged")
      }
      (self.mode, slotsPerRing) = (mode, Int(slots))
      let start = RingLayout.pathOffset
      let trace = front.bytes(start..<start + Int(pathLength))
      tracePath = trace.isEmpty ? nil : String(decoding: trace, as: UTF8.self)
      // Read before the length, as a process may be adding rings: the file grows first.
      let count = words.acquire(RingLayout.File.ringCount)
      let length = Int(SystemCalls.status(of: descriptor)?.length ?? 0)
      let ringBytes = RingLayout.ringBytes(slots: slotsPerRing)
      let whole = max(0, length - RingLayout.ringsOffset) / ringBytes
      wholeRings = count > UInt64(whole) ? min(whole, Recorder.ringLimit) : Recorder.ringLimit
    } catch let error {
      close(descriptor)
      throw error
    }
    if let cut, !isPrivate || wholeRings == 0 { throw cut }
  }

  private static func wrongMagic(_ magic: UInt64, _ path: String) -> TraceError {
    let version = UInt64(0xFF) << 56
    if magic == 0 {
      return TraceError(
        code: .truncated, file: path, message: "ring file's header was not finished")
    }
    if magic & ~version == RingLayout.magic & ~version {
      return TraceError(
        code: .unknownVersion, file: path,
        message:
          "ring file of version \(magic >> 56); this program reads version \(RingLayout.version)")
    }
    return TraceError(code: .notATrace, file: path, message: "is no ring file")
  }

  /// Whether the process that records is still there.
  ///
  /// - Note: Takes the recorder's lock if it is free, so the file must not be opened as private.
  var isAbandoned: Bool {
    rouse_lock_byte(descriptor, Lock.recorder)
  }

  /// Takes the right to take events out of the rings; false if another has it.
  func lockAsConsumer() -> Bool { rouse_lock_byte(descriptor, Lock.consumer) }

  /// Makes sure that a part of the file has memory: without it, touching the part would end the process.
  static func takeMemory(
    _ descriptor: Int32, _ path: String, _ range: Range<Int>
  ) throws(TraceError) {
    let status = SystemCalls.withoutSignals {
      posix_fallocate(descriptor, range.lowerBound, range.count)
    }
    guard status == 0 else {
      errno = status
      throw .system("has no room for a ring", file: path)
    }
  }

  /// Adds a ring.
  func addRing() throws(TraceError) -> Ring {
    let index = ringCount
    let bytes = RingLayout.ringBytes(slots: slotsPerRing)
    let start = RingLayout.ringsOffset + index * bytes
    try Self.takeMemory(descriptor, path, start..<start + bytes)
    let ring = try ring(index, isAtHand: true)
    words.release(UInt64(index + 1), at: RingLayout.File.ringCount)
    return ring
  }

  /// A ring that there is.
  func ring(_ index: Int, isAtHand: Bool = false) throws(TraceError) -> Ring {
    let bytes = RingLayout.ringBytes(slots: slotsPerRing)
    let region = try MappedRegion(
      descriptor, offset: RingLayout.ringsOffset + index * bytes, length: bytes,
      isPrivate: isPrivate, isAtHand: isAtHand, name: path)
    return Ring(region, index: index, slots: slotsPerRing)
  }
}
