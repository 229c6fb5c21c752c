import WakeEvents
import WakeScheduling

extension RandomEvents {
  /// Inputs that lead somewhere only in this order; other times than the clock's are not theirs.
  mutating func drawScene(app: App, type: SampleType) -> [Input] {
    func save() -> Input { draw(.save, app: app, type: type) }
    let enable = Input.enable(app: app, type: type, frequency: .immediate)
    let complete = Input.complete(app: app, item: .everything, result: .newData)
    switch random.below(18) {
    case 0: return (0..<(3 + random.below(20))).map { _ in save() }
    case 1: return [.launch(app: app), enable, save(), .background(app: app), save()]
    case 2: return [.disableAll(app: app), enable, save(), save()]
    case 3:
      return [
        .forceQuit(app: app), save(), draw(.push, app: app, type: type), .launch(app: app),
        .background(app: app), save(), complete,
      ]
    case 4: return [.lock, save(), save(), .unlock, complete]
    case 5: return (0..<(2 + random.below(5))).map { _ in draw(.push, app: app, type: type) }
    case 6:
      // A new subscription has no last wake, so that its period does not delay this one.
      let disable = Input.disable(app: app, type: type)
      return [disable, enable, .save(Sample(type: type, source: sources[0])), disable, enable]
    case 7: return [enable, save(), save(), .terminate(app: app), save(), .terminate(app: app)]
    case 8: return [enable, save(), save(), complete, save(), complete]
    case 9: return [.reboot, .unlock, .launch(app: app), enable, .background(app: app), save()]
    case 10: return [enable, save(), .launch(app: app), save(), .background(app: app), save()]
    case 11, 12: return drawBackedOffWake(app: app, type: type)
    case 13, 14: return drawMeetingOfBounds(app: app, type: type)
    case 15 where refreshes: return drawRefreshes(app)
    default: return drawSharedWake(app)
    }
  }

  /// A wake for several types, and perhaps a push, whose items meet different ends.
  private mutating func drawSharedWake(_ app: App) -> [Input] {
    let push = draw(.push, app: app, type: type)
    var inputs: [Input] = [.launch(app: app)]
    inputs += types.map { .enable(app: app, type: $0, frequency: .immediate) }
    inputs += [.background(app: app), .lock]
    inputs += types.map { .save(Sample(type: $0, source: sources[0])) }
    if random.chance(30) { inputs.append(push) }
    inputs.append(.unlock)
    if random.chance(30) { inputs.append(push) }
    for type in types {
      switch random.below(8) {
      case 0: inputs.append(.disable(app: app, type: type))
      case 1: inputs.append(draw(.save, app: app, type: type))
      case 2: inputs.append(.terminate(app: app))
      case 3: inputs.append(.complete(app: app, item: .push, result: nil))
      default: inputs.append(.complete(app: app, item: .type(type), result: .newData))
      }
    }
    return inputs
  }

  /// After a strike, a push launches the app with its type; what becomes of each decides whether the
  /// strike is cleared, stays, or is joined by another (rules 5.3, 6.5, 6.6).
  private mutating func drawBackedOffWake(app: App, type: SampleType) -> [Input] {
    let save = Input.save(Sample(type: type, source: sources[0]))
    var inputs: [Input] = [.launch(app: app)]
    inputs += types.map { .enable(app: app, type: $0, frequency: .immediate) }
    inputs += [.unlock, .terminate(app: app), save, .terminate(app: app)]
    inputs.append(.push(app: app, Push(id: "backed off")))
    var items: [Input] = [
      .complete(app: app, item: .push, result: nil),
      random.chance(50)
        ? .disable(app: app, type: type)
        : .complete(app: app, item: .type(type), result: .noData),
    ]
    if random.chance(50) { items.reverse() }
    if random.chance(30) { items.removeLast() }
    inputs += items
    if random.chance(50) { inputs.append(.terminate(app: app)) }
    return inputs + [.enable(app: app, type: type, frequency: .immediate), save, save]
  }

  /// One query with one bound, and samples that lie at it and a nanosecond on either side.
  private mutating func drawMeetingOfBounds(app: App, type: SampleType) -> [Input] {
    let bound = clock.near(using: &random)
    var predicate = Predicate()
    if random.chance(50) {
      predicate.start = bound
      if random.chance(60) { predicate.strictStart = true }
    } else {
      predicate.end = bound
      if random.chance(60) { predicate.strictEnd = true }
    }
    var inputs: [Input] = [.enable(app: app, type: type, frequency: .immediate)]
    inputs += queries.map { .stop(app: app, query: $0) }
    inputs.append(.execute(app: app, query: queries[0], type: type, predicate: predicate))
    for _ in 0..<4 {
      var sample = Sample(type: type, source: random.pick(sources))
      sample.start = beside(bound)
      if random.chance(70) { sample.end = beside(bound) }
      inputs.append(.save(sample))
      if random.chance(50) { inputs.append(.complete(app: app, item: .everything, result: nil)) }
    }
    return inputs
  }

  private mutating func beside(_ time: Timestamp) -> Timestamp {
    let moved = time.nanoseconds + random.pick([-1, 0, 0, 1])
    return Timestamp.validRange.contains(moved) ? Timestamp(nanoseconds: moved) : time
  }

  /// Refreshes that are set, changed and ended, so that the last refresh is kept or begun anew.
  private mutating func drawRefreshes(_ app: App) -> [Input] {
    let good: [Input] = [
      .refreshStatus(app: app, .available), .network(isGood: true), .power(isGood: true),
      .launch(app: app), .background(app: app),
    ]
    let quick = Input.refreshInterval(app: app, .minimum)
    let save = Input.save(Sample(type: type, source: sources[0]))
    let middle: [Input] =
      random.chance(50) ? [.refreshInterval(app: app, .never), save] : [save]
    return good + [quick, save] + middle + [quick, save, save]
  }
}
