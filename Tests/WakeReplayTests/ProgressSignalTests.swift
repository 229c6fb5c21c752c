import Synchronization
import Testing

@testable import WakeReplay

@Suite("Progress signal")
struct ProgressSignalTests {
  private final class Shared: Sendable {
    let signal = ProgressSignal()
    let turn = Atomic(0)
  }

  @Test("wakes threads that poll or sleep")
  func handOver() {
    let shared = Shared()
    let threads = 3
    let rounds = 300
    let workers = (0..<threads).map { number in
      WorkerThread { [shared] in
        var tally = ReplayTally()
        for round in 0..<rounds {
          while true {
            let seen = shared.signal.count
            if shared.turn.load(ordering: .acquiring) == round * threads + number { break }
            shared.signal.wait(after: seen)
          }
          tally.decodeTime += 1
          shared.turn.add(1, ordering: .releasing)
          shared.signal.signal()
        }
        return tally
      }
    }
    for worker in workers { #expect(worker.join().decodeTime == UInt64(rounds)) }
    #expect(shared.turn.load(ordering: .acquiring) == rounds * threads)
  }
}
