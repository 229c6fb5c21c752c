import WakeEvents
import WakeScheduling
import WakeTrace

/// The timeline of one device: on top its lock, power and network, then for each app its state, its wakes by outcome, the
/// oldest save of each with a flow to it, the saves pending, and what held each type, push and refresh.
final class DeviceTracks: DeviceObserver, DeviceWatcher {
  private let whole: TimelineExport
  private let place: Int
  private let symbols: Symbols
  private var encoder: any TimelineEncoder
  private var counts = TimelineCounts()
  private var trackCount = 0
  private var conditions: [DeviceCondition: Condition] = [:]
  /// In the order of ``uses``; nil if an app is not asked for.
  private var apps: [AppTimeline?] = []
  private var uses = FirstUses()
  /// The words of reasons that hold together.
  private var reasonNames: [WaitReasons: String] = [:]
  /// The short names of types.
  private var typeNames: [SampleType: String] = [:]
  /// The time of the last input, after it.
  private var end: Int64?

  private struct Condition {
    var track: TimelineTrack?
    var since: Int64?
  }

  init(
    of whole: TimelineExport, _ encoder: any TimelineEncoder, place: Int, _ symbols: Symbols
  ) {
    self.whole = whole
    self.encoder = encoder
    self.place = place
    self.symbols = symbols
  }

  // MARK: - Tracks

  private func makeTrack(
    _ kind: TimelineTrack.Kind, _ name: String, in group: (number: Int, name: String), rank: Int
  ) -> TimelineTrack {
    trackCount += 1
    if kind != .group { counts.tracks += 1 }
    let track = TimelineTrack(
      number: trackCount, kind: kind, name: name, group: group, rank: rank)
    encoder.add(track)
    return track
  }

  private func add(_ slice: TimelineSlice, to track: TimelineTrack) {
    counts.slices += 1
    if case .ends = slice.flow { counts.flows += 1 }
    encoder.add(slice, to: track)
  }

  /// Changes what is known of an app, if it is asked for.
  private func change(_ app: App, _ body: (inout AppTimeline) -> Void) {
    let place = uses.number(of: app)
    if place == apps.count { apps.append(nil) }
    if apps[place] == nil {
      let name = symbols.apps.name(of: app)
      guard whole.shows(app: name) else { return }
      let group = makeTrack(
        .group, name, in: (0, ""), rank: DeviceCondition.allCases.count + place)
      apps[place] = AppTimeline(group: (group.number, name))
    }
    guard var timeline = apps[place].take() else { return }
    body(&timeline)
    apps[place] = timeline
  }

  private func track(
    _ place: AppTimeline.Place, of app: inout AppTimeline
  ) -> TimelineTrack {
    if let track = app.tracks[place.rawValue] { return track }
    let kind: TimelineTrack.Kind = place == .pending ? .values : .slices
    let track = makeTrack(kind, place.name, in: app.group, rank: place.rawValue)
    app.tracks[place.rawValue] = track
    return track
  }

  // MARK: - States

  var watcher: (any DeviceWatcher)? { self }

  func arrive(_ app: App, _ type: SampleType, at time: Int64) {
    change(app) { setPending($0.pending + 1, at: time, &$0) }
  }

  func settle(_ app: App, _ pending: [PendingSaves], at time: Int64) {
    change(app) { setPending(pending.reduce(0) { $0 + $1.saves }, at: time, &$0) }
  }

  func note(_ conditions: DeviceConditions, at time: Int64) {
    for condition in DeviceCondition.allCases {
      set(condition, condition.holds(in: conditions), at: time)
    }
  }

  func note(_ app: App, _ condition: AppCondition, at time: Int64) {
    let phase = AppPhase(condition)
    // All apps are told of after each input.
    if let place = uses.number(known: app), apps[place]?.phase == phase { return }
    change(app) { set(phase, at: time, &$0) }
  }

  func end(at time: Int64) {
    end = time
    for condition in DeviceCondition.allCases { set(condition, false, at: time) }
    for place in apps.indices {
      guard var app = apps[place].take() else { continue }
      set(.background, at: time, &app)
      var values = app.values
      values.end { write($0, at: $1, &app) }
      apps[place] = app
    }
  }

  private func set(_ condition: DeviceCondition, _ holds: Bool, at time: Int64) {
    guard holds != (conditions[condition]?.since != nil) else { return }
    if let since = conditions[condition]?.since {
      let rank = DeviceCondition.allCases.firstIndex(of: condition) ?? 0
      let track =
        conditions[condition]?.track
        ?? makeTrack(.slices, condition.trackName, in: (0, ""), rank: rank)
      conditions[condition]?.track = track
      add(TimelineSlice(name: condition.sliceName, start: since, end: time), to: track)
    }
    conditions[condition, default: Condition()].since = holds ? time : nil
  }

  private func set(_ phase: AppPhase, at time: Int64, _ app: inout AppTimeline) {
    if let name = app.phase?.sliceName {
      let track = track(.state, of: &app)
      add(TimelineSlice(name: name, start: app.phaseSince, end: time), to: track)
    }
    (app.phase, app.phaseSince) = (phase, time)
  }

  private func setPending(_ saves: Int, at time: Int64, _ app: inout AppTimeline) {
    guard saves != app.pending else { return }
    app.pending = saves
    var values = app.values
    values.set(saves, at: time) { write($0, at: $1, &app) }
    app.values = values
  }

  private func write(_ value: Int, at time: Int64, _ app: inout AppTimeline) {
    counts.values += 1
    let track = track(.pending, of: &app)
    encoder.add(value, at: time, to: track)
  }

  // MARK: - Waits and wakes

  func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
    let wait = copy wait
    change(wait.app) { app in
      switch phase {
      case .logged: if wait.wake != nil { begin(wait, &app) }
      // What ended without a wake is not in the sums that the slices of reasons add up to.
      case .over where wait.wake == nil && wait.ending != nil: break
      case .over: addStretches(wait, &app)
      }
    }
  }

  /// A wake begins that carries what waited.
  private func begin(_ wait: Wait, _ app: inout AppTimeline) {
    // A wake runs an app that was terminated.
    if app.phase == .terminated { set(.background, at: wait.until, &app) }
    guard case .type(let type) = wait.item else { return }
    if wait.since < app.oldest?.since ?? .max { app.oldest = (type, wait.since) }
    setPending(app.pending - wait.saves, at: wait.until, &app)
  }

  private func addStretches(_ wait: Wait, _ app: inout AppTimeline) {
    guard !wait.stretches.isEmpty else { return }
    let key = wait.item.kind.place
    let track =
      app.items[key]
      ?? makeTrack(
        .slices, name(of: wait.item), in: app.group,
        rank: AppTimeline.Place.allCases.count + app.items.count)
    app.items[key] = track
    var values: [(key: StaticString, value: TimelineSlice.Value)] = []
    if let wake = wait.wake { values.append(("wake", .number(wake))) }
    if case .push(let id) = wait.item { values.append(("push", .text(id))) }
    var time = wait.since
    for stretch in wait.stretches {
      let start = time
      time += stretch.nanoseconds
      add(
        TimelineSlice(name: name(of: stretch.reasons), start: start, end: time, values: values),
        to: track)
    }
  }

  private func name(of item: Wait.Item) -> String {
    if case .type(let type) = item { typeName(type) } else { item.kind.word }
  }

  private func typeName(_ type: SampleType) -> String {
    if let name = typeNames[type] { return name }
    let name = TimelineTrack.shortened(type: symbols.types.name(of: type))
    typeNames[type] = name
    return name
  }

  private func name(of reasons: WaitReasons) -> String {
    if let name = reasonNames[reasons] { return name }
    let name = reasons.map(\.word).joined(separator: "+")
    reasonNames[reasons] = name
    return name
  }

  func end(_ wake: borrowing Wake) {
    let wake = copy wake
    change(wake.app) { app in
      // No wake has the same, on any device.
      let flow = UInt64(place) << 40 | UInt64(wake.number)
      if let oldest = wake.oldest?.nanoseconds {
        let name = app.oldest.map { typeName($0.type) } ?? ""
        let track = track(.saves, of: &app)
        add(TimelineSlice(name: name, start: oldest, end: oldest, flow: .begins(flow)), to: track)
      }
      app.oldest = nil
      let wakes = track(.wakes, of: &app)
      let start = wake.time.nanoseconds
      add(
        TimelineSlice(
          name: wake.outcome.word, start: start, end: wake.end?.nanoseconds ?? end ?? start,
          flow: wake.oldest == nil ? nil : .ends(flow), values: wake.timelineValues),
        to: wakes)
    }
  }

  func handOver(isLast: Bool) throws(TraceError) {
    if isLast || encoder.byteCount >= 64 << 10 {
      try whole.append(encoder.takeBytes(), device: place)
    }
    if isLast { try whole.finish(device: place, counts) }
  }
}

/// The open slices of an app, and its tracks. A track is made when its first slice or value is.
private struct AppTimeline {
  /// The app's own tracks; those of its waits come after them.
  enum Place: Int, CaseIterable {
    case state, wakes, saves, pending

    var name: String {
      switch self {
      case .state: "state"
      case .wakes: "wakes"
      case .saves: "oldest save"
      case .pending: "pending"
      }
    }
  }

  let group: (number: Int, name: String)
  /// By ``Place``.
  var tracks = [TimelineTrack?](repeating: nil, count: Place.allCases.count)
  /// By ``WaitKind/place``.
  var items: [Int: TimelineTrack] = [:]
  /// What the app does, and since when; nil until the first input that names it.
  var phase: AppPhase?
  var phaseSince: Int64 = 0
  /// How many saves and deletes are pending, without those in a wake in flight.
  var pending = 0
  var values = PendingValues()
  /// The type of the oldest save that the next or present wake carries.
  var oldest: (type: SampleType, since: Int64)?

  init(group: (number: Int, name: String)) {
    self.group = group
  }
}
