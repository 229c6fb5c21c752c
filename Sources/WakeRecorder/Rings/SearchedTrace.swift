import WakeTrace

/// The blocks of a trace in which a block is looked for that a killed writer may have written. The trace is searched once,
/// for all rings of a file.
struct SearchedTrace {
  let identity: SystemCalls.Identity
  private let trace: TraceFile
  /// By stream and sequence.
  private var blocks: [UInt64: [UInt32: BlockEntry]] = [:]

  /// So many bytes that are no blocks end the search: whoever owns a ring file chooses its trace, and how long that is.
  private static let mostStrayBytes: Int64 = 64 << 20

  /// Searches a trace; nil if too much of it is none.
  ///
  /// - Complexity: O(blocks), and up to 64 MiB of other bytes.
  init?(_ trace: TraceFile, _ identity: SystemCalls.Identity) throws(TraceError) {
    (self.trace, self.identity) = (trace, identity)
    var scan = BlockScan(trace)
    var stray: Int64 = 0
    while true {
      do throws(TraceError) {
        guard let block = try scan.next() else { return }
        blocks[block.header.stream, default: [:]][block.header.sequence] = block
      } catch {
        stray += try scan.resume(within: Self.mostStrayBytes - stray)
        guard stray < Self.mostStrayBytes else { return nil }
      }
    }
  }

  /// Whether the trace has a block, whole.
  func has(_ stream: UInt64, _ sequence: UInt32) -> Bool {
    guard let block = blocks[stream]?[sequence] else { return false }
    var checker = BlockChecker(trace)
    return checker.faults(of: block).isEmpty
  }
}
