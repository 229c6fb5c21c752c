import CRouse
import WakeEvents
import WakeReplay
import WakeScheduling

/// Wakes that begin, as a scheduler tells of them (`rouse_wake_t`).
@safe
struct ToldWake {
  let time: Int64
  let apps: UnsafeBufferPointer<UInt32>
  let types: UnsafeBufferPointer<UInt32>
  /// The number of the push; 0 for none.
  let push: Int
  let refresh: Bool
  /// 0 where it is not known.
  let saves: UInt64
  let oldest: Int64
  /// When the apps answer, if it is known.
  let answer: Int64?

  @inline(__always)
  init(_ told: UnsafePointer<rouse_wake_t>) throws(Misdeed) {
    // Field by field, as a copy of all takes longer.
    let (count, typeCount) = unsafe (told.pointee.app_count, told.pointee.type_count)
    guard unsafe told.pointee.apps != nil, count > 0 else { throw Misdeed("a wake of no app") }
    // Of more there is no buffer.
    guard typeCount >= 0 else { throw Misdeed("a wake with \(UInt(bitPattern: typeCount)) types") }
    guard unsafe told.pointee.types != nil || typeCount == 0 else {
      throw Misdeed("a wake with types, and no array of them")
    }
    time = unsafe told.pointee.time
    unsafe apps = unsafe UnsafeBufferPointer(start: told.pointee.apps, count: count)
    unsafe types = unsafe UnsafeBufferPointer(start: told.pointee.types, count: typeCount)
    push = unsafe Int(told.pointee.push)
    refresh = unsafe told.pointee.refresh != 0
    saves = unsafe told.pointee.has_saves != 0 ? told.pointee.saves : 0
    oldest = unsafe told.pointee.oldest
    answer = unsafe told.pointee.is_answered != 0 ? told.pointee.answer : nil
  }
}

// What is kept of wakes for a wake log and for bounds, and what a scheduler tells in `finish`.
extension WakeLedger {
  /// Keeps what wakes carry until they end.
  mutating func keepContents(of told: ToldWake) {
    var carried = unsafe told.types.map { SampleType(index: $0) }
    if carried.count > 1 {
      let names = symbols.types
      carried.sort { ExactName(names.name(of: $0)) < ExactName(names.name(of: $1)) }
    }
    for place in unsafe told.apps.indices {
      let app = unsafe told.apps[place]
      if !carried.isEmpty { carriedTypes[Int(app)] = carried }
      if told.push > 0 { carriedPushes[Int(app)] = pushes[told.push - 1].id }
    }
  }

  mutating func keepChanges(_ told: ToldWake) {
    let types = unsafe told.types.map { SampleType(index: $0) }
    for place in unsafe told.apps.indices {
      let app = unsafe App(index: told.apps[place])
      changes.append(ToldChange(app: app, time: told.time, change: .began(types)))
    }
  }

  /// Keeps a wake that is over, or open at the end, for the log.
  mutating func keepOver(_ place: Int) {
    let wake = unsafe apps[place].wake
    let outcome = WakeOutcome(rawValue: UInt8(wake.outcome)) ?? .open
    over.append(
      Wake(
        number: wake.number, time: Timestamp(nanoseconds: wake.time),
        app: App(index: UInt32(place)), types: carriedTypes.removeValue(forKey: place) ?? [],
        saves: wake.saves,
        oldest: wake.saves > 0 ? Timestamp(nanoseconds: wake.oldest) : nil,
        push: carriedPushes.removeValue(forKey: place), refresh: wake.refresh != 0,
        outcome: outcome, end: outcome == .open ? nil : Timestamp(nanoseconds: wake.end)))
  }

  /// Keeps the wakes whose answers, told ahead, have come by a time.
  mutating func passAnswers(to time: Int64) {
    guard !givesAnswers, keepsWakes || keepsChanges else { return }
    while let answer = answers.first, answer.time <= time {
      answers.removeFirst()
      // Else it was taken back.
      guard unsafe apps[answer.app].wake.number == answer.wake,
        unsafe apps[answer.app].awakeUntil == answer.time
      else { continue }
      if keepsWakes { keepOver(answer.app) }
      guard keepsChanges else { continue }
      changes.append(
        ToldChange(
          app: App(index: UInt32(answer.app)), time: answer.time, change: .ended(.completed)))
    }
  }

  mutating func take(_ told: rouse_counts_t) throws(Misdeed) {
    counts.liveDeliveries = try count(told.live_deliveries, "live_deliveries")
    counts.ignoredCompletions = try count(told.ignored_completions, "ignored_completions")
    counts.rejectedRegistrations = try count(told.rejected_registrations, "rejected_registrations")
    counts.rejectedPushes = try count(told.rejected_pushes, "rejected_pushes")
    counts.pushesSuperseded = try count(told.pushes_superseded, "pushes_superseded")
    counts.pushesDiscarded = try count(told.pushes_discarded, "pushes_discarded")
    counts.pushesDeliveredLive = try count(told.pushes_delivered_live, "pushes_delivered_live")
  }

  private func count(_ told: UInt64, _ field: String) throws(Misdeed) -> Int {
    guard told <= mostCounted else {
      throw Misdeed("`\(field)` of \(told), after \(counts.inputs) inputs")
    }
    return Int(told)
  }

  mutating func take(_ told: rouse_app_state_t) throws(Misdeed) {
    let symbol = told.app
    let place = Int(symbol)
    guard unsafe place < apps.count, unsafe apps[place].place >= 0 else {
      throw Misdeed("the state of app number \(symbol), which no input of the device named")
    }
    let pending = try count(told.pending, "pending")
    unsafe counts.pendingAtEnd += pending - apps[place].pending
    unsafe apps[place].pending = pending
    if told.holds_push != 0, unsafe !apps[place].holdsPush {
      unsafe apps[place].holdsPush = true
      counts.pushesHeldAtEnd += 1
    }
    if told.is_stopped != 0, unsafe !apps[place].isStopped {
      unsafe apps[place].isStopped = true
      let app = symbols.apps.name(of: App(index: symbol))
      counts.stoppedApps.append(deviceName.isEmpty ? app : "\(deviceName)/\(app)")
    }
  }
}
