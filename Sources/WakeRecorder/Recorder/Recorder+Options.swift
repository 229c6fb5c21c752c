import Glibc
import WakeTrace

extension Recorder {
  /// How a recorder records.
  public struct Options: Sendable {
    /// Slots that a ring may have.
    static let slotRange = 1 << 10...1 << 26

    /// Where the trace goes: a file, which is continued if it exists, or a folder in which files are created. With
    /// nil this process writes none: another one may (`rouse record --attach`), and in the mode `overwrite`
    /// ``Recorder/snapshot(to:)`` does. If the file is renamed, removed or replaced, a new one is created. A file that
    /// is created can be read by its owner alone, as the ring file.
    public var trace: String?
    /// What happens when a ring is full.
    public var mode = RecorderMode.drop
    /// The folder of the ring file; best in memory, as write-back to a disk would stall producers.
    public var ringFolder = "/dev/shm"
    /// Slots of 16 bytes in each ring, from 2^10 to 2^26, rounded up to a power of two. Most events take one; a save
    /// takes one more for each of start, end and value.
    public var slotsPerRing = 1 << 18
    /// zlib's level, from 0 to 9.
    public var level = 1
    /// How long events may wait to be written.
    public var flushInterval = Duration.seconds(1)
    /// Events of a full block; at most 65,536.
    public var eventsPerBlock = TraceLimits.eventsPerBlock
    /// In a folder, bytes after which the next file begins; nil is never.
    public var bytesPerFile: Int64?
    /// In a folder, the time after which the next file begins; nil is never.
    public var timePerFile: Duration?
    /// Whether each block is on the disk (fdatasync) before the next is written, so that a failure of power costs only
    /// what was not flushed.
    public var isDurable = false
    /// The device of producers that name none; the empty name is usual in traces of one device.
    public var device = ""

    /// Makes options for a trace.
    public init(trace: String?) { self.trace = trace }

    /// Why the options are invalid; nil if they are valid.
    var objection: String? {
      if trace == "" { return "the trace has no name" }
      if ringFolder == "" { return "the folder of the ring file has no name" }
      if trace != nil, mode == .overwrite {
        return "a recorder that overwrites writes no trace but snapshots"
      }
      if !Self.slotRange.contains(slotsPerRing) {
        return "a ring has from \(Self.slotRange.lowerBound) to \(Self.slotRange.upperBound) slots"
      }
      if !(0...9).contains(level) { return "zlib's levels are 0 to 9" }
      if !(1...TraceLimits.eventsPerBlock).contains(eventsPerBlock) {
        return "a block has from 1 to \(TraceLimits.eventsPerBlock) events"
      }
      if flushInterval <= .zero || timePerFile ?? flushInterval <= .zero
        || bytesPerFile ?? 1 <= 0
      {
        return "intervals and sizes are more than 0"
      }
      if bytesPerFile != nil || timePerFile != nil,
        trace.flatMap({ SystemCalls.sort(of: $0) }) != S_IFDIR
      {
        return "several files need a folder"
      }
      return nil
    }
  }

  /// What was recorded so far.
  public struct Statistics: Hashable, Sendable {
    /// Events in the trace.
    public var written = 0
    /// Events that were lost, whether or not the trace tells it yet; in the mode `overwrite`, those that were
    /// overwritten so far.
    public var lost: UInt64 = 0
    /// Blocks of the trace.
    public var blocks = 0
    /// Bytes of the trace.
    public var bytes: Int64 = 0

    /// Makes statistics, by default of nothing.
    public init(written: Int = 0, lost: UInt64 = 0, blocks: Int = 0, bytes: Int64 = 0) {
      (self.written, self.lost, self.blocks, self.bytes) = (written, lost, blocks, bytes)
    }

    mutating func add(_ other: Statistics) {
      written += other.written
      lost += other.lost
      blocks += other.blocks
      bytes += other.bytes
    }
  }
}
