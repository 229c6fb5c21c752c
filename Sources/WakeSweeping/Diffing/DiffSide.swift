package import WakeEvents

/// One side of a diff: its wakes by device and app.
///
/// - Note: Memory grows with the wakes, 48 bytes for each and what arrays keep for more.
package struct DiffSide: Sendable {
  /// Which wakes count.
  package struct Selection: Sendable {
    package var devices: Set<ExactName> = []
    package var from: Timestamp?
    package var to: Timestamp?

    package init() {}

    var hasTimes: Bool { from != nil || to != nil }

    func contains(_ time: Int64) -> Bool {
      if let from, time < from.nanoseconds { return false }
      if let to, time >= to.nanoseconds { return false }
      return true
    }

    func contains(device: String) -> Bool {
      devices.isEmpty || devices.contains(ExactName(device))
    }
  }

  /// A wake as its source tells it; nil is unknown.
  package struct Wake {
    package var time: Timestamp
    package var types: [SampleType]
    package var saves: Int?
    package var oldest: Timestamp??
    package var push: String??
    package var refresh: Bool?
    package var outcome: Observation.Outcome?
    package var end: Timestamp??

    package init(
      time: Timestamp, types: [SampleType], saves: Int? = nil, oldest: Timestamp?? = nil,
      push: String?? = nil, refresh: Bool? = nil, outcome: Observation.Outcome? = nil,
      end: Timestamp?? = nil
    ) {
      self.time = time
      self.types = types
      self.saves = saves
      self.oldest = oldest
      self.push = push
      self.refresh = refresh
      self.outcome = outcome
      self.end = end
    }
  }

  let names: DiffNames
  private let selection: Selection
  /// By the number of the device, then by that of the app; each in the order of time in ``sorted()``.
  private(set) var wakes: [Int: [Int: [DiffWake]]] = [:]
  /// In the order of first appearance.
  private(set) var devices: [Int] = []
  /// Wakes.
  package private(set) var count = 0
  /// Wakes that came before an earlier one of their app.
  package private(set) var unsorted = 0

  private var numbers = SymbolNumbers()

  init(_ names: DiffNames, _ selection: Selection) {
    self.names = names
    self.selection = selection
  }

  /// Adds a wake, whose symbols are of `symbols`, always the same ones.
  package mutating func append(_ wake: Wake, device: Device, app: App, _ symbols: Symbols) {
    guard selection.contains(wake.time.nanoseconds),
      selection.devices.isEmpty || selection.contains(device: symbols.devices.name(of: device))
    else { return }
    let device = numbers.device(device, symbols, names)
    let app = numbers.app(app, symbols, names)
    var kept = DiffWake(
      time: wake.time.nanoseconds, types: numbers.types(wake.types, symbols, names))
    func told(_ time: Timestamp??) -> Int64 {
      switch time {
      case nil: DiffWake.unknown
      case .some(nil): DiffWake.none
      case .some(let time?): time.nanoseconds
      }
    }
    kept.oldest = told(wake.oldest)
    kept.end = told(wake.end)
    if let push = wake.push { kept.push = push.map { NameHash.of($0) } ?? 0 }
    if let saves = wake.saves { kept.saves = Int32(clamping: saves) }
    if let refresh = wake.refresh { kept.refresh = refresh ? 1 : 0 }
    if let outcome = wake.outcome { kept.outcome = outcome.rawValue + 1 }
    append(kept, device: device, app: app)
  }

  /// Adds all wakes of a device, those of an app in the order of time. A device without wakes keeps its place among the
  /// others, too.
  mutating func append(_ byApp: [Int: [DiffWake]], device: Int) {
    devices.append(device)
    for (app, wakes) in byApp {
      let selected = selection.hasTimes ? wakes.filter { selection.contains($0.time) } : wakes
      guard !selected.isEmpty else { continue }
      self.wakes[device, default: [:]][app] = selected
      count += selected.count
    }
  }

  private mutating func append(_ wake: DiffWake, device: Int, app: Int) {
    if wakes[device] == nil { devices.append(device) }
    if let last = wakes[device]?[app]?.last, wake.time < last.time { unsorted += 1 }
    wakes[device, default: [:]][app, default: []].append(wake)
    count += 1
  }

  /// The side with the wakes of each app sorted by time, stably.
  func sorted() -> DiffSide {
    guard unsorted > 0 else { return self }
    var sorted = self
    for (device, apps) in wakes {
      for (app, wakes) in apps {
        sorted.wakes[device]?[app] = wakes.enumerated()
          .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
      }
    }
    return sorted
  }
}

/// The numbers of symbols, looked up once each.
struct SymbolNumbers {
  private var devices: [UInt32: Int] = [:]
  private var apps: [UInt32: Int] = [:]
  private var sets: [[SampleType]: Int32] = [:]

  mutating func device(_ device: Device, _ symbols: Symbols, _ names: DiffNames) -> Int {
    if let known = devices[device.index] { return known }
    let name = symbols.devices.name(of: device)
    let number = names.with { $0.devices.number(of: name) }
    devices[device.index] = number
    return number
  }

  mutating func app(_ app: App, _ symbols: Symbols, _ names: DiffNames) -> Int {
    if let known = apps[app.index] { return known }
    let name = symbols.apps.name(of: app)
    let number = names.with { $0.apps.number(of: name) }
    apps[app.index] = number
    return number
  }

  mutating func types(_ types: [SampleType], _ symbols: Symbols, _ names: DiffNames) -> Int32 {
    if let known = sets[types] { return known }
    let list = types.map { symbols.types.name(of: $0) }
    let number = names.with { $0.types.number(of: list) }
    // So many orders of the same names only a made-up log has.
    if sets.count < 1 << 16 { sets[types] = number }
    return number
  }
}
