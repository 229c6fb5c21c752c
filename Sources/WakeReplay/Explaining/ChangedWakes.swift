import Synchronization
import WakeEvents
import WakeScheduling
import WakeTrace

/// Finds when the saves, pushes and refreshes of stories are carried in another replay of the same traces.
///
/// The same inputs make a save pending in both, as only inputs bring apps to the foreground and change subscriptions. So
/// it is carried by the end of the wait within which its time is. Where several waits meet at that time, the one that
/// ends last counts, so that no gain is told that may be none.
final class ChangedWakes: ReplayObserver {
  /// The times of the wakes that carried what waited.
  struct Wakes {
    /// Of the first, whether in vain or not; nil if there is none.
    var first: Int64?
    /// Of the one that carried it for good; nil if none did by the last input.
    var last: Int64?
    /// Whether saves that this one carries have no answer yet at the last input.
    var isOpen = false
    /// What held it at the end, and what ended it then, if no wake carried it for good.
    var held: WaitReasons?
    var ending: Wait.Ending?

    /// Whether a wake carried it for good, and was answered where that matters.
    var isAnswered: Bool { last != nil && !isOpen }
  }

  private let stories: [WaitStory]
  private let found: Mutex<[Wakes]>

  init(of stories: [WaitStory]) {
    self.stories = stories
    found = Mutex(Array(repeating: Wakes(), count: stories.count))
  }

  /// By story.
  var wakes: [Wakes] { found.withLock { $0 } }

  func observer(ofDevice name: String, place: Int, _ symbols: Symbols) -> any DeviceObserver {
    let asked = stories.indices.filter { ExactName(stories[$0].device) == ExactName(name) }
    return DeviceChanges(of: self, asked, stories, symbols)
  }

  func set(_ wakes: Wakes, of story: Int) {
    found.withLock { $0[story] = wakes }
  }
}

private final class DeviceChanges: DeviceObserver {
  private struct Target {
    let story: Int
    let app: ExactName
    let item: String
    let isType: Bool
    let name: ExactName?
    let since: Int64
    /// The end of the wait in the story.
    let until: Int64
    /// The first wake of the wait that goes on, and of the one found so far.
    var firstWakeSoFar: Int64?
    var firstWake: Int64?
    /// The end of the wait found so far; greatest if no wake ended it.
    var end: Int64?
    /// The number of the wake that ended it.
    var wake: Int?
    /// What held that wait last, and what ended it, if no wake did.
    var held: WaitReasons?
    var ending: Wait.Ending?
    /// The last refresh before ``since``.
    var before: Int64?

    mutating func end(with wait: borrowing Wait) {
      end = wait.wake == nil ? .max : wait.until
      wake = wait.wake
      ending = wait.wake == nil ? wait.ending : nil
      held = wait.wake == nil && ending == nil ? wait.stretches.last?.reasons : nil
      firstWake = firstWakeSoFar
    }

    /// A refresh that comes sooner moves those after it. So the first one counts from the time on at which that of the
    /// story was overdue; or the one before, if nothing was overdue then and the next one comes later than in the story.
    mutating func takeRefresh(_ wait: borrowing Wait) {
      guard end == nil else { return }
      if wait.until < since {
        if wait.wake != nil { before = wait.until }
      } else if wait.since <= since || before == nil || wait.wake != nil && wait.until <= until {
        end(with: wait)
      } else {
        end = before
      }
    }
  }

  private let whole: ChangedWakes
  private let symbols: Symbols
  private var targets: [Target]
  /// The numbers of wakes that are in flight at the last input.
  private var openWakes: Set<Int> = []

  init(of whole: ChangedWakes, _ asked: [Int], _ stories: [WaitStory], _ symbols: Symbols) {
    self.whole = whole
    self.symbols = symbols
    targets = asked.map { place in
      let story = stories[place]
      return Target(
        story: place, app: ExactName(story.app), item: story.wait.item.kind.word,
        isType: story.isOfType,
        name: story.name.map { ExactName($0) }, since: story.wait.since,
        until: story.wait.until)
    }
  }

  func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
    for place in targets.indices {
      let target = targets[place]
      let isRefresh = target.name == nil
      guard isRefresh || wait.since <= target.since && target.since <= wait.until else { continue }
      guard wait.item.kind.word == target.item,
        ExactName(symbols.apps.name(of: wait.app)) == target.app,
        wait.item.name(symbols).map({ ExactName($0) }) == target.name
      else { continue }
      switch phase {
      case .logged where isRefresh: break
      case .over where isRefresh: targets[place].takeRefresh(wait)
      case .logged:
        if wait.wake != nil { targets[place].firstWakeSoFar = target.firstWakeSoFar ?? wait.until }
      case .over:
        let end = wait.wake == nil ? .max : wait.until
        if end >= target.end ?? .min { targets[place].end(with: wait) }
        targets[place].firstWakeSoFar = nil
      }
    }
  }

  func end(_ wake: borrowing Wake) {
    if wake.outcome == .open { openWakes.insert(wake.number) }
  }

  func handOver(isLast: Bool) throws(TraceError) {
    guard isLast else { return }
    for target in targets {
      let end = target.end ?? target.before
      let last = end == .max ? nil : end
      // A push or a refresh is carried for good, answered or not.
      let isOpen = target.isType && target.wake.map(openWakes.contains) ?? false
      whole.set(
        ChangedWakes.Wakes(
          first: target.name == nil ? last : target.firstWake, last: last, isOpen: isOpen,
          held: target.held, ending: target.ending),
        of: target.story)
    }
  }
}
