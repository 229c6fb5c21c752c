import CRouse
import Glibc
import WakeEvents
import WakeImport
import WakeScheduling

/// A policy as a scheduler gets it (`rouse_policy_t`), in memory of its own.
///
/// Unchecked: nothing changes it after `init`.
@safe
final class PolicyTable: @unchecked Sendable {
  @safe let pointer: UnsafeMutablePointer<rouse_policy_t>
  private let json: UnsafeMutablePointer<CChar>
  private let caps: UnsafeMutableBufferPointer<rouse_cap_t>
  private let subscriptions: UnsafeMutableBufferPointer<rouse_subscription_t>

  init(_ policy: Policy, symbols: Symbols) {
    let text = policy.json(preset: "ios")
    unsafe json = unsafe strdup(text)
    let caps = policy.caps.sorted { $0.key < $1.key }
    unsafe self.caps = .allocate(capacity: caps.count)
    for (place, cap) in caps.enumerated() {
      unsafe self.caps.initializeElement(
        at: place,
        to: rouse_cap_t(
          type: symbols.types.intern(cap.key.string).index, frequency: Int32(cap.value.rawValue)))
    }
    unsafe subscriptions = .allocate(capacity: policy.subscriptions.count)
    for (place, subscription) in policy.subscriptions.enumerated() {
      unsafe subscriptions.initializeElement(
        at: place,
        to: rouse_subscription_t(
          app: symbols.apps.intern(subscription.app).index,
          type: symbols.types.intern(subscription.type).index,
          frequency: Int32(subscription.frequency.rawValue)))
    }
    var table = unsafe rouse_policy_t()
    unsafe table.size = MemoryLayout<rouse_policy_t>.size
    unsafe table.json = unsafe UnsafePointer(json)
    unsafe table.json_length = text.utf8.count
    unsafe table.caps = unsafe UnsafePointer(self.caps.baseAddress)
    unsafe table.cap_count = caps.count
    unsafe table.subscriptions = unsafe UnsafePointer(subscriptions.baseAddress)
    unsafe table.subscription_count = policy.subscriptions.count
    unsafe table.fill(from: policy)
    pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: table)
  }

  deinit {
    unsafe pointer.deallocate()
    unsafe free(json)
    unsafe caps.deallocate()
    unsafe subscriptions.deallocate()
  }
}

extension rouse_policy_t {
  /// Sets the parameters that are numbers.
  fileprivate mutating func fill(from policy: Policy) {
    unsafe default_cap = Int32(policy.defaultCap.rawValue)
    let carry =
      switch policy.carry {
      case .launch: ROUSE_CARRY_LAUNCH
      case .due: ROUSE_CARRY_DUE
      case .always: ROUSE_CARRY_ALWAYS
      }
    unsafe self.carry = Int32(carry)
    unsafe force_quit_blocks_health = policy.forceQuitBlocksHealth ? 1 : 0
    unsafe lock_blocks_health = policy.lockBlocksHealth ? 1 : 0
    if let budget = policy.budget {
      unsafe has_budget = 1
      unsafe limit = Int32(budget.limit)
      unsafe limit_without_complication = Int32(budget.limitWithoutComplication)
      unsafe window = budget.window
    }
    unsafe max_strikes = Int32(policy.maxStrikes)
    unsafe push_limit = Int32(policy.pushLimit)
    unsafe push_window = policy.pushWindow
    unsafe completion_timeout = policy.completionTimeout
    unsafe backoff_base = policy.backoffBase
    unsafe backoff_factor = policy.backoffFactor
    unsafe backoff_max = policy.backoffMax
    unsafe minimum_refresh_interval = policy.minimumRefreshInterval
    if let answer = policy.behaviour.completesAfter {
      unsafe has_completes_after = 1
      unsafe completes_after = answer
    }
    unsafe cold_start = policy.behaviour.coldStart
    unsafe ignores_every = Int32(policy.behaviour.ignoresEvery)
  }
}
