import Glibc

extension Recorder {
  /// How a recorder records.
  public struct Options: Sendable {
    /// Slots that a ring may have: powers of two from 2^10 to 2^26.
    static let slotRange = 1 << 10...1 << 26

    /// Where the trace goes: a file, which is gone on with if it is there, or a folder, in which files
    /// get names of their own. Nil writes nothing: another process may (`rouse record --attach`), and
    /// in the mode `overwrite` ``Recorder/snapshot(to:)`` does. A file that is renamed, removed or
    /// replaced meanwhile is begun anew.
    public var trace: String?
    /// What happens when a ring is full.
    public var mode = RecorderMode.drop
    /// Where the ring file goes; best in memory, as writing back to a disk would stall producers.
    public var ringFolder = "/dev/shm"
    /// Slots of 16 bytes in each ring; rounded up to a power of two. Most events take one, saves one
    /// more for each of start, end and value.
    public var slotsPerRing = 1 << 18
    /// zlib's level, from 0 to 9.
    public var level = 1
    /// Events that are written once they wait for so long.
    public var flushInterval = Duration.seconds(1)
    /// Events that are written as one block once they are so many; at most 65,536.
    public var eventsPerBlock = TraceLimits.eventsPerBlock
    /// In a folder, bytes after which the next file begins; nil is never.
    public var bytesPerFile: Int64?
    /// In a folder, the time after which the next file begins; nil is never.
    public var timePerFile: Duration?
    /// The device of producers that name none; the empty name is the one of traces of one device.
    public var device = ""

    /// Makes options for a trace.
    public init(trace: String?) { self.trace = trace }

    /// What does not go together, in words; nil if all does.
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
    /// Events that stand in the trace.
    public var written = 0
    /// Events that were lost, whether the trace tells it yet or not; in the mode `overwrite` those that
    /// were overwritten so far, as a snapshot of this moment would tell.
    public var lost: UInt64 = 0
    /// Blocks of the trace.
    public var blocks = 0
    /// Bytes of the trace.
    public var bytes: Int64 = 0

    /// Makes the statistics of nothing.
    public init() {}
  }
}
