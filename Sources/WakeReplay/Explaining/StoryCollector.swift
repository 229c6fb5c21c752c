import Synchronization
package import WakeEvents
import WakeScheduling
import WakeTrace

/// Collects the waits of one app that are asked for, in memory that does not grow with the trace.
package final class StoryCollector: ReplayObserver {
  /// What is asked for.
  package struct Question: Sendable {
    package enum Choice: Sendable {
      /// So many of the longest waits.
      case longest(Int)
      /// What waited at a time, in nanoseconds.
      case at(Int64)
      /// What the wake of a number carried.
      case wake(Int)
    }

    package var app: String
    /// Nil is everything that waits on the app.
    package var type: String?
    package var choice: Choice

    package init(app: String, type: String?, choice: Choice) {
      self.app = app
      self.type = type
      self.choice = choice
    }
  }

  /// What was found on some devices.
  package struct Findings: Sendable {
    /// What was asked for.
    package internal(set) var stories: [WaitStory] = []
    /// How many waits there are at the time, or of the wake, that is asked for.
    var matching = 0
    /// Where nothing waited at the time: the last wait before and the first one after it.
    package internal(set) var before: WaitStory?
    package internal(set) var after: WaitStory?
    /// The waits that match app and type and that a wake or the last input ended, and their sums, as in
    /// ``ReplayResult/Waiting``.
    package internal(set) var waits = 0
    package internal(set) var waited: Int64 = 0
    /// Those that ended without a wake, in none of the other sums.
    var dropped: [Wait.Ending: ReplayResult.Waiting.Dropped] = [:]
    /// Whether anything matches.
    package var isEmpty: Bool { waits == 0 && dropped.isEmpty }
    /// By ``WaitReason/rawValue``.
    package internal(set) var reasons = [ReplayResult.Waiting.Sums].ofNoWait
    /// Wakes of the app that were answered, and the nanoseconds that took.
    package internal(set) var answers = 0
    package internal(set) var answering: Int64 = 0
    /// The types that waited on the app.
    package internal(set) var types: Set<SampleType> = []
    /// The numbers of the app's wakes next to the one asked for, and the app that has that one.
    package internal(set) var lesserWake: Int?
    package internal(set) var greaterWake: Int?
    package internal(set) var otherApp: App?
    /// Whether the app has the wake asked for.
    package internal(set) var hasWake = false
    /// The devices replayed.
    package internal(set) var devices = 0
    /// The names of the replay; nil if there was no device.
    package internal(set) var symbols: Symbols?
  }

  let question: Question
  private let state = Mutex(Findings())

  package init(_ question: Question) {
    self.question = question
  }

  /// What was found, after the replay.
  package var findings: Findings { state.withLock { $0 } }

  package func observer(
    ofDevice name: String, place: Int, _ symbols: Symbols
  ) -> any DeviceObserver {
    DeviceStories(of: self, device: name, place: place, symbols)
  }

  func add(_ findings: Findings) {
    state.withLock { $0.add(findings, question.choice) }
  }
}

extension StoryCollector.Findings {
  /// The most waits that are told of one time or wake.
  static let mostTold = 100

  /// Adds a wait to the sums.
  fileprivate mutating func count(_ wait: borrowing Wait) {
    if wait.wake == nil, let ending = wait.ending {
      dropped[ending, default: .init()].add(.init(wait))
      return
    }
    waits += 1
    waited.addClamped(wait.until - wait.since)
    reasons.add(wait)
  }

  /// Keeps a wait if it is asked for.
  ///
  /// - Parameter story: Made only of a wait that is kept.
  mutating func consider(
    _ wait: borrowing Wait, _ choice: StoryCollector.Question.Choice, flights: [WaitStory.Flight],
    _ story: () -> WaitStory
  ) {
    switch choice {
    case .longest(let count):
      let waited = wait.until - wait.since
      if stories.count < count || waited >= stories.last?.waited ?? 0 { keep(story(), choice) }
    case .at(let time):
      if wait.since <= time, time <= wait.until {
        matching += 1
        keep(story(), choice)
      } else if wait.until < time, wait.until >= before?.wait.until ?? .min {
        before = story()
      } else if wait.since > time, wait.since < after?.wait.since ?? .max {
        after = story()
      }
    case .wake(let number):
      if flights.contains(where: { $0.number == number }) {
        matching += 1
        keep(story(), choice)
      }
    }
  }

  private mutating func keep(_ story: WaitStory, _ choice: StoryCollector.Question.Choice) {
    var most = Self.mostTold
    if case .longest(let count) = choice { most = count }
    let place = stories.firstIndex { story.isLonger(than: $0) } ?? stories.endIndex
    stories.insert(story, at: place)
    if stories.count > most { stories.removeLast() }
  }

  mutating func add(_ other: Self, _ choice: StoryCollector.Question.Choice) {
    for story in other.stories { keep(story, choice) }
    matching += other.matching
    if let story = other.before, story.wait.until > before?.wait.until ?? .min { before = story }
    if let story = other.after, story.wait.since < after?.wait.since ?? .max { after = story }
    waits += other.waits
    waited.addClamped(other.waited)
    for (ending, waits) in other.dropped { dropped[ending, default: .init()].add(waits) }
    reasons.add(other.reasons)
    answers += other.answers
    answering.addClamped(other.answering)
    types.formUnion(other.types)
    lesserWake = [lesserWake, other.lesserWake].compactMap(\.self).max()
    greaterWake = [greaterWake, other.greaterWake].compactMap(\.self).min()
    otherApp = otherApp ?? other.otherApp
    hasWake = hasWake || other.hasWake
    devices += other.devices
    symbols = symbols ?? other.symbols
  }
}

/// The stories of one device.
private final class DeviceStories: DeviceObserver {
  private let collector: StoryCollector
  private let device: String
  private let place: Int
  private let symbols: Symbols
  private var findings = StoryCollector.Findings()
  /// The app and the type asked for, once the replay has met them.
  private var app: App?
  private var type: SampleType?
  /// The wakes that carried what waits now, by ``WaitKind``.
  private var flights: [WaitKind: [WaitStory.Flight]] = [:]
  /// What the app's wake in flight carries.
  private var kinds: [WaitKind] = []

  init(of collector: StoryCollector, device: String, place: Int, _ symbols: Symbols) {
    self.collector = collector
    self.device = device
    self.place = place
    self.symbols = symbols
    findings.devices = 1
    findings.symbols = symbols
  }

  private func isAsked(_ other: App) -> Bool {
    if app == nil { app = symbols.apps.symbol(for: collector.question.app) }
    return other == app
  }

  private func isAsked(_ item: Wait.Item) -> Bool {
    if case .type(let type) = item { findings.types.insert(type) }
    guard let name = collector.question.type else { return true }
    if type == nil { type = symbols.types.symbol(for: name) }
    guard case .type(let other) = item else { return false }
    return other == type
  }

  func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
    guard isAsked(wait.app), isAsked(wait.item) else { return }
    let kind = wait.item.kind
    switch phase {
    case .logged:
      guard let wake = wait.wake else { return }
      flights[kind, default: []].append(
        WaitStory.Flight(number: wake, time: wait.until, saves: wait.saves))
      kinds.append(kind)
    case .over:
      let flights = flights.removeValue(forKey: kind) ?? []
      findings.count(wait)
      findings.consider(wait, collector.question.choice, flights: flights) {
        WaitStory(
          app: collector.question.app, device: device, place: place, wait: copy wait,
          name: wait.item.name(symbols), flights: flights)
      }
    }
  }

  func end(_ wake: borrowing Wake) {
    if case .wake(let number) = collector.question.choice { note(wake, asked: number) }
    guard isAsked(wake.app) else { return }
    if wake.outcome == .completed, wake.cutShort == nil, let end = wake.end {
      findings.answers += 1
      findings.answering.addClamped(end.nanoseconds - wake.time.nanoseconds)
    }
    for kind in kinds {
      guard let last = flights[kind]?.indices.last, flights[kind]?[last].number == wake.number
      else { continue }
      flights[kind]?[last].wake = copy wake
    }
    kinds.removeAll(keepingCapacity: true)
    // What was disabled in flight, or is open at the end, is over before the wake.
    for place in findings.stories.indices { findings.stories[place].end(wake) }
    findings.before?.end(wake)
    findings.after?.end(wake)
  }

  private func note(_ wake: borrowing Wake, asked number: Int) {
    if !isAsked(wake.app) {
      if wake.number == number { findings.otherApp = wake.app }
    } else if wake.number < number {
      findings.lesserWake = max(wake.number, findings.lesserWake ?? .min)
    } else if wake.number > number {
      findings.greaterWake = min(wake.number, findings.greaterWake ?? .max)
    } else {
      findings.hasWake = true
    }
  }

  func handOver(isLast: Bool) throws(TraceError) {
    if isLast { collector.add(findings) }
  }
}
