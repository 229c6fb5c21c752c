import Synchronization
import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeReplay

@Suite("Observers of a replay")
struct ObserverTests {
  /// Counts what is told between two calls of `handOver`, which is what an observer must hold.
  private final class Counting: ReplayObserver, DeviceObserver {
    private let state = Mutex((told: 0, most: 0, all: 0))

    var found: (most: Int, all: Int) { state.withLock { ($0.most, $0.all) } }

    func observer(ofDevice name: String, place: Int, _ symbols: Symbols) -> any DeviceObserver {
      self
    }

    func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
      state.withLock {
        $0.told += 1
        $0.all += 1
        $0.most = max($0.most, $0.told)
      }
    }

    func end(_ wake: borrowing Wake) {}

    func handOver(isLast: Bool) { state.withLock { $0.told = 0 } }
  }

  @Test("hand over within a block, as what waits before a wake can be long")
  func handOver() throws {
    let symbols = Symbols()
    let type = symbols.types.intern("type")
    let source = symbols.sources.intern("source")
    let device = symbols.devices.intern("watch")
    let events = (0..<5_000).map { second in
      Event(
        time: Timestamp(nanoseconds: Int64(second) * 1_000_000_000), device: device,
        input: .save(Sample(type: type, source: source)))
    }
    let passage = try Passage()
    let counting = Counting()
    var options = ReplayOptions()
    options.policy.subscriptions = [.init(app: "app", type: "type")]
    options.policy.behaviour.completesAfter = 1
    let file = try TraceFile(path: try passage.importing(events, symbols: symbols))
    _ = try Replayer(files: [file], options: options)
      .run(observer: counting, progress: nil)
    #expect(counting.found.all > 5_000, "\(counting.found)")
    #expect(counting.found.most <= 2 * 64, "\(counting.found)")
  }
}
