import Testing
import WakeEvents

@testable import WakeScheduling

@Suite("The id of a push that waits")
struct HeldPushIDsTests {
  /// Longer than what a string has inline.
  private static let (long, longer) = (
    "a push of 36 bytes, as UUIDs have it", "another push of more bytes than the ⌚ one before it"
  )

  private static let superseded = "superseded, and longer than the others by far"

  /// Pushes to one app and their answers, with their times in seconds. Two pushes come while a wake is in flight.
  private static let inputs: [(second: Int64, push: String?)] = [
    (0, ""), (1, nil), (7_200, "short"), (7_201, superseded),
    (7_202, long), (7_203, nil), (7_204, nil), (14_400, longer), (14_401, nil),
  ]

  /// With cohorts, to which the app belongs until its first push, without them, and with the rules alone.
  private static let accelerations: [Accelerations] = [.all, .all.subtracting(.cohorts), []]

  /// How inputs are given to the scheduler.
  enum Feeding: CaseIterable {
    case atOnce
    case rowByRow
    case singly
  }

  @Test(
    "is named by the wake that carries it, whatever becomes of the inputs",
    arguments: Feeding.allCases, accelerations)
  func carried(feeding: Feeding, accelerations: Accelerations) {
    var ended: [String?] = []
    feed(feeding, accelerations, reportsEnds: true) { _ in
    } eachEnded: {
      ended.append($0.push)
    }
    let shown = "fed \(feeding), accelerations \(accelerations.names)"
    #expect(ended == ["", "short", Self.long, Self.longer], "ends are reported, \(shown)")

    var history = WakeHistory()
    unsafe withUnsafeMutablePointer(to: &history) { history in
      feed(feeding, accelerations, reportsEnds: false) {
        unsafe $0.keepWakes(in: history)
      } eachEnded: { _ in
      }
    }
    let kept = history.withEntries { entries in
      entries.indices.map { history.push(of: entries[$0]) }
    }
    #expect(kept == ["", "short", Self.long, Self.longer], "wakes are kept, \(shown)")
  }

  @Test(
    "is named by its wait, whatever becomes of the inputs",
    arguments: Feeding.allCases, accelerations.filter { !$0.contains(.cohorts) })
  func waited(feeding: Feeding, accelerations: Accelerations) {
    var (logged, over): ([String], [String]) = ([], [])
    feed(feeding, accelerations, reportsEnds: false) {
      $0.observeWaits { phase, wait in
        guard case .push(let id) = wait.item else { return }
        if phase == .logged { logged.append(id) } else { over.append(id) }
      }
    } eachEnded: { _ in
    }
    let shown = "fed \(feeding), accelerations \(accelerations.names)"
    #expect(logged == ["", "short", Self.long, Self.longer], "\(shown)")
    #expect(over == ["", "short", Self.superseded, Self.long, Self.longer], "\(shown)")
  }

  @Test("is not told to those who do not look")
  func notTold() {
    var ended: [String?] = []
    feed(.atOnce, .all, reportsEnds: true) {
      $0.reportsPushes = false
    } eachEnded: {
      ended.append($0.push)
    }
    #expect(ended == [nil, nil, nil, nil])
  }

  @Test("is forgotten with its device", arguments: accelerations)
  func restarted(accelerations: Accelerations) {
    let symbols = Symbols()
    let app = symbols.apps.intern("app")
    let start = SchedulerCore(policy: .iOS, symbols: symbols, accelerations: accelerations)
    var scheduler = SchedulerCore(like: start, device: nil, hash: 0)
    var hasher = WakeHasher()
    for id in [Self.longer, Self.long] {
      var ended: [String?] = []
      scheduler.restart(like: start, device: nil, hash: 0)
      // The device's last wake is open as it ends.
      scheduler.take(
        .push(app: app, Push(id: id)), at: Timestamp(nanoseconds: 1_000_000_000), &hasher
      ) { _, _ in
      }
      scheduler.close(&hasher) { phase, wakes in
        if phase == .ended { wakes.forEachWake { ended.append($0.push) } }
      }
      #expect(ended == [id], "accelerations \(accelerations.names)")
    }
  }

  private func feed(
    _ feeding: Feeding, _ accelerations: Accelerations, reportsEnds: Bool,
    prepare: (inout SchedulerCore) -> Void,
    eachEnded: (borrowing Wake) -> Void
  ) {
    let symbols = Symbols()
    var policy = Policy.iOS
    policy.behaviour.completesAfter = nil
    policy.subscriptions = ["app", "second app", "third app"].map { .init(app: $0, type: "type") }
    var scheduler = SchedulerCore(policy: policy, symbols: symbols, accelerations: accelerations)
    let app = symbols.apps.intern("second app")
    scheduler.reportsEnds = reportsEnds
    prepare(&scheduler)
    func note(_ phase: WakePhase, _ wakes: borrowing WakeView) {
      if phase == .ended { wakes.forEachWake(eachEnded) }
    }
    var hasher = WakeHasher()
    var batch = InputColumns()
    for (second, push) in Self.inputs {
      let input: Input =
        push.map { .push(app: app, Push(id: $0)) }
        ?? .complete(app: app, item: .everything, result: nil)
      let time = Timestamp(nanoseconds: second * 1_000_000_000)
      switch feeding {
      case .singly: scheduler.take(input, at: time, &hasher, note)
      case .atOnce: batch.append(input, at: time)
      case .rowByRow:
        // In the memory of the row before.
        batch.removeAll()
        batch.append(input, at: time)
        scheduler.take(batch, rows: 0..<1, &hasher, note)
      }
    }
    if feeding == .atOnce { scheduler.take(batch, rows: 0..<batch.count, &hasher, note) }
    scheduler.close(&hasher, note)
  }
}
