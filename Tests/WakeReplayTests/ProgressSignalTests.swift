import Glibc
import Synchronization
import Testing
import WakeTrace

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
      SystemCalls.startThread { [shared] in
        for round in 0..<rounds {
          while true {
            let seen = shared.signal.count
            if shared.turn.load(ordering: .acquiring) == round * threads + number { break }
            shared.signal.wait(after: seen)
          }
          shared.turn.add(1, ordering: .releasing)
          shared.signal.signal()
        }
      }
    }
    for case let worker? in workers { pthread_join(worker, nil) }
    #expect(shared.turn.load(ordering: .acquiring) == rounds * threads)
  }
}
