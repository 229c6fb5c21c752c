/// Why a wake came no sooner (rules, 9.2), in the order of the page's table.
package enum WaitReason: UInt8, CaseIterable, Sendable {
  case stopped, forceQuit, locked, budget, backoff, period, throttle, status, network, power
  case foreground, inFlight, unanswered

  /// The word in the wait log. Written out, as reflection takes a third of a millisecond of each command.
  package var word: String {
    switch self {
    case .stopped: "stopped"
    case .forceQuit: "forceQuit"
    case .locked: "locked"
    case .budget: "budget"
    case .backoff: "backoff"
    case .period: "period"
    case .throttle: "throttle"
    case .status: "status"
    case .network: "network"
    case .power: "power"
    case .foreground: "foreground"
    case .inFlight: "inFlight"
    case .unanswered: "unanswered"
    }
  }
}

/// A set of reasons.
package struct WaitReasons: Hashable, Sendable, Sequence {
  private var bits: UInt16

  /// Makes a set of some reasons.
  package init(_ reasons: WaitReason...) {
    bits = 0
    for reason in reasons { insert(reason) }
  }

  package var isEmpty: Bool { bits == 0 }
  /// The number of reasons.
  package var count: Int { bits.nonzeroBitCount }

  /// The first reason in the order of the page's table.
  package var first: WaitReason? { WaitReason(rawValue: UInt8(bits.trailingZeroBitCount)) }

  package func contains(_ reason: WaitReason) -> Bool { bits & 1 << reason.rawValue != 0 }

  package mutating func insert(_ reason: WaitReason) { bits |= 1 << reason.rawValue }

  mutating func insert(_ reason: WaitReason, if holds: Bool) {
    if holds { insert(reason) }
  }

  /// The reasons in the order of the page's table.
  package func makeIterator() -> Iterator { Iterator(bits: bits) }

  package struct Iterator: IteratorProtocol {
    fileprivate var bits: UInt16

    package mutating func next() -> WaitReason? {
      guard bits != 0 else { return nil }
      defer { bits &= bits - 1 }
      return WaitReason(rawValue: UInt8(bits.trailingZeroBitCount))
    }
  }
}
