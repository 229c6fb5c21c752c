import WakeEvents
import WakeReplay
import WakeScheduling
import WakeSweeping
import WakeTrace

/// Trace files.
///
///     repairs (1)  what reads it (1)  the file
enum TraceFuzz {
  private static func file(_ bytes: [UInt8]) -> (reader: UInt8, file: TraceFile)? {
    var input = InputBytes(bytes)
    let repairs = TraceRepair.Repairs(rawValue: input.byte())
    let reader = input.byte()
    let trace = TraceRepair.repaired(Array(input.rest), repairs)
    guard let file = try? TraceFile(path: MemoryFile.shared.hold(trace)) else { return nil }
    return (reader, file)
  }

  static func read(_ bytes: [UInt8]) -> Bool {
    guard let (reader, file) = file(bytes) else { return false }
    switch reader % 5 {
    case 0: return scan(file)
    case 1: return verify(file)
    case 2: return (try? TraceInfo(of: file)) != nil
    case 3: return query(file, limit: Int(reader >> 4))
    default: return repack(file)
    }
  }

  /// Decodes every block that can be found.
  private static func scan(_ file: TraceFile) -> Bool {
    var scan = BlockScan(file)
    let decoder = BlockDecoder(symbols: Symbols())
    var skipped: Int64 = 0
    var events = 0
    scanning: while true {
      do throws(TraceError) {
        guard let block = try scan.next() else { break scanning }
        expect(block.offset + Int64(block.length) <= file.length, "a block exceeds its file")
        do throws(TraceError) {
          try decoder.decode(block, of: file, details: true, observations: true)
          expect(decoder.columns.count == block.eventCount, "a block has other events")
          events += decoder.columns.count
        } catch let error {
          expect(error.offset != nil, "\(error) has no place")
        }
      } catch {
        guard let stray = try? scan.resume() else { break scanning }
        skipped += stray
      }
    }
    expect(skipped <= file.length, "more is skipped than there is")
    return events > 0
  }

  /// A trace without faults can be read to its end.
  private static func verify(_ file: TraceFile) -> Bool {
    let found = TraceVerification(of: file)
    guard found.isWhole else { return false }
    let symbols = Symbols()
    var scan = BlockScan(file)
    let decoder = BlockDecoder(symbols: symbols)
    var events = 0
    do {
      while let block = try scan.next() {
        try decoder.decode(block, of: file, details: true, observations: true)
        events += decoder.columns.count
      }
    } catch {
      fatalError("a whole trace cannot be read: \(error)")
    }
    expect(events == found.events, "\(events) events, not \(found.events)")
    return true
  }

  private static func query(_ file: TraceFile, limit: Int) -> Bool {
    for order in SampleQuery.Order.allCases {
      _ = try? SampleQuery(order: order, limit: limit).run(on: file, symbols: Symbols()) { _ in }
    }
    let query = AnchoredQuery(anchor: TraceAnchor(eventsBefore: limit), limit: limit)
    return (try? query.run(on: file, symbols: Symbols()) { _ in }) != nil
  }

  private static func repack(_ file: TraceFile) -> Bool {
    guard let output = try? FileOutput(path: "/dev/null") else { fatalError("no /dev/null") }
    return (try? TraceRepacker(to: output, level: 1).repack(file)) != nil
  }

  static func replay(_ bytes: [UInt8]) -> Bool {
    guard let (reader, file) = file(bytes) else { return false }
    var options = ReplayOptions()
    options.policy = reader & 1 > 0 ? .iOS : .watchOS
    options.keepsGoing = reader & 2 > 0
    options.skipsQuiet = reader & 4 > 0
    options.measuresLatency = false
    let result = try? Replayer(files: [file], options: options).run()
    guard let result else { return false }
    if reader & 8 > 0 { sweep(file, options.policy, alone: result) }
    guard TraceVerification(of: file).isWhole else { return true }
    options.accelerations = []
    options.skipsQuiet = false
    guard let plain = try? Replayer(files: [file], options: options).run() else {
      fatalError("a replay without accelerations fails, and one with them does not")
    }
    expect(result.digest == plain.digest, "accelerations change the digest")
    expect(result.summary == plain.summary, "accelerations change the summary")
    return true
  }

  /// A sweep's rows are replays alone, and a comparison's, too.
  private static func sweep(_ file: TraceFile, _ policy: Policy, alone: ReplayResult) {
    let policies = [policy, .iOS, .watchOS].map { SweptPolicy(values: ["-"], policy: $0) }
    let sweep = Sweep(files: [file], parameters: ["preset"], policies: policies, options: .init())
    if let swept = try? sweep.run() {
      expect(swept.rows[0].summary.digest == alone.digest, "a sweep changes the digest")
    }
    let compared = try? PolicyComparison(
      files: [file], policy, against: .watchOS, threads: 1, accelerations: .all)
    if let compared {
      expect(compared.digests.first == alone.digest, "a comparison changes the digest")
    }
    let captures = try? CaptureComparison(file, file, policy, accelerations: .all)
    if let captures { expect(captures.first.digest == alone.digest, "captures change the digest") }
  }
}
