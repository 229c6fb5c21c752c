import Testing
import WakeTestSupport

@Suite("Allocation counter", .enabled(if: AllocationCounter.isAvailable))
struct AllocationCounterTests {
  private final class Node {
    var next: Node?
    init(next: Node?) { self.next = next }
  }

  /// Where values escape to, lest the optimiser removes what is measured or puts it on the stack.
  private final class Sink {
    var value: Any?
  }

  private let sink = Sink()

  /// Lets `value`, no larger than a pointer so that this needs no memory, escape.
  @inline(never)
  private func keep(_ value: Any?) {
    sink.value = value
  }

  @Test("An array is at least one allocation of at least its size")
  func array() {
    let made = AllocationCounter.allocations { keep(Array(repeating: UInt64(7), count: 1000)) }
    #expect(made.count >= 1)
    #expect(made.bytes >= 8000)
  }

  @Test("Each object is an allocation, also when it is freed at once")
  func objects() {
    var last: Node?
    let kept = AllocationCounter.allocations {
      for _ in 0..<10 { last = Node(next: last) }
    }
    keep(last)
    #expect(kept.count == 10)
    let freed = AllocationCounter.allocations {
      for _ in 0..<10 { keep(Node(next: nil)) }
    }
    #expect(freed.count == 10)
  }

  @Test("Over-aligned memory is counted")
  func aligned() {
    let made = AllocationCounter.allocations {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 64)
      unsafe keep(memory)
      unsafe memory.deallocate()
    }
    #expect(made.count == 1)
  }

  @Test("A loop without allocations counts none")
  func nothing() {
    var sum: UInt64 = 0
    let made = AllocationCounter.allocations {
      var step: UInt64 = 0
      while step < 1000 {
        sum &+= step &* step
        step += 1
      }
    }
    keep(sum)
    #expect(made.count == 0)
    #expect(made.bytes == 0)
  }

  @Test("Errors pass through")
  func errors() {
    struct Expected: Error {}
    #expect(throws: Expected.self) {
      try AllocationCounter.allocations { () throws(Expected) in throw Expected() }
    }
  }
}
