package import WakeEvents
package import WakeScheduling

/// How far the wakes of schedulers are from the best, as the reference gives it (rules, 10).
package enum BoundsRun {
  /// The figures of all devices.
  ///
  /// - Parameters:
  ///   - mostSizes: How many different gains are kept; few make several passes necessary.
  ///   - reportsEnds: Whether the ends of wakes are told, too.
  package static func figures(
    events: [Event], policy: Policy, symbols: Symbols, feeding: SchedulerRun.Feeding,
    accelerations: Accelerations, deadlines: [Int64] = BoundsFigures.deadlines,
    mostSizes: Int = GainCounter.usualSizes, reportsEnds: Bool = true
  ) -> [(device: Device, figures: BoundsFigures)] {
    SchedulerRun.byDevice(events).flatMap { device, events in
      func pass(_ tracker: BoundsTracker) -> [AppBounds] {
        var hasher = WakeHasher()
        var scheduler = SchedulerCore(
          policy: policy, symbols: symbols, device: symbols.devices.name(of: device),
          accelerations: accelerations.forBounds)
        scheduler.reportsEnds = reportsEnds
        scheduler.tellsInBatches = true
        scheduler.observeBounds(tracker)
        SchedulerRun.feed(
          events, to: &scheduler, &hasher, feeding, typeEnd: symbols.types.count
        ) { _, _ in }
        scheduler.close(&hasher) { _, _ in }
        return scheduler.foundBounds ?? []
      }
      var found = pass(BoundsTracker(deadlines: deadlines, mostSizes: mostSizes))
      while !found.allSatisfy(\.isFound) {
        found = pass(BoundsTracker(narrowing: found, mostSizes: mostSizes))
      }
      return found.map { (device, BoundsFigures($0)) }
    }
  }

  /// The first difference between two lists in words, or nil.
  package static func difference(
    _ figures: [(device: Device, figures: BoundsFigures)],
    from expected: [(device: Device, figures: BoundsFigures)]
  ) -> String? {
    for (one, other) in zip(figures, expected)
    where one.device != other.device || one.figures != other.figures {
      return "\(one.figures), should be \(other.figures)"
    }
    return figures.count == expected.count
      ? nil : "\(figures.count) apps, should be \(expected.count)"
  }
}

extension BoundsFigures {
  fileprivate init(_ bounds: AppBounds) {
    self.init(
      app: bounds.app, wakes: bounds.wakes, behind: bounds.behind,
      leastBehind: bounds.leastBehind, fewestWakes: bounds.fewestWakes,
      within: bounds.fewestWakesWithin)
  }
}
