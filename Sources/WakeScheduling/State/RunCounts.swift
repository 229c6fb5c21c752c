/// What a device's run has counted so far, of ``Summary``: what the rules count as they go. A fleet has one for each device.
struct RunCounts {
  // Those that most runs of saves count come first.
  var inputs = 0
  var saves = 0
  var deletes = 0
  var lateInputs = 0
  var wakes = 0
  var wakesWithHealth = 0
  var wakesWithPush = 0
  var wakesWithRefresh = 0
  var liveDeliveries = 0
  var ignoredCompletions = 0
  var rejectedRegistrations = 0
  var rejectedPushes = 0
  var pushesSuperseded = 0
  var pushesDiscarded = 0
  var pushesDeliveredLive = 0

  /// Counts that many wakes that carry the same.
  @inline(__always)
  mutating func addWake(_ contents: WakeContents, times count: Int) {
    wakes &+= count
    if contents.types > 0 { wakesWithHealth &+= count }
    if contents.hasPush { wakesWithPush &+= count }
    if contents.hasRefresh { wakesWithRefresh &+= count }
  }
}

extension Summary {
  /// Makes the summary of a run without what is counted at its end.
  init(_ counts: RunCounts) {
    inputs = counts.inputs
    saves = counts.saves
    deletes = counts.deletes
    lateInputs = counts.lateInputs
    liveDeliveries = counts.liveDeliveries
    ignoredCompletions = counts.ignoredCompletions
    rejectedRegistrations = counts.rejectedRegistrations
    rejectedPushes = counts.rejectedPushes
    pushesSuperseded = counts.pushesSuperseded
    pushesDiscarded = counts.pushesDiscarded
    pushesDeliveredLive = counts.pushesDeliveredLive
    wakes = counts.wakes
    wakesWithHealth = counts.wakesWithHealth
    wakesWithPush = counts.wakesWithPush
    wakesWithRefresh = counts.wakesWithRefresh
  }
}
