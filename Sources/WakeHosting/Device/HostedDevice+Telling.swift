import CProbes
import CRouse
import WakeEvents
import WakeScheduling

// What the scheduler tells.
extension HostedDevice {
  /// Wakes begin; returns 1 if the scheduler is to return before anything else happens.
  func began(_ wake: UnsafePointer<rouse_wake_t>) -> Int32 {
    let told = unsafe wake.pointee
    let (time, count) = unsafe (told.time, told.app_count)
    guard isPlausible(time, "a wake") else { return 1 }
    guard let names = unsafe told.apps, count > 0 else {
      fail("a wake of no app")
      return 1
    }
    wakesLeft -= count
    guard count <= order.count, wakesLeft >= 0 else {
      fail("wakes without end: more than any rules allow before the next input")
      return 1
    }
    guard let types = unsafe types(of: told), let push = unsafe pushHash(of: told) else { return 1 }
    let saves = unsafe told.has_saves != 0 ? Int(truncatingIfNeeded: told.saves) : 0
    let oldest = unsafe saves > 0 ? told.oldest : 0
    guard saves >= 0, saves <= counts.inputs + (1 << 32) else {
      fail("a wake with \(saves) saves")
      return 1
    }
    let refresh = unsafe told.refresh != 0
    let isAnswered = host.answersWakes
    for place in 0..<count {
      let symbol = unsafe names[place]
      let app = Int(symbol)
      guard unsafe app < apps.count, unsafe apps[app].place >= 0 else {
        fail("a wake of app number \(symbol), which no input of the device named")
        return 1
      }
      guard unsafe !apps[app].isAwake else {
        fail("a wake of \(name(App(index: symbol))), which is awake")
        return 1
      }
      counts.wakes += 1
      unsafe apps[app].isAwake = true
      unsafe apps[app].wakes += 1
      unsafe apps[app].carried += saves
      unsafe apps[app].wake = HashedWake(
        start: hashStart, number: counts.wakes, time: time, app: apps[app].nameHash, types: types,
        saves: saves, oldest: oldest, push: push, refresh: refresh ? 1 : 0)
      if isAnswered { answer(app, symbol) }
      rouse_probe_wake(time, UInt64(symbol), UInt64(counts.wakes), UInt64(saves))
    }
    awake += count
    earliestWake = min(earliestWake, time)
    if unsafe told.type_count > 0 { counts.wakesWithHealth += count }
    if push != 0 { counts.wakesWithPush += count }
    if refresh { counts.wakesWithRefresh += count }
    let cause =
      unsafe (told.type_count > 0 ? WakeFigures.health : 0)
      | (push != 0 ? WakeFigures.push : 0) | (refresh ? WakeFigures.refresh : 0)
    begun.append(
      WakeFigures(
        count: count, app: App(index: unsafe names[0]), number: counts.wakes - count + 1,
        time: time, saves: saves, waited: saves > 0 ? time - oldest : 0, cause: cause))
    if tellsWakes { unsafe keepTypes(of: told) }
    return mustReturn ? 1 : 0
  }

  /// The wakes of apps end.
  func ended(
    _ names: UnsafePointer<UInt32>?, _ count: Int, at time: Int64, _ outcome: Int32
  ) {
    guard isPlausible(time, "the end of a wake") else { return }
    guard (1...3).contains(outcome), let outcome = WakeOutcome(rawValue: UInt8(outcome)) else {
      return fail("the end of a wake with the unknown outcome \(outcome)")
    }
    guard let names = unsafe names, count > 0, count <= order.count else {
      return fail("the end of the wakes of \(count) apps")
    }
    for place in 0..<count {
      let symbol = unsafe names[place]
      let app = Int(symbol)
      guard unsafe app < apps.count, unsafe apps[app].place >= 0 else {
        return fail("the end of a wake of app number \(symbol), which no input of the device named")
      }
      guard unsafe apps[app].isAwake else {
        return fail("the end of a wake of \(name(App(index: symbol))), which is not awake")
      }
      unsafe apps[app].isAwake = false
      unsafe apps[app].wake.outcome = UInt64(outcome.rawValue)
      unsafe apps[app].wake.end = time
      unsafe note(outcome, of: &apps[app])
      keepOver(App(index: symbol), end: time)
    }
    awake -= count
  }

  private func note(_ outcome: WakeOutcome, of app: inout HostedApp) {
    switch outcome {
    case .completed:
      app.completed += 1
      counts.completed += 1
    case .expired:
      app.expired += 1
      counts.expired += 1
    case .aborted:
      app.aborted += 1
      counts.aborted += 1
      app.activity = .terminated
      return
    case .open: break
    }
    // A launch has made it `foreground` already, and an input that ends it is told of as aborted.
    if app.activity != .foreground { app.activity = .suspended }
  }

  /// Hashes a wake that is over, or open at the end, and keeps it for the log.
  func keepOver(_ app: App, end: Int64?) {
    let place = Int(app.index)
    unsafe hashes.add(apps[place].wake)
    guard tellsWakes else { return }
    let wake = unsafe apps[place].wake
    over.append(
      Wake(
        number: wake.number, time: Timestamp(nanoseconds: wake.time), app: app,
        types: carriedTypes.removeValue(forKey: place) ?? [], saves: wake.saves,
        oldest: wake.saves > 0 ? Timestamp(nanoseconds: wake.oldest) : nil,
        push: carriedPushes.removeValue(forKey: place), refresh: wake.refresh != 0,
        outcome: WakeOutcome(rawValue: UInt8(wake.outcome)) ?? .open,
        end: end.map { Timestamp(nanoseconds: $0) }))
  }

  /// Whether something may be told of now, at a time; notes why not.
  private func isPlausible(_ time: Int64, _ what: String) -> Bool {
    guard fault == nil else { return false }
    guard latestTold > .min else {
      fail("\(what) outside of take, input and advance")
      return false
    }
    guard time >= present else {
      fail(
        "\(what) at \(Timestamp(nanoseconds: time).iso8601), which is before the present, "
          + Timestamp(nanoseconds: present).iso8601)
      return false
    }
    guard time <= latestTold else {
      fail(
        "\(what) at \(Timestamp(nanoseconds: time).iso8601), which is after "
          + "\(Timestamp(nanoseconds: latestTold).iso8601), the time that it was given")
      return false
    }
    // Nothing is told of a time before what was told last.
    present = time
    return true
  }

  /// The sum of the hashes of a wake's types; nil if they are none.
  private func types(of wake: rouse_wake_t) -> UInt64? {
    let count = unsafe wake.type_count
    guard count > 0 else { return 0 }
    let known = shared.symbols.types.count
    guard let types = unsafe wake.types, count <= known else {
      fail("a wake with \(count) types")
      return nil
    }
    mark += 1
    var sum: UInt64 = 0
    for place in 0..<count {
      let type = unsafe Int(types[place])
      guard type < known else {
        fail("a wake with type number \(type), which there is not")
        return nil
      }
      while typeHashes.count <= type {
        typeHashes.append(
          shared.symbols.types.hash(of: SampleType(index: UInt32(typeHashes.count))))
        typeMarks.append(0)
      }
      guard typeMarks[type] != mark else {
        fail(
          "a wake with type \(shared.symbols.types.name(of: SampleType(index: UInt32(type))).shown) twice"
        )
        return nil
      }
      typeMarks[type] = mark
      sum &+= typeHashes[type]
    }
    return sum
  }

  /// The hash of the id of a wake's push, 0 without one; nil if there is no such push.
  private func pushHash(of wake: rouse_wake_t) -> UInt64? {
    let push = unsafe Int(wake.push)
    guard push > 0 else { return 0 }
    guard push <= pushes.count, unsafe wake.app_count == 1 else {
      fail("a wake with push number \(push), which there is not, or of several apps")
      return nil
    }
    return NameHash.of(pushes[push - 1])
  }

  private func keepTypes(of wake: rouse_wake_t) {
    var carried: [SampleType] = []
    if let types = unsafe wake.types {
      carried = (0..<(unsafe wake.type_count)).map { SampleType(index: unsafe types[$0]) }
      if carried.count > 1 {
        let names = shared.symbols.types
        carried.sort { ExactName(names.name(of: $0)) < ExactName(names.name(of: $1)) }
      }
    }
    for place in 0..<(unsafe wake.app_count) {
      guard let app = unsafe wake.apps?[place] else { return }
      if !carried.isEmpty { carriedTypes[Int(app)] = carried }
      let push = unsafe Int(wake.push)
      if push > 0 { carriedPushes[Int(app)] = pushes[push - 1] }
    }
  }

  /// Plans the answer of a modelled app to the wake that has begun (rule 6.4).
  private func answer(_ app: Int, _ symbol: UInt32) {
    let behaviour = host.policy.behaviour
    guard let after = behaviour.completesAfter,
      unsafe behaviour.ignoresEvery == 0 || apps[app].wakes % behaviour.ignoresEvery != 0
    else { return }
    let cold = unsafe apps[app].activity == .terminated ? behaviour.coldStart : 0
    let wake = unsafe apps[app].wake
    answers.add(
      ModelledAnswers.Answer(
        time: wake.time + after + cold, place: unsafe apps[app].place, app: app,
        wake: wake.number))
    mustReturn = true
  }

  func take(_ told: rouse_counts_t) {
    counts.liveDeliveries = Int(truncatingIfNeeded: told.live_deliveries)
    counts.ignoredCompletions = Int(truncatingIfNeeded: told.ignored_completions)
    counts.rejectedRegistrations = Int(truncatingIfNeeded: told.rejected_registrations)
    counts.rejectedPushes = Int(truncatingIfNeeded: told.rejected_pushes)
    counts.pushesSuperseded = Int(truncatingIfNeeded: told.pushes_superseded)
    counts.pushesDiscarded = Int(truncatingIfNeeded: told.pushes_discarded)
    counts.pushesDeliveredLive = Int(truncatingIfNeeded: told.pushes_delivered_live)
  }

  func take(_ told: rouse_app_state_t) {
    let symbol = told.app
    let place = Int(symbol)
    guard unsafe place < apps.count, unsafe apps[place].place >= 0 else {
      return fail("the state of app number \(symbol), which no input of the device named")
    }
    let pending = Int(truncatingIfNeeded: told.pending)
    unsafe counts.pendingAtEnd += pending - apps[place].pending
    unsafe apps[place].pending = pending
    if told.holds_push != 0, unsafe !apps[place].holdsPush {
      unsafe apps[place].holdsPush = true
      counts.pushesHeldAtEnd += 1
    }
    if told.is_stopped != 0, unsafe !apps[place].isStopped {
      unsafe apps[place].isStopped = true
      let app = shared.symbols.apps.name(of: App(index: symbol))
      counts.stoppedApps.append(deviceName.isEmpty ? app : "\(deviceName)/\(app)")
    }
  }
}
