import WakeEvents

/// What a run counted (rules, 7), for one device or summed over many. Its keys in JSON are its properties'
/// names, which are those of section 7 of the page Rules.
public struct Summary: Hashable, Codable, Sendable {
  /// Inputs taken, of every kind.
  public var inputs = 0
  /// Saves among them.
  public var saves = 0
  /// Deletes among them.
  public var deletes = 0
  /// Inputs whose time lay before the present (rule 4.1).
  public var lateInputs = 0
  /// Saves and deletes that an app in the foreground took at once (rules 5.1, 5.5).
  public var liveDeliveries = 0
  /// Completions with no wake in flight or nothing outstanding to answer (rule 5.4).
  public var ignoredCompletions = 0
  /// Enables that were rejected (rule 5.2).
  public var rejectedRegistrations = 0
  /// Pushes that are no background notification (rule 5.8).
  public var rejectedPushes = 0
  /// Held pushes that a newer one replaced (rule 5.8).
  public var pushesSuperseded = 0
  /// Pushes lost to a force-quit, an end of their app or a reboot (rules 5.7, 5.8).
  public var pushesDiscarded = 0
  /// Pushes that an app in the foreground got (rules 5.5, 5.8).
  public var pushesDeliveredLive = 0
  /// Pushes that still waited for a wake after the last input.
  public var pushesHeldAtEnd = 0
  /// Saves and deletes pending on subscriptions after the last input, without those in open wakes.
  public var pendingAtEnd = 0
  /// Wakes begun.
  public var wakes = 0
  /// Wakes that carried types.
  public var wakesWithHealth = 0
  /// Wakes that carried a push.
  public var wakesWithPush = 0
  /// Wakes that carried a refresh.
  public var wakesWithRefresh = 0
  /// Wakes that were answered, or ended by the user opening the app.
  public var completed = 0
  /// Wakes whose deadline passed.
  public var expired = 0
  /// Wakes cut off by the end of their app or a reboot.
  public var aborted = 0
  /// Wakes in flight after the last input.
  public var open = 0
  /// Apps stopped after `maxStrikes` strikes (rule 6.5), as `app` or `device/app`, sorted by UTF-8 bytes.
  public var stoppedApps: [String] = []
  /// The digest of the wakes.
  public var digest = Digest()

  /// Makes the summary of nothing.
  public init() {}
}

extension Summary {
  /// The counts by their keys, in the order of section 7 of the page Rules; `stoppedApps` and `digest` are no counts.
  public static let counts: [(key: String, path: any WritableKeyPath<Summary, Int> & Sendable)] = [
    ("inputs", \.inputs), ("saves", \.saves), ("deletes", \.deletes),
    ("lateInputs", \.lateInputs), ("liveDeliveries", \.liveDeliveries),
    ("ignoredCompletions", \.ignoredCompletions),
    ("rejectedRegistrations", \.rejectedRegistrations), ("rejectedPushes", \.rejectedPushes),
    ("pushesSuperseded", \.pushesSuperseded), ("pushesDiscarded", \.pushesDiscarded),
    ("pushesDeliveredLive", \.pushesDeliveredLive), ("pushesHeldAtEnd", \.pushesHeldAtEnd),
    ("pendingAtEnd", \.pendingAtEnd), ("wakes", \.wakes), ("wakesWithHealth", \.wakesWithHealth),
    ("wakesWithPush", \.wakesWithPush), ("wakesWithRefresh", \.wakesWithRefresh),
    ("completed", \.completed), ("expired", \.expired), ("aborted", \.aborted), ("open", \.open),
  ]

  /// Adds the counts of another run, of other devices, to these (rules, 7).
  ///
  /// - Complexity: O(s log s) in the number s of stopped apps of both.
  public mutating func add(_ other: Summary) {
    addInAnyOrder(other)
    if !other.stoppedApps.isEmpty {
      stoppedApps.sort { $0.precedes($1) }
    }
  }

  /// ``add(_:)`` without sorting the stopped apps.
  package mutating func addInAnyOrder(_ other: borrowing Summary) {
    // Written out: by their key paths it would take longer than most devices of a fleet.
    inputs += other.inputs
    saves += other.saves
    deletes += other.deletes
    lateInputs += other.lateInputs
    liveDeliveries += other.liveDeliveries
    ignoredCompletions += other.ignoredCompletions
    rejectedRegistrations += other.rejectedRegistrations
    rejectedPushes += other.rejectedPushes
    pushesSuperseded += other.pushesSuperseded
    pushesDiscarded += other.pushesDiscarded
    pushesDeliveredLive += other.pushesDeliveredLive
    pushesHeldAtEnd += other.pushesHeldAtEnd
    pendingAtEnd += other.pendingAtEnd
    wakes += other.wakes
    wakesWithHealth += other.wakesWithHealth
    wakesWithPush += other.wakesWithPush
    wakesWithRefresh += other.wakesWithRefresh
    completed += other.completed
    expired += other.expired
    aborted += other.aborted
    open += other.open
    if !other.stoppedApps.isEmpty { stoppedApps += other.stoppedApps }
    digest.value &+= other.digest.value
  }
}
