import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeSweeping

/// A trace and policies that are swept over it.
struct SweepScene {
  let folder: ScratchFolder
  let trace: TraceFile

  static let devices = ["", "watch", "phone", "pad/2"]

  /// Random inputs of a seed, spread over devices.
  init(_ random: RandomInputs) throws {
    folder = try ScratchFolder()
    var devices = SplitMix64(seed: random.seed &+ 77)
    let symbols = random.symbols
    let names = Self.devices.map(symbols.devices.intern)
    let events = random.events.compactMap { event -> Event? in
      // JSON Lines cannot hold it.
      if case .push(_, let push) = event.input, let aps = push.aps, aps.contentAvailable == nil,
        aps.json.contains("content-available")
      {
        return nil
      }
      return Event(time: event.time, device: devices.pick(names), input: event.input)
    }
    let lines = folder.file("inputs.jsonl")
    try Data(CasePrinter.inputText(events, symbols: symbols).utf8).write(to: URL(filePath: lines))
    let output = try FileOutput(path: folder.file("trace"))
    _ = try TraceImport(.jsonLines).run(try InputFile(path: lines), to: output)
    try output.commit()
    trace = try TraceFile(path: folder.file("trace"))
  }

  func sweep(
    _ policies: [Policy], change: (inout Sweep.Options) -> Void = { _ in }
  ) throws -> SweepResult {
    var options = Sweep.Options()
    change(&options)
    let rows = policies.enumerated().map {
      SweptPolicy(values: [String($0.offset)], policy: $0.element)
    }
    return try Sweep(
      files: [trace], parameters: ["number"], policies: rows, options: options
    ).run()
  }

  /// A replay alone, with its bounds.
  func replay(_ policy: Policy, bounds: Bool = true) throws -> ReplayResult {
    var options = ReplayOptions()
    options.policy = policy
    options.measuresLatency = false
    if bounds { options.bounds = .init() }
    return try Replayer(files: [trace], options: options).run()
  }
}

extension RandomInputs {
  /// Variants of its policy: each differs in some parts, which often do not matter.
  func variants(_ count: Int) -> [Policy] {
    var random = SplitMix64(seed: seed &+ 1_234)
    return (0..<count).map { number in
      var policy = policy
      guard number > 0 else { return policy }
      // The policies of other seeds are drawn from the same few values.
      let other = RandomInputs(seed: random.next(), count: 1).policy
      for part in 0..<10 where random.chance(25) {
        switch part {
        case 0: policy.budget = other.budget
        case 1: policy.completionTimeout = other.completionTimeout
        case 2: policy.maxStrikes = other.maxStrikes
        case 3:
          policy.backoffBase = other.backoffBase
          policy.backoffFactor = other.backoffFactor
        case 4: policy.backoffMax = other.backoffMax
        case 5: (policy.pushLimit, policy.pushWindow) = (other.pushLimit, other.pushWindow)
        case 6: policy.carry = other.carry
        case 7: policy.minimumRefreshInterval = other.minimumRefreshInterval
        case 8: policy.behaviour.ignoresEvery = other.behaviour.ignoresEvery
        default:
          policy.lockBlocksHealth = other.lockBlocksHealth
          policy.forceQuitBlocksHealth = other.forceQuitBlocksHealth
          policy.defaultCap = other.defaultCap
        }
      }
      if random.chance(30), var budget = policy.budget {
        budget.limit = random.pick([1, 2, 4, 9, 1000])
        budget.limitWithoutComplication = random.pick([1, 2, 4, 9, 1000])
        policy.budget = budget
      }
      return policy
    }
  }
}
