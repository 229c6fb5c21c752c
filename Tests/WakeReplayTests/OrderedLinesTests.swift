import Testing
import WakeTestSupport

@testable import WakeReplay

@Suite("The order of the wake log's lines")
struct OrderedLinesTests {
  /// Adds lines of wakes in the order in which they end, and moves what may be moved after each.
  private func write(_ ends: some Sequence<Int>, to lines: inout OrderedLines) {
    for number in ends {
      lines.add(number) { $0 += "\(number)\n".utf8 }
      while lines.advance() {}
    }
  }

  private func expectInOrder(
    _ bytes: [UInt8], upTo last: Int, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected = (1...last).map { "\($0)\n" }.joined()
    let difference = LineDifference.first(of: bytes, from: expected)
    #expect(difference == nil, "\(what): \(difference ?? "")", sourceLocation: sourceLocation)
  }

  @Test("is that of their beginnings, however many wait for one that is in flight")
  func oneInFlight() {
    var lines = OrderedLines()
    for (device, last) in [1, 2, 3, 5_000, 300_000].enumerated() {
      lines.restart()
      write(2..<last + 1, to: &lines)
      #expect(lines.bytes.isEmpty, "\(last) wakes: those before the first one has ended")
      write([1], to: &lines)
      expectInOrder(lines.bytes, upTo: last, "device \(device), \(last) wakes")
      lines.bytes = []
    }
  }

  @Test(
    "is that of their beginnings, where some are in flight at any time",
    arguments: [2, 3, 40, 3_000])
  func someInFlight(width: Int) {
    var random = SplitMix64(seed: UInt64(width))
    var lines = OrderedLines()
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
        write([open.remove(at: place)], to: &lines)
      }
    }
    expectInOrder(lines.bytes, upTo: last, "\(width) in flight")
  }

  @Test("takes memory for those that wait, not for all that ever waited")
  func memory() {
    var lines = OrderedLines()
    var most = 0
    // 2, 4, 1, 6, 3, 8, 5, ...: at any time one waits that has ended.
    write([2], to: &lines)
    for number in 1..<100_000 {
      write([2 * number + 2, 2 * number - 1], to: &lines)
      most = max(most, lines.held.count)
    }
    expectInOrder(lines.bytes, upTo: 199_998, "one waits")
    #expect(most < 1 << 17, "\(most) bytes are held for at most two lines")
  }
}
