import AllocationHooks
import WakeEvents
import WakeScheduling
import WakeTrace

/// The allocations of a replay of one device, once its buffers are warm.
enum WarmAllocations {
  /// The allocations of a second pass over all blocks, each decoded and scheduled; nil where they cannot be
  /// counted, or if there are several devices.
  static func count(_ index: TraceIndex, _ policy: Policy) throws -> UInt64? {
    guard rouse_allocation_hooks_are_active(), index.devices.count == 1 else { return nil }
    let symbols = Symbols()
    let decoder = BlockDecoder(symbols: symbols)
    var start = SchedulerCore(policy: policy, symbols: symbols)
    start.reportsEnds = false
    var scheduler = SchedulerCore(like: start, device: nil, hash: 0)
    var hasher = WakeHasher()
    var before: UInt64 = 0
    for _ in 0..<2 {
      before = rouse_allocation_count()
      scheduler.restart(like: start, device: nil, hash: 0)
      for block in index.blocks {
        try decoder.decode(block.entry, of: index.files[block.file])
        for run in decoder.runs {
          scheduler.take(
            decoder.columns, rows: run.rows, orderliness: decoder.orderliness, &hasher
          ) { _, _ in }
        }
      }
    }
    return rouse_allocation_count() - before
  }
}
