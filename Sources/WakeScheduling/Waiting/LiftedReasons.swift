import WakeEvents

// Page Rules, 9.5: what if a reason never held? The rules are the same; policy and inputs are others.

extension WaitReason {
  /// The reasons that can be lifted: all but that the app is in the foreground, where nothing wakes it.
  package static let liftable = allCases.filter { $0.effectOfLifting != nil }

  /// What holds where the reason is lifted, in words; nil if it cannot be.
  package var effectOfLifting: String? {
    switch self {
    case .stopped: "no number of strikes stops an app"
    case .forceQuit: "a force-quit only terminates the app"
    case .locked: "a locked device keeps no health data back"
    case .budget: "there is no budget"
    case .backoff: "strikes delay no wake"
    case .period: "every subscription is immediate, whatever its frequency or cap"
    case .throttle: "any number of wakes may carry a push"
    case .status: "the refresh status is always available"
    case .network: "the network is always good"
    case .power: "the power is always good"
    case .foreground: nil
    case .inFlight: "every app answers each wake at the time at which it begins"
    case .unanswered:
      "what expired and aborted wakes carried stays delivered, and they are no strikes"
    }
  }
}

extension Policy {
  /// The policy under which reasons never hold (rules, 9.5), whatever follows from that.
  package func without(_ reasons: WaitReasons) -> Policy {
    var policy = self
    for reason in reasons { policy.lift(reason) }
    return policy
  }

  private mutating func lift(_ reason: WaitReason) {
    lifted.insert(reason)
    switch reason {
    case .stopped: maxStrikes = .max
    case .locked: lockBlocksHealth = false
    case .budget: budget = nil
    case .backoff: backoffMax = 0
    case .period:
      caps = [:]
      defaultCap = .immediate
      for place in subscriptions.indices { subscriptions[place].frequency = .immediate }
    case .throttle:
      // No wake lies in an empty window.
      pushWindow = 0
      pushLimit = max(1, pushLimit)
    case .inFlight: behaviour = Behaviour(completesAfter: 0)
    case .forceQuit, .status, .network, .power:
      // Only inputs bring these about.
      break
    case .unanswered:
      // `SchedulerCore.endWake` asks for it.
      break
    case .foreground:
      preconditionFailure("foreground cannot be lifted")
    }
  }
}

extension WaitReasons {
  /// The input that takes the place of one where these reasons are lifted.
  func edited(_ input: BriefInput) -> BriefInput {
    switch input.kind {
    case .enable where contains(.period): input.with(Frequency.immediate)
    case .forceQuit where contains(.forceQuit): input.terminating
    case .refreshStatus where contains(.status): input.with(RefreshStatus.available)
    case .network where contains(.network), .power where contains(.power): input.good
    default: input
    }
  }

  /// Reads a list of reasons that are to be lifted: words separated by commas. `lock` is `locked`, too.
  ///
  /// - Throws: ``UnliftableReason`` for a word that is no reason, or none that can be lifted.
  package init(lifting text: String) throws(UnliftableReason) {
    self.init()
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = word == "lock" ? WaitReason.locked.word : String(word)
      guard let reason = WaitReason.liftable.first(where: { $0.word == name }) else {
        throw UnliftableReason(word: String(word))
      }
      insert(reason)
    }
  }
}

/// A word in ``WaitReasons/init(lifting:)`` that is no reason that can be lifted.
package struct UnliftableReason: Error, CustomStringConvertible {
  package let word: String

  package var description: String {
    let words = WaitReason.liftable.map(\.word).joined(separator: ", ")
    return word == WaitReason.foreground.word
      ? "foreground cannot be lifted, as nothing wakes an app that is there; use \(words)"
      : "'\(word)' is not a reason that can be lifted: use words, separated by commas, of \(words)"
  }
}
