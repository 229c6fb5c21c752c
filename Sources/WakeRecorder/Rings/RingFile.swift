import CSystem
import Glibc
import WakeTrace

/// An open ring file, of this process, of another one or of one that has ended.
final class RingFile: @unchecked Sendable {
  // Sendable: the words are shared by design; names and rings are added under the recorder's lock.

  /// The byte that the consumer of the rings locks; the recorder locks `SystemCalls.recorderLock`.
  static let consumerLock = SystemCalls.recorderLock + 1

  let path: String
  let descriptor: Int32
  let slotsPerRing: Int
  let mode: RecorderMode
  /// The trace that events go to; nil if there was none when the file was opened.
  let tracePath: String?
  let front: MappedRegion
  private let isPrivate: Bool
  private let process = getpid()
  /// The trace that was searched last for a block in doubt.
  var searched: SearchedTrace?
  /// Bytes of names that this process has written, and that have memory.
  var nameBytes = 0
  var reservedNameBytes = 0

  var words: SharedWords { front.words() }
  /// The user whose file it is.
  let owner: uid_t

  /// How many rings exist and are complete, and the error that the file was cut off and others are missing.
  func countRings() -> (whole: Int, cut: TraceError?) {
    // Read before the length: a process that adds a ring extends the file first.
    let noted = words.acquire(RingLayout.File.ringCount)
    let length = Int(SystemCalls.status(of: descriptor)?.length ?? 0)
    let room = max(0, length - RingLayout.ringsOffset) / RingLayout.ringBytes(slots: slotsPerRing)
    let whole = min(room, Recorder.ringLimit)
    guard noted > UInt64(whole) else { return (Int(noted), nil) }
    let kept = whole > 0 ? "; \(whole) of them are whole" : ""
    return (whole, error(.truncated, "ring file ends before its \(noted) rings do\(kept)"))
  }

  /// - Throws: ``TraceError`` with `truncated` if the file is cut short where it, or one of its rings, was accessed.
  func checkWhole(_ rings: [Ring]) throws(TraceError) {
    for region in [front] + rings.map(\.region) { try region.checkWhole() }
  }

  /// The error that no recorder can have written a ring's counts.
  func contradiction(in ring: Ring) -> TraceError {
    error(
      .malformed,
      "ring \(ring.index) is damaged: its counts contradict each other, or the file has no such slots"
    )
  }

  func error(_ code: TraceError.Code, _ message: String) -> TraceError {
    TraceError(code, path, message)
  }

  // A forked child has closed the descriptor, whose number may be another file's there.
  deinit { if getpid() == process { system_unlock_and_close(descriptor) } }

  init(
    creating path: String, mode: RecorderMode, slotsPerRing: Int, tracePath: String?
  ) throws(TraceError) {
    let trace = try Self.bytes(ofTrace: tracePath ?? "", path)
    descriptor = SystemCalls.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    guard descriptor >= 0 else { throw .system("cannot be made", file: path) }
    (self.path, self.mode, self.slotsPerRing) = (path, mode, slotsPerRing)
    self.tracePath = tracePath
    isPrivate = false
    owner = geteuid()
    do throws(TraceError) {
      guard system_lock_byte(descriptor, SystemCalls.recorderLock) else {
        throw .system("cannot be locked", file: path)
      }
      try Self.allocate(descriptor, path, 0..<RingLayout.pageBytes)
      let status = SystemCalls.withoutSignals { [descriptor] in
        ftruncate(descriptor, RingLayout.ringsOffset)
      }
      guard status == 0 else { throw .system("cannot be made", file: path) }
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

  /// Opens a ring file that another process created.
  ///
  /// - Parameters:
  ///   - isPrivate: Whether changes stay in memory. A file that was cut off is then opened for its complete rings.
  ///   - owner: The user whose file it must be, to which no other may write; nil is any.
  /// - Throws: ``TraceError`` with `notATrace` if it is no ring file, `anotherUsers` if another user could change it,
  ///   `truncated` or `malformed` if it is damaged.
  init(opening path: String, isPrivate: Bool, owner required: uid_t? = nil) throws(TraceError) {
    // Not through a link that another user may have made, unless the path was named; and without a wait for a FIFO.
    let isNamed = isPrivate && required == nil
    let flags = (isPrivate ? O_RDONLY : O_RDWR) | (isNamed ? 0 : O_NOFOLLOW) | O_NONBLOCK
    descriptor = SystemCalls.open(path, flags)
    guard descriptor >= 0 else {
      if errno == ELOOP { throw TraceError(.notATrace, path, "is a symbolic link, no ring file") }
      throw .system("cannot be opened", file: path)
    }
    self.path = path
    self.isPrivate = isPrivate
    do throws(TraceError) {
      guard let status = SystemCalls.status(of: descriptor) else {
        throw .system("cannot be opened", file: path)
      }
      guard status.sort == S_IFREG else {
        throw TraceError(.notATrace, path, "is no ring file")
      }
      guard required == nil || status.owner == required && status.permissions & 0o022 == 0 else {
        throw TraceError(
          .anotherUsers, path, "is another user's, or one may write to it; it is left alone")
      }
      owner = status.owner
      guard status.length >= RingLayout.ringsOffset else {
        throw TraceError(.truncated, path, "is no ring file, or one whose header was not finished")
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
        throw TraceError(.malformed, path, "ring file's header is damaged")
      }
      (self.mode, slotsPerRing) = (mode, Int(slots))
      let start = RingLayout.pathOffset
      let trace = front.bytes(start..<start + Int(pathLength))
      tracePath = trace.isEmpty ? nil : String(decoding: trace, as: UTF8.self)
    } catch let error {
      close(descriptor)
      throw error
    }
    let (whole, cut) = countRings()
    if let cut, !isPrivate || whole == 0 { throw cut }
    try front.checkWhole()
  }

  /// The first word of a file; nil if the file is shorter.
  static func firstWord(of file: TraceFile) throws(TraceError) -> UInt64? {
    var bytes: [UInt8] = []
    guard try file.read(8, at: 0, into: &bytes) == 8 else { return nil }
    return UInt64(littleEndianBytes: bytes[..<8])
  }

  private static func wrongMagic(_ magic: UInt64, _ path: String) -> TraceError {
    if magic == 0 { return TraceError(.truncated, path, "ring file's header was not finished") }
    // The version is the last byte.
    guard magic << 8 == RingLayout.magic << 8 else {
      return TraceError(.notATrace, path, "is no ring file")
    }
    return TraceError(
      .unknownVersion, path,
      "ring file of version \(magic >> 56); this program reads version \(RingLayout.version)")
  }

  /// The bytes of a trace's path, which the header has limited room for.
  static func bytes(ofTrace trace: String, _ path: String) throws(TraceError) -> [UInt8] {
    guard trace.utf8.count <= RingLayout.pathBytes else {
      throw TraceError(
        .tooLarge, path, "the trace's path is longer than \(RingLayout.pathBytes) bytes")
    }
    return Array(trace.utf8)
  }

  /// Removes the file, unless another one has its name by now; false if that fails.
  func remove() -> Bool {
    SystemCalls.identity(of: path) == SystemCalls.status(of: descriptor)?.identity
      && SystemCalls.remove(path)
  }

  /// Takes the lock of the process that records; false if that has it, and thus has not ended. The file must be open for
  /// writing.
  func lockAsRecorder() -> Bool { system_lock_byte(descriptor, SystemCalls.recorderLock) }

  /// Locks the rings for this consumer; false if another process has them.
  func lockAsConsumer() -> Bool { system_lock_byte(descriptor, Self.consumerLock) }

  /// Allocates memory for a part of the file. Without it, an access when memory is full would raise SIGBUS.
  static func allocate(
    _ descriptor: Int32, _ path: String, _ range: Range<Int>
  ) throws(TraceError) {
    let status = SystemCalls.withoutSignals {
      // It returns its error.
      var status = EINTR
      while status == EINTR {
        status = posix_fallocate(descriptor, range.lowerBound, range.count)
      }
      return status
    }
    guard status == 0 else {
      errno = status
      throw .system("has no room for more names or a ring", file: path)
    }
  }

  /// Adds a ring for a device, behind those that the process has made.
  func addRing(_ index: Int, device: UInt32) throws(TraceError) -> Ring {
    let bytes = RingLayout.ringBytes(slots: slotsPerRing)
    let start = RingLayout.ringsOffset + index * bytes
    try Self.allocate(descriptor, path, start..<start + bytes)
    let ring = try ring(index, isAtHand: true)
    // Before other processes can see it.
    ring.start(stream: Ring.newStream(), device: device)
    words.release(UInt64(index + 1), at: RingLayout.File.ringCount)
    return ring
  }

  func ring(_ index: Int, isAtHand: Bool = false) throws(TraceError) -> Ring {
    let bytes = RingLayout.ringBytes(slots: slotsPerRing)
    let region = try MappedRegion(
      descriptor, offset: RingLayout.ringsOffset + index * bytes, length: bytes,
      isPrivate: isPrivate, isAtHand: isAtHand, marked: RingLayout.Ring.reserved, name: path)
    let ring = Ring(region, index: index, slots: slotsPerRing)
    if !isAtHand {
      let start = RingLayout.ringsOffset + index * bytes + RingLayout.pageBytes
      ring.refuseHoles(in: descriptor, slotsFrom: start)
    }
    return ring
  }
}
