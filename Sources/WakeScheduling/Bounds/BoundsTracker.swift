import WakeEvents

/// How far a device's wakes are from the best, so far (rules, 10): what a scheduler tells of arrivals and wakes, and of
/// when wakes are forbidden. A class, as few schedulers have one.
package final class BoundsTracker {
  /// What is known of an app.
  struct App {
    fileprivate let symbol: WakeEvents.App
    /// Wakes that carried a type.
    fileprivate var wakes = 0
    fileprivate var behind = BehindTime()
    fileprivate var episodes: ArrivalEpisodes
    /// Counts all gains; in a later pass those of the first range that is open.
    fileprivate var counter: GainCounter
    /// Counts those of the second range.
    fileprivate var otherCounter: GainCounter?

    /// Subscriptions of the app took a save or delete outside the foreground.
    @inline(__always)
    mutating func arrive(at time: Int64) {
      count(episodes.arrive(at: time))
    }

    fileprivate mutating func carry(at time: Int64, leavesSome: Bool) {
      wakes += 1
      behind.carry(at: time, leavesSome: leavesSome)
    }

    @inline(__always)
    fileprivate mutating func count(_ gain: Int64) {
      guard gain > 0 else { return }
      counter.add(gain)
      otherCounter?.add(gain)
    }
  }

  private let deadlines: [Int64]
  private let keepsCurve: Bool
  /// Whether ``gains`` are asked for instead of ``found``.
  private let keepsGains: Bool
  private let mostSizes: Int
  /// What an earlier pass has left open, by app; nil in the first pass.
  private let earlier: [WakeEvents.App: AppBounds]?
  /// By app number.
  private var apps = UncheckedArray<App>()
  /// Since when the lock of the device forbids all wakes; nil if it does not.
  private var lockedSince: Int64?

  /// Makes a tracker for a scheduler without inputs so far.
  ///
  /// - Parameters:
  ///   - deadlines: The deadlines of rule 10.5, in nanoseconds.
  ///   - keepsCurve: Whether ``AppBounds/curve`` is asked for.
  ///   - mostSizes: As for ``GainCounter/init(_:mostSizes:)``.
  package init(
    deadlines: [Int64], keepsCurve: Bool = false, mostSizes: Int = GainCounter.usualSizes
  ) {
    self.deadlines = deadlines
    self.keepsCurve = keepsCurve
    keepsGains = false
    self.mostSizes = mostSizes
    earlier = nil
  }

  /// Makes a tracker that finds ``gains`` alone, for a scheduler without inputs so far.
  package init(keepingGains mostSizes: Int = GainCounter.usualSizes) {
    deadlines = []
    keepsCurve = false
    keepsGains = true
    self.mostSizes = mostSizes
    earlier = nil
  }

  /// Makes a tracker for another pass over the inputs of a device.
  ///
  /// - Parameter bounds: What the pass before found; some are not ``AppBounds/isFound``.
  package init(narrowing bounds: [AppBounds], mostSizes: Int = GainCounter.usualSizes) {
    deadlines = []
    keepsCurve = false
    keepsGains = false
    self.mostSizes = mostSizes
    earlier = Dictionary(uniqueKeysWithValues: bounds.map { ($0.app, $0) })
  }

  /// What was found, after the scheduler was closed, in the order of app numbers: of apps with an arrival or a wake that
  /// carried a type (rule 10.6), in another pass of those given.
  package private(set) var found: [AppBounds] = []
  /// What wakes could gain, whatever the schedule, if that was asked for: of apps with an arrival.
  package private(set) var gains: [AppGains] = []

  // MARK: - What the scheduler tells

  /// The number of apps known.
  var appCount: Int { apps.count }

  /// Makes the next app number known.
  func append(_ symbol: WakeEvents.App) {
    // In a later pass nothing is counted for an app of which all is found.
    let nothing = Int64.max...Int64.max
    let ranges = earlier.map { $0[symbol]?.openRanges ?? [] } ?? [GainCounter.everything]
    let counters = ranges.map { GainCounter($0, mostSizes: mostSizes) }
    apps.append(
      App(
        symbol: symbol,
        episodes: ArrivalEpisodes(deadlines: deadlines, blockedSince: lockedSince),
        counter: counters.first ?? GainCounter(nothing),
        otherCounter: counters.dropFirst().first))
  }

  /// Takes out the state of all apps, by app number. Call ``putBack(_:)`` before anything else. Swift then checks exclusive
  /// access once for many arrivals.
  func takeApps() -> UncheckedArray<App> { apps.take() }

  /// Puts back what was taken out.
  func putBack(_ apps: consuming UncheckedArray<App>) { self.apps = apps }

  /// Whether something is known to be owed to an app; nil for one that the present input has made known, which is not in
  /// ``apps`` yet and is owed nothing.
  func isOwed(_ app: Int) -> Bool? { app < apps.count ? apps[app].behind.isOwed : nil }

  /// Notes the time of the oldest save or delete that is owed to an app; `Int64.max` if nothing is.
  func owe(_ app: Int, since time: Int64) {
    checkKnown(app)
    apps[app].behind.owe(since: time)
  }

  /// A wake begins that carries a type.
  func carry(_ app: Int, at time: Int64, leavesSome: Bool) {
    checkKnown(app)
    apps[app].carry(at: time, leavesSome: leavesSome)
  }

  /// Saves of the last wake come back (rule 6.5).
  func giveBack(_ app: Int) {
    checkKnown(app)
    apps[app].behind.giveBack()
  }

  private func checkKnown(_ app: Int) {
    precondition(app < apps.count, "app \(app) is not among the \(apps.count) that have bounds")
  }

  /// A launch or the disabling of a subscription ends the episode (rule 10.2).
  ///
  /// - Parameter leavesSome: Whether anything is pending still.
  func endEpisode(_ app: Int, at time: Int64, leavesSome: Bool) {
    // An app that this very input makes known has nothing to end.
    guard app < apps.count else { return }
    if !leavesSome { apps[app].behind.settle(at: time) }
    apps[app].count(apps[app].episodes.end(at: time))
  }

  /// The device's lock, after an input (rule 10.3).
  func setLocked(_ isLocked: Bool, at time: Int64) {
    if isLocked != (lockedSince != nil) { lockedSince = isLocked ? time : nil }
  }

  /// Whether wakes of an app for health data are forbidden by inputs, after an input (rule 10.3).
  func setBlocked(_ isBlocked: Bool, _ app: Int, at time: Int64) {
    checkKnown(app)
    apps[app].episodes.setBlocked(isBlocked, at: time)
  }

  /// The last input was at `time`.
  func close(at time: Int64) {
    for app in apps.indices { endEpisode(app, at: time, leavesSome: false) }
    for place in apps.indices { addResult(of: apps[place]) }
  }

  /// Adds what was found of an app to ``gains`` or ``found``.
  private func addResult(of app: borrowing App) {
    if keepsGains {
      guard app.episodes.hasArrivals else { return }
      gains.append(AppGains(app: app.symbol, gaps: app.episodes.gaps, cells: app.counter.cells))
    } else if let earlier {
      guard var bounds = earlier[app.symbol] else { return }
      bounds.narrow(to: [app.counter.cells, app.otherCounter?.cells ?? []])
      found.append(bounds)
    } else if app.episodes.hasArrivals || app.wakes > 0 {
      found.append(
        AppBounds(
          app: app.symbol, wakes: app.wakes, behind: app.behind.total, gaps: app.episodes.gaps,
          fewestWakesWithin: app.episodes.covers.wakes, gains: app.counter.cells,
          keepsCurve: keepsCurve))
    }
  }
}
