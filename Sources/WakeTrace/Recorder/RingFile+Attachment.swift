import Glibc

// Who takes events out of another process's rings notes in the ring file where they go, so that
// whoever comes after a crash finds out what stands there already.
extension RingFile {
  /// The words of the header that an attached process uses.
  private enum Header {
    static let pathLength = RingLayout.File.pathLength
    static let firstPathWord = RingLayout.pathOffset / 8
    /// Whether the path is that of an attached process's trace.
    static let isAttached = 10
  }

  /// Whether the recorder was made to write a trace itself, and no other process has taken over since.
  var hasOwnWriter: Bool { tracePath != nil && words.acquire(Header.isAttached) == 0 }

  /// Notes that events go to a trace from now on.
  ///
  /// No block may be in doubt, as the trace before is forgotten.
  func note(trace path: String) throws(TraceError) {
    let bytes = Array(path.utf8)
    guard bytes.count <= RingLayout.pathBytes else {
      throw TraceError(
        code: .tooLarge, file: self.path,
        message: "the trace's path is longer than \(RingLayout.pathBytes) bytes")
    }
    words.release(1, at: Header.isAttached)
    words.release(0, at: Header.pathLength)
    for start in stride(from: 0, to: bytes.count, by: 8) {
      let word = bytes[start..<min(start + 8, bytes.count)].reversed()
        .reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      words.store(word, at: Header.firstPathWord + start / 8)
    }
    words.release(UInt64(bytes.count), at: Header.pathLength)
  }

  /// Notes which of the rotated files events go to; 0 if they are not rotated.
  func note(fileNumber: Int) {
    words.release(UInt64(fileNumber), at: RingLayout.File.fileNumber)
  }

  /// Which of the rotated files was written last.
  var fileNumber: Int { Int(clamping: words.acquire(RingLayout.File.fileNumber)) }

  /// Whether a block stands whole in the trace that events went to.
  func isWritten(stream: UInt64, sequence: UInt32) throws(TraceError) -> Bool {
    // Neither a pipe nor what a command prints can be looked at again.
    guard let path = lastTracePath, SystemCalls.sort(of: path) == S_IFREG,
      let trace = try? TraceFile(path: path)
    else { return false }
    var scan = BlockScan(trace)
    var last: BlockEntry?
    while true {
      do throws(TraceError) {
        guard let block = try scan.next() else { break }
        if block.header.stream == stream, block.header.sequence == sequence { last = block }
      } catch {
        _ = try scan.resume()
      }
    }
    guard let last else { return false }
    var checker = BlockChecker(trace)
    return checker.faults(of: last).isEmpty
  }

  /// Finds out how far the consumer of a ring had come when it was killed.
  ///
  /// - Parameter isKnown: Whether a block is known to stand in a trace; else the trace is looked at.
  func settle(
    _ ring: Ring, isKnown: (_ stream: UInt64, _ sequence: UInt32) -> Bool = { _, _ in false }
  ) throws(TraceError) {
    if let doubtful = ring.progressInDoubt {
      let (stream, sequence) = (doubtful.stream, UInt32(doubtful.sequence - 1))
      var isThere = isKnown(stream, sequence)
      if !isThere { isThere = try isWritten(stream: stream, sequence: sequence) }
      if isThere { ring.progress = doubtful } else { ring.withdraw() }
    }
    // Where nothing was taken yet, what is there is what was not overwritten.
    if mode == .overwrite, ring.progress.nextEvent == 0 {
      ring.passOverwritten(stream: RecorderCore.newStream())
    }
  }
}
