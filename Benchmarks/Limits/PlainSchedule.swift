import PlainLoop
import WakeEvents
import WakeScheduling
import WakeTrace

/// Scheduling of a decoded trace by a plain loop in C, which supports one device and a policy with one app that is hourly
/// on every type, has no budget, and answers in time.
@safe final class PlainSchedule {
  private let trace: DecodedTrace
  private let app: UnsafeMutablePointer<plain_app>
  private let types: UnsafeMutableBufferPointer<plain_type>

  /// Makes the loop's state; nil if the loop does not support the trace or the policy.
  init?(_ trace: DecodedTrace, _ policy: Policy) {
    let onlySamples = trace.blocks.allSatisfy { $0.others.isEmpty }
    guard onlySamples, trace.devices.count == 1,
      let completesAfter = Self.hourlyAnswer(policy, of: trace)
    else { return nil }
    self.trace = trace
    unsafe types = .allocate(capacity: trace.symbols.types.count)
    for type in 0..<trace.symbols.types.count {
      let hash = trace.symbols.types.hash(of: SampleType(index: UInt32(type)))
      unsafe types.initializeElement(
        at: type, to: plain_type(count: 0, carried: 0, oldest: 0, last_wake: 0, hash: hash))
    }
    unsafe app = .allocate(capacity: 1)
    unsafe app.initialize(to: plain_app())
    unsafe app.pointee.types = types.baseAddress
    unsafe app.pointee.type_count = types.count
    unsafe app.pointee.device_hash = trace.devices[0].hash
    unsafe app.pointee.app_hash = NameHash.of(policy.subscriptions[0].app)
    unsafe app.pointee.period = Frequency.hourly.period
    unsafe app.pointee.completes_after = completesAfter
    unsafe app.pointee.cold_start = policy.behaviour.coldStart
  }

  deinit {
    unsafe app.deallocate()
    unsafe types.deallocate()
  }

  /// The time from a wake to its answer; nil if the loop does not support the policy.
  private static func hourlyAnswer(_ policy: Policy, of trace: DecodedTrace) -> Int64? {
    let behaviour = policy.behaviour
    let app = policy.subscriptions.first?.app
    let types = Set(policy.subscriptions.map(\.type))
    guard let completesAfter = behaviour.completesAfter, behaviour.ignoresEvery == 0,
      completesAfter + behaviour.coldStart < policy.completionTimeout, policy.budget == nil,
      policy.carry == .launch, types.count == trace.symbols.types.count,
      policy.subscriptions.allSatisfy({ $0.app == app && $0.frequency == .hourly }),
      policy.defaultCap == .immediate
    else { return nil }
    return completesAfter
  }

  /// Schedules the trace; returns the digest of the wakes.
  var digest: Digest {
    unsafe plain_begin(app)
    for run in trace.runs {
      let rows = run.run.rows
      unsafe trace.blocks[run.block].times.withUnsafeBufferPointer { times in
        unsafe trace.blocks[run.block].types.withUnsafeBufferPointer { types in
          guard let times = times.baseAddress, let types = types.baseAddress else { return }
          unsafe plain_feed(app, times + rows.lowerBound, types + rows.lowerBound, rows.count)
        }
      }
    }
    return unsafe Digest(value: plain_end(app))
  }

  /// The stage for ``Rounds``.
  var stage: Stage { Stage(name: "schedule in C") { self.digest.value } }
}
