import Testing
import WakeEvents
import WakeJSON
import WakeTestSupport

@testable import WakeReplay
@testable import WakeScheduling

@Suite("A line of the wake log")
struct WakeLineTests {
  @Test("has room for the longest numbers, names and ids", arguments: JSONTimeForm.allCases)
  func longest(times: JSONTimeForm) {
    let symbols = Symbols()
    let names = ["", "\"t\"", String(repeating: "\u{1}t", count: 300)]
    let types = names.map { symbols.types.intern($0) }
    let apps = names.map { symbols.apps.intern($0) }
    // One writer for the lines of several devices.
    var line = WakeLine(symbols: symbols, times: times)
    var bytes: [UInt8] = []
    var expected = ""
    for device in ["", String(repeating: "\"d\"", count: 300), "d"] {
      line.start(device: device)
      // `Int64.min` is no time (`WakeHistory.Entry.never`).
      for number in [Int64.min + 1, -1, 0, 9, 10, .max] {
        let time = Timestamp(nanoseconds: number)
        for (place, app) in apps.enumerated() {
          for outcome in WakeOutcome.allCases {
            let wake = Wake(
              number: 1, time: time, app: app, types: Array(types.dropFirst(place)),
              saves: Int(number), oldest: place == 0 ? nil : time,
              push: place == 1 ? nil : names[place], refresh: place == 0, outcome: outcome,
              end: outcome == .open ? nil : time)
            append(wake, symbols, with: &line, to: &bytes) {
              text(wake, of: $0, device: device, symbols, times)
            }
            expected += text(wake, device: device, symbols, times)
          }
        }
      }
    }
    let difference = LineDifference.first(of: bytes, from: expected)
    #expect(difference == nil, "\(times): \(difference ?? "")")
  }

  @Test(
    "has the text of each time, also where texts of others were kept",
    arguments: JSONTimeForm.allCases)
  func manyTimes(times: JSONTimeForm) {
    let symbols = Symbols()
    let app = symbols.apps.intern("app")
    let type = symbols.types.intern("type")
    var random = SplitMix64(seed: 18)
    var line = WakeLine(symbols: symbols, times: times)
    line.start(device: "")
    var bytes: [UInt8] = []
    var expected = ""
    // Few times, so that most are there again, and the most different ones.
    let some = (0..<40).map { _ in Int64(bitPattern: random.next()) >> random.below(64) }
    for _ in 1...2_000 {
      let (time, oldest, end) = (
        random.pick(some), random.pick(some), random.pick(some)
      )
      let wake = Wake(
        number: 1, time: Timestamp(nanoseconds: time), app: app,
        types: random.chance(50) ? [] : [type], saves: 1,
        oldest: Timestamp(nanoseconds: oldest), push: nil, refresh: false,
        outcome: random.pick(WakeOutcome.allCases), end: Timestamp(nanoseconds: end))
      append(wake, symbols, with: &line, to: &bytes) {
        text(wake, of: $0, device: "", symbols, times)
      }
      expected += text(wake, device: "", symbols, times)
    }
    let difference = LineDifference.first(of: bytes, from: expected)
    #expect(difference == nil, "\(times): \(difference ?? "")")
  }

  @Test("has the names of its app and type, however many others were written")
  func manyPairs() {
    let symbols = Symbols()
    var random = SplitMix64(seed: 19)
    var line = WakeLine(symbols: symbols, times: .nanoseconds)
    line.start(device: "device")
    var bytes: [UInt8] = []
    var expected = ""
    for number in 0..<4_000 {
      let name = String(repeating: "name", count: random.below(60)) + "\(random.below(30))"
      let wake = Wake(
        number: 1, time: Timestamp(nanoseconds: Int64(number)), app: symbols.apps.intern(name),
        types: [symbols.types.intern(name + "\(random.below(3))")], saves: 1,
        oldest: Timestamp(nanoseconds: 0), push: nil, refresh: false, outcome: .completed,
        end: Timestamp(nanoseconds: 1))
      append(wake, symbols, with: &line, to: &bytes) {
        text(wake, of: $0, device: "device", symbols, .nanoseconds)
      }
      expected += text(wake, device: "device", symbols, .nanoseconds)
    }
    let difference = LineDifference.first(of: bytes, from: expected)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test(
    "has the name of each app of a cohort, however few bytes are enough", arguments: [1, 700, .max])
  func cohort(enough: Int) {
    let symbols = Symbols()
    // One text that is long, and one that is made only once others are written.
    for number in 0..<300 {
      _ = symbols.apps.intern(
        String(repeating: "name", count: number == 77 ? 9_000 : 1) + "\(number)")
    }
    let types = ["a", "b"].map { symbols.types.intern($0) }
    var line = WakeLine(symbols: symbols, times: .nanoseconds)
    line.start(device: "device")
    var (bytes, parts): ([UInt8], Int) = ([], 0)
    var expected = ""
    for (number, apps) in [100..<140, 0..<300, 120..<121, 299..<300, 10..<200].enumerated() {
      // The second one's wakes end apart; the third one's is plain.
      let ends: [Int64] = apps.map { number == 1 && $0.isMultiple(of: 3) ? Int64($0) : 1_000 }
      let wake = wake(
        of: App(index: UInt32(apps.lowerBound)), types: Array(types.prefix(number % 3)), end: nil)
      var wakes = WakeHistory()
      wakes.begin(wake, like: apps.count)
      wakes.end(1, count: apps.count, .completed, at: 1_000)
      for (place, end) in ends.enumerated() where end != 1_000 {
        wakes.end(1 + place, count: 1, .completed, at: end)
      }
      #expect(wakes.count == apps.count && wakes.places.count == 1)
      var places = wakes.places
      while !places.isEmpty {
        var part: [UInt8] = []
        line.append(&places, of: wakes, to: &part, enough: enough)
        #expect(!part.isEmpty, "no line is written")
        bytes += part
        parts += 1
      }
      for (app, end) in zip(apps, ends) {
        let one = self.wake(of: App(index: UInt32(app)), types: wake.types, end: end)
        expected += text(one, device: "device", symbols, .nanoseconds)
      }
    }
    let difference = LineDifference.first(of: bytes, from: expected)
    #expect(difference == nil, "\(difference ?? "")")
    if enough == .max { #expect(parts == 5, "lines are written in parts") }
    if enough == 1 { #expect(parts > 20, "many lines are written at once") }
  }

  private func wake(of app: App, types: [SampleType], end: Int64?) -> Wake {
    Wake(
      number: 1, time: Timestamp(nanoseconds: 7), app: app, types: types, saves: 3,
      oldest: Timestamp(nanoseconds: 5), push: nil, refresh: false,
      outcome: end == nil ? .open : .completed, end: end.map { Timestamp(nanoseconds: $0) })
  }

  /// Appends the line of a wake, if it is as expected where it is alone and where it is one of a cohort.
  ///
  /// - Parameter text: The line, given the app.
  private func append(
    _ wake: Wake, _ symbols: Symbols, with line: inout WakeLine, to bytes: inout [UInt8],
    text: (App) -> String
  ) {
    var wakes = WakeHistory()
    wakes.append(wake)
    bytes += lines(of: wakes, with: &line)
    let apps = [wake.app, App(index: wake.app.index + 1)]
    guard apps[1].index < symbols.apps.count else { return }
    var cohort = WakeHistory()
    cohort.begin(wake, like: 2)
    let difference = LineDifference.first(
      of: lines(of: cohort, with: &line), from: apps.map(text).joined())
    #expect(difference == nil, "a cohort: \(difference ?? "")")
  }

  private func lines(of wakes: borrowing WakeHistory, with line: inout WakeLine) -> [UInt8] {
    var (places, bytes): (Range<Int>, [UInt8]) = (wakes.places, [])
    line.append(&places, of: wakes, to: &bytes, enough: .max)
    #expect(places.isEmpty, "not all lines are written")
    return bytes
  }

  /// The line, written member by member.
  private func text(
    _ wake: Wake, of app: App? = nil, device: String, _ symbols: Symbols, _ times: JSONTimeForm
  ) -> String {
    var json = JSONWriter(.line, times: times)
    json.object { json in
      if !device.isEmpty { json.member("device", device) }
      json.member("t", time: wake.time)
      json.member("app", symbols.apps.name(of: app ?? wake.app))
      json.member("types", wake.types) { $0.value(symbols.types.name(of: $1)) }
      json.member("saves", wake.saves)
      json.member("oldest", time: wake.oldest)
      json.member("push", wake.push)
      json.member("refresh", wake.refresh)
      json.member("outcome", wake.outcome.word)
      json.member("end", time: wake.end)
    }
    return json.text
  }
}

extension WakeHistory {
  /// Begins wakes like one of its own, of apps with successive symbols.
  fileprivate mutating func begin(_ wake: Wake, like count: Int) {
    let never = Entry.never
    var types = wake.types.makeIterator()
    begin(
      Entry(
        time: wake.time.nanoseconds, saves: wake.saves, oldest: wake.oldest?.nanoseconds ?? never,
        end: wake.end?.nanoseconds ?? never, number: wake.number, app: wake.app,
        count: UInt32(count), hasRefresh: wake.refresh, outcome: wake.outcome),
      push: wake.push
    ) { types.next() }
  }
}
