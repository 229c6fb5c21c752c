import WakeTrace

/// Blocks that a killed writer may have written, as found in a trace. The trace is searched once, for all rings of a file.
struct SearchedTrace {
  /// A block by what no other block has.
  struct BlockNumber: Hashable {
    let stream: UInt64
    let sequence: UInt32
  }

  let identity: SystemCalls.Identity
  /// Nil if it is empty.
  private let trace: TraceFile?
  /// Those that are there; memory does not grow with the trace.
  private var found: [BlockNumber: BlockEntry] = [:]

  /// So many bytes that are no blocks end the search: whoever owns a ring file chooses its trace, and how long that is.
  private static let mostStrayBytes: Int64 = 64 << 20

  /// A trace without a block.
  init(empty identity: SystemCalls.Identity) { (trace, self.identity) = (nil, identity) }

  /// Searches a trace for some blocks; nil if too much of it is no block.
  ///
  /// - Complexity: O(blocks), and up to 64 MiB of other bytes.
  init?(
    _ trace: TraceFile, _ identity: SystemCalls.Identity, for wanted: Set<BlockNumber>
  ) throws(TraceError) {
    (self.trace, self.identity) = (trace, identity)
    var scan = BlockScan(trace)
    var stray: Int64 = 0
    while true {
      do throws(TraceError) {
        guard let block = try scan.next() else { return }
        let number = BlockNumber(stream: block.header.stream, sequence: block.header.sequence)
        if wanted.contains(number) { found[number] = block }
      } catch {
        stray += try scan.resume(within: Self.mostStrayBytes - stray)
        guard stray < Self.mostStrayBytes else { return nil }
      }
    }
  }

  /// Whether the trace has a block that was looked for, whole.
  func has(_ number: BlockNumber) -> Bool {
    guard let trace, let block = found[number] else { return false }
    var checker = BlockChecker(trace)
    return checker.faults(of: block).isEmpty
  }
}

extension RingProgress {
  /// The last block before it.
  var lastBlock: SearchedTrace.BlockNumber {
    SearchedTrace.BlockNumber(stream: stream, sequence: UInt32(sequence - 1))
  }
}
