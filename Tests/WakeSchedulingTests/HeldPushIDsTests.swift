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

  /// How inputs are given to the scheduler.
  enum Feeding: CaseIterable {
    case atOnce
    case rowByRow
    case singly
  }

  @Test(
    "is named by the wake that carries it, whatever becomes of the inputs",
    arguments: Feeding.allCases)
  func carried(feeding: Feeding) {
    var ended: [String?] = []
    feed(feeding, reportsEnds: true) { _ in
    } eachEnded: {
      ended.append($0.push)
    }
    #expect(ended == ["", "short", Self.long, Self.longer], "ends are reported, fed \(feeding)")

    var history = WakeHistory()
    unsafe withUnsafeMutablePointer(to: &history) { history in
      feed(feeding, reportsEnds: false) {
        unsafe $0.keepWakes(in: history)
      } eachEnded: { _ in
      }
    }
    let kept = history.withEntries { entries in
      entries.indices.map { history.push(of: entries[$0]) }
    }
    #expect(kept == ["", "short", Self.long, Self.longer], "wakes are kept, fed \(feeding)")
  }

  @Test("is named by its wait, whatever becomes of the inputs", arguments: Feeding.allCases)
  func waited(feeding: Feeding) {
    var (logged, over): ([String], [String]) = ([], [])
    feed(feeding, reportsEnds: false) {
      $0.observeWaits { phase, wait in
        guard case .push(let id) = wait.item else { return }
        if phase == .logged { logged.append(id) } else { over.append(id) }
      }
    } eachEnded: { _ in
    }
    #expect(logged == ["", "short", Self.long, Self.longer], "fed \(feeding)")
    #expect(over == ["", "short", Self.superseded, Self.long, Self.longer], "fed \(feeding)")
  }

  @Test("is not told to those who do not look")
  func notTold() {
    var ended: [String?] = []
    feed(.atOnce, reportsEnds: true) {
      $0.reportsPushes = false
    } eachEnded: {
      ended.append($0.push)
    }
    #expect(ended == [nil, nil, nil, nil])
  }

  private func feed(
    _ feeding: Feeding, reportsEnds: Bool, prepare: (inout SchedulerCore) -> Void,
    eachEnded: (borrowing Wake) -> Void
  ) {
    let symbols = Symbols()
    let app = symbols.apps.intern("app")
    var policy = Policy.iOS
    policy.behaviour.completesAfter = nil
    var scheduler = SchedulerCore(
      policy: policy, symbols: symbols, accelerations: .all.subtracting(.cohorts))
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
