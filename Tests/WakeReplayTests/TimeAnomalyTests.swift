import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport

@Suite("Late inputs and jumps ahead")
struct TimeAnomalyTests {
  private let symbols = Symbols()
  private static let year: Int64 = 365 * 86_400

  /// Saves of a device at so many seconds from a day on.
  private func saves(_ device: String, at seconds: [Int64]) -> [Event] {
    let sample = Sample(type: symbols.types.intern("type"), source: symbols.sources.intern("a"))
    return seconds.map {
      Event(
        time: Timestamp(nanoseconds: (1_767_225_600 + $0) * 1_000_000_000),
        device: symbols.devices.intern(device), input: .save(sample))
    }
  }

  /// What is told of a replay, by how it was replayed, each but once.
  private func notices(_ traces: [[Event]]) throws -> [String: [String]] {
    let passage = try Passage()
    let paths = try traces.enumerated().map {
      try passage.importing($1, symbols: symbols, as: "trace\($0)")
    }
    var notices: [String: [String]] = [:]
    for threads in 1...3 {
      let replayed = try passage.replay(paths, .iOS, threads: threads)
      notices["\(threads) threads"] = replayed.result.notices
    }
    let paced = try passage.replay(paths, .iOS) { $0.speed = .paced(1e18) }
    notices["paced"] = paced.result.notices
    return notices
  }

  @Test("name the first event that is late, though its device is scheduled last")
  func firstLate() throws {
    // Two streams of one device are merged after all others are scheduled.
    let told = try notices([
      saves("merged", at: [10, 5]) + saves("plain", at: [20, 10, 5]),
      saves("merged", at: [7, 12]),
    ])
    for (how, notices) in told {
      #expect(notices.count == 1, "\(how)")
      #expect(
        notices.first?.contains("event 1: 3 of 7 inputs are late") == true
          && notices.first?.hasSuffix("on device merged") == true, "\(how): \(notices)")
    }
  }

  @Test("are told of the first jump ahead")
  func firstJump() throws {
    let told = try notices([
      saves("one", at: [0, 1, 2 + Self.year, 3 + 3 * Self.year])
        + saves("two", at: [0, 2 * Self.year])
    ])
    for (how, notices) in told {
      #expect(notices.count == 1, "\(how)")
      #expect(notices.first?.contains("event 2: time jumps") == true, "\(how): \(notices)")
      #expect(notices.first?.hasSuffix("on device one") == true, "\(how): \(notices)")
    }
  }

  @Test(
    "are found among many inputs that span years", arguments: [1, 255, 256, 511, 512, 700, 999])
  func jumpAmongMany(place: Int64) throws {
    let seconds = (0..<1_000 as Range<Int64>).map {
      $0 * Self.year / 50 + ($0 < place ? 0 : Self.year)
    }
    let told = try notices([saves("one", at: seconds)])
    for (how, notices) in told {
      #expect(notices.count == 1, "\(how)")
      #expect(
        notices.first?.contains("event \(place): time jumps") == true, "\(how): \(notices)")
    }
  }

  @Test("are those of one device, not of one and the next")
  func devicesApart() throws {
    let told = try notices([
      saves("later", at: [3 * Self.year, 1 + 3 * Self.year]) + saves("sooner", at: [0, 1])
        + saves("latest", at: [9 * Self.year, 9 * Self.year])
    ])
    for (how, notices) in told { #expect(notices.isEmpty, "\(how): \(notices)") }
  }
}
