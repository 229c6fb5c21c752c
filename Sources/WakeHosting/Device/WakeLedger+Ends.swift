import WakeEvents
import WakeReplay
import WakeScheduling

// How wakes end.
extension WakeLedger {
  /// The wakes of apps end.
  mutating func end(
    _ symbols: UnsafeBufferPointer<UInt32>, at time: Int64, _ number: Int32
  ) throws(Misdeed) {
    try pass(to: time, "the end of a wake")
    guard (1...3).contains(number), let outcome = WakeOutcome(rawValue: UInt8(number)) else {
      throw Misdeed("the end of a wake with the unknown outcome \(number)")
    }
    let count = symbols.count
    guard count > 0, count <= order.count else {
      throw Misdeed("the end of the wakes of \(count) apps")
    }
    passAnswers(to: time)
    dissolveGroup()
    for place in symbols.indices {
      let symbol = unsafe symbols[place]
      let app = Int(symbol)
      guard unsafe app < apps.count, unsafe apps[app].place >= 0 else {
        throw Misdeed(
          "the end of a wake of app number \(symbol), which no input of the device named")
      }
      // The answer that was told ahead.
      if outcome == .completed, unsafe apps[app].awakeUntil == time { continue }
      guard unsafe apps[app].awakeUntil > time else {
        throw Misdeed("the end of a wake of \(name(App(index: symbol))), which is not awake")
      }
      takeBackAnswer(app)
      awake -= 1
      unsafe apps[app].awakeUntil = .min
      unsafe apps[app].wake.outcome = UInt64(outcome.rawValue)
      unsafe apps[app].wake.end = time
      note(outcome, of: app)
      unsafe hashes.add(apps[app].wake)
      if keepsWakes { keepOver(app) }
      if keepsChanges {
        changes.append(ToldChange(app: App(index: symbol), time: time, change: .ended(outcome)))
      }
    }
  }

  /// Takes back an answer that was told ahead: the wake is in flight.
  private mutating func takeBackAnswer(_ app: Int) {
    guard unsafe apps[app].awakeUntil != .max else { return }
    unsafe hashes.remove(apps[app].wake)
    unsafe apps[app].completed -= 1
    counts.completed -= 1
    awake += 1
    unsafe apps[app].awakeUntil = .max
  }

  private mutating func note(_ outcome: WakeOutcome, of app: Int) {
    switch outcome {
    case .completed:
      unsafe apps[app].completed += 1
      counts.completed += 1
    case .expired:
      unsafe apps[app].expired += 1
      counts.expired += 1
    case .aborted:
      unsafe apps[app].aborted += 1
      counts.aborted += 1
      unsafe apps[app].activity = .terminated
      return
    case .open: break
    }
    // A launch has made it `foreground` already, and an input that ends it is told of as aborted.
    if unsafe apps[app].activity != .foreground { unsafe apps[app].activity = .suspended }
  }

  /// Finds a wake whose deadline has passed (rule 6.3), as whoever never ends wakes says so nowhere.
  mutating func checkEnds() throws(Misdeed) {
    let timeout = policy.completionTimeout
    guard awake > 0, earliestWake <= present - timeout else { return }
    earliestWake = .max
    for app in order {
      let state = unsafe apps[Int(app.index)]
      guard state.awakeUntil == .max else { continue }
      if state.wake.time + timeout < present {
        let time = Timestamp(nanoseconds: state.wake.time).iso8601
        throw Misdeed(
          "the wake of \(name(app)) at \(time) has not ended, and its deadline (rule 6.3) has passed"
        )
      }
      earliestWake = min(earliestWake, state.wake.time)
    }
  }

  /// Ends the device: wakes in flight are open.
  mutating func close() -> Summary {
    passAnswers(to: present)
    dissolveGroup()
    for app in order {
      let place = Int(app.index)
      guard isAwake(app) else { continue }
      takeBackAnswer(place)
      unsafe apps[place].wake.outcome = UInt64(WakeOutcome.open.rawValue)
      unsafe apps[place].wake.end = 0
      unsafe hashes.add(apps[place].wake)
      if keepsWakes { keepOver(place) }
      counts.open += 1
    }
    counts.digest.value = hashes.take()
    return counts
  }

  /// Whether a wake of the app is in flight at the present.
  func isAwake(_ app: App) -> Bool { unsafe apps[Int(app.index)].awakeUntil > present }
}
