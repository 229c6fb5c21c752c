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
    let name: ExactName?
    let since: Int64
    var firstWake: Int64?
    /// The end of the wait found so far; greatest if no wake ended it.
    var end: Int64?
  }

  private let whole: ChangedWakes
  private let symbols: Symbols
  private var targets: [Target]

  init(of whole: ChangedWakes, _ asked: [Int], _ stories: [WaitStory], _ symbols: Symbols) {
    self.whole = whole
    self.symbols = symbols
    targets = asked.map { place in
      let story = stories[place]
      return Target(
        story: place, app: ExactName(story.app), item: story.wait.item.kind.word,
        name: story.name.map { ExactName($0) }, since: story.wait.since)
    }
  }

  func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
    for place in targets.indices {
      let target = targets[place]
      guard wait.since <= target.since, target.since <= wait.until else { continue }
      guard wait.item.kind.word == target.item,
        ExactName(symbols.apps.name(of: wait.app)) == target.app,
        // A refresh that comes sooner moves those after it, and has no name.
        wait.item.name(symbols).map({ ExactName($0) }) == target.name
      else { continue }
      switch phase {
      case .logged:
        if wait.wake != nil { targets[place].firstWake = target.firstWake ?? wait.until }
      case .over:
        let end = wait.wake == nil ? .max : wait.until
        targets[place].end = max(end, target.end ?? .min)
      }
    }
  }

  func end(_ wake: borrowing Wake) {}

  func handOver(isLast: Bool) throws(TraceError) {
    guard isLast else { return }
    for target in targets {
      let last = target.end == .max ? nil : target.end
      whole.set(ChangedWakes.Wakes(first: target.firstWake, last: last), of: target.story)
    }
  }
}
