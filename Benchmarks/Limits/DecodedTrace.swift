import WakeEvents
import WakeScheduling
import WakeTrace

/// A trace decoded into memory, so that scheduling is measured without decoding.
struct DecodedTrace {
  struct Run {
    var block: Int
    var run: DeviceRun
    /// The index of the device, in the order of first appearance.
    var device: Int
    var isLast = false
  }

  let symbols = Symbols()
  private(set) var blocks: [InputColumns] = []
  /// The orderliness of each block.
  private var orderliness: [Orderliness?] = []
  private(set) var runs: [Run] = []
  private(set) var devices: [(hash: UInt64, runs: Int)] = []

  /// Decodes a trace of devices with one stream each.
  init(_ index: TraceIndex) throws {
    guard !index.devices.indices.contains(where: index.needsMerge) else {
      throw LimitsError("streams of a device overlap in time, which is not measured here")
    }
    let decoder = BlockDecoder(symbols: symbols)
    devices = index.devices.map { ($0.hash, 0) }
    for block in index.blocks {
      try decoder.decode(
        block.entry, of: index.files[block.file], details: index.startsPredicates)
      for (run, place) in zip(decoder.runs, block.devices) {
        devices[Int(place)].runs += 1
        let isLast = devices[Int(place)].runs == index.partCount(of: Int(place))
        runs.append(
          Run(block: blocks.count, run: run, device: Int(place), isLast: isLast))
      }
      orderliness.append(decoder.orderliness)
      blocks.append(decoder.takeColumns())
    }
  }

  /// Schedules all of it; returns the digest and the number of the wakes.
  func schedule(_ policy: Policy) -> (digest: Digest, wakes: Int) {
    var start = SchedulerCore(policy: policy, symbols: symbols)
    start.reportsEnds = false
    var hasher = WakeHasher()
    var schedulers = [DeviceScheduler?](repeating: nil, count: devices.count)
    var spare: DeviceScheduler?
    var summary = Summary()
    for run in runs {
      let device = devices[run.device]
      let current = schedulers[run.device] ?? spare.take() ?? DeviceScheduler(start)
      if schedulers[run.device] == nil {
        current.scheduler.restart(like: start, device: run.run.device, hash: device.hash)
        schedulers[run.device] = current
      }
      current.scheduler.take(
        blocks[run.block], rows: run.run.rows, orderliness: orderliness[run.block], &hasher
      ) { _, _ in }
      if run.isLast {
        summary.add(current.scheduler.close(&hasher) { _, _ in })
        spare = current
        schedulers[run.device] = nil
      }
    }
    return (Digest(value: hasher.takeDigest()), summary.wakes)
  }

  /// The sum of all times and types: a lower bound for every reader of the columns.
  func sum() -> Int64 {
    var sum: Int64 = 0
    for block in blocks {
      let (times, types) = (block.times.span, block.types.span)
      for row in times.indices { sum &+= times[row] &+ Int64(types[row]) }
    }
    return sum
  }

  /// The size of its columns in bytes by the model of ``ColumnEntropy``.
  func entropyBytes() -> Double {
    var entropy = ColumnEntropy()
    var blockRuns: [Range<Int>] = []
    for (place, run) in runs.enumerated() {
      blockRuns.append(run.run.rows)
      guard place + 1 == runs.count || runs[place + 1].block != run.block else { continue }
      entropy.add(blocks[run.block], runs: blockRuns)
      blockRuns.removeAll(keepingCapacity: true)
    }
    return entropy.bits / 8
  }

  /// Encodes all of it at a level of zlib, without details; returns the size of the blocks in bytes.
  func encode(level: Int) throws -> Int {
    let encoder = try BlockEncoder(symbols: symbols, level: level)
    var bytes = 0
    var blockRuns: [DeviceRun] = []
    for (place, run) in runs.enumerated() {
      blockRuns.append(run.run)
      guard place + 1 == runs.count || runs[place + 1].block != run.block else { continue }
      let block = try encoder.encode(
        blocks[run.block], runs: blockRuns, stream: 1, sequence: UInt32(run.block))
      bytes += block.scheduling.count
      blockRuns.removeAll(keepingCapacity: true)
    }
    return bytes
  }

  /// A scheduler on the heap, as an array cannot hold a noncopyable value.
  private final class DeviceScheduler {
    var scheduler: SchedulerCore

    init(_ start: borrowing SchedulerCore) {
      scheduler = SchedulerCore(like: start, device: nil, hash: 0)
    }
  }
}
