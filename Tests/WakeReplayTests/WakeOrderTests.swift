import Testing
import WakeTestSupport

@testable import WakeReplay

@Suite("The order of wakes, which are told of as they end")
struct WakeOrderTests {
  /// The numbers of wakes in order.
  private struct Ordered {
    var order = WakeOrder<Int>()
    var numbers: [Int] = []

    mutating func end(_ number: Int) {
      guard order.admits(number) else { return order.hold(number, number: number) }
      numbers.append(number)
      while let next = order.popNext() { numbers.append(next) }
    }
  }

  @Test("is that of their beginnings, however many wait for one that is in flight")
  func oneInFlight() {
    for last in [1, 2, 3, 64, 65, 66, 5_000, 300_000] {
      var ordered = Ordered()
      // Twice: the second time some memory may be kept.
      for first in [1, last + 1] {
        for number in first + 1..<first + last { ordered.end(number) }
        #expect(ordered.numbers.count == first - 1, "\(last) wakes: \(first) has not ended")
        ordered.end(first)
      }
      #expect(ordered.numbers.elementsEqual(1...2 * last), "\(last) wakes")
    }
  }

  @Test(
    "is that of their beginnings, where some are in flight at any time",
    arguments: [2, 3, 40, 3_000])
  func someInFlight(width: Int) {
    var random = SplitMix64(seed: UInt64(width))
    var ordered = Ordered()
    let last = 40_000
    var open: [Int] = []
    var begun = 0
    while begun < last || !open.isEmpty {
      if begun < last, open.count < width {
        begun += 1
        open.append(begun)
      } else {
        // Mostly one of the latest, so that early ones stay in flight for long.
        let place = random.chance(90) ? open.count - 1 : random.below(open.count)
        ordered.end(open.remove(at: place))
      }
    }
    #expect(ordered.numbers.elementsEqual(1...last), "\(width) in flight")
  }

  @Test("takes memory for those that wait, not for all that ever waited")
  func memory() {
    var ordered = Ordered()
    var most = 0
    // 2, 4, 1, 6, 3, 8, 5, ...: at any time one or two wait that have ended.
    ordered.end(2)
    for number in 1..<100_000 {
      ordered.end(2 * number + 2)
      ordered.end(2 * number - 1)
      most = max(most, ordered.order.waiting.count)
    }
    #expect(ordered.numbers.elementsEqual(1...199_998))
    #expect(most < 200, "\(most) places for at most two wakes that wait")
  }
}
