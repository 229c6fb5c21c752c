/// A reader and the bytes that it is fuzzed with.
///
/// ``run(_:)`` returns for every input: readers throw their typed errors, which are caught and, where that is cheap,
/// looked at. A trap is a finding, and so is a failed ``expect(_:_:)``: a second way to the same result differs.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// A trace file, whose lengths and checksums are repaired; scan, verification, queries, repacking.
  case trace
  /// The payloads of one block, whose headers are made to fit; all processor paths, and encoding again.
  case block
  /// A trace file, as in ``trace``, replayed; with accelerations and with none.
  case replay
  /// JSON Lines, read in chunks and at once, and written again.
  case jsonlines
  /// JSON Lines captured live, with a wrong line left out and the rest kept.
  case capture
  /// An Apple Health export, read in chunks and at once.
  case health
  /// A policy.
  case policy
  /// A worked case: a policy and JSON Lines, scheduled with accelerations and with none.
  case scheduler
  /// A result of `rouse replay --json`, merged with itself.
  case result
  /// A ring file that is recovered.
  case ring
  /// A ring file in a folder that `rouse record --attach` drains.
  case attach
  /// Times and anchors of the command line.
  case timestamp

  /// Gives the reader an input; returns whether it took something of it.
  @discardableResult
  public func run(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .trace: return TraceFuzz.read(bytes)
    case .block: return BlockFuzz.run(bytes)
    case .replay: return TraceFuzz.replay(bytes)
    case .jsonlines: return LinesFuzz.read(bytes)
    case .capture: return LinesFuzz.capture(bytes)
    case .health: return HealthFuzz.run(bytes)
    case .policy: return PolicyFuzz.run(bytes)
    case .scheduler: return SchedulerFuzz.run(bytes)
    case .result: return ResultFuzz.run(bytes)
    case .ring: return RingFuzz.recover(bytes)
    case .attach: return RingFuzz.attach(bytes)
    case .timestamp: return TimestampFuzz.run(bytes)
    }
  }
}

/// Traps if a property of the readers does not hold.
func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { fatalError(message()) }
}
