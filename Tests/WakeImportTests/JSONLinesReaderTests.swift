import Testing
import WakeEvents
import WakeImport
import WakeTestSupport

@Suite("Lines that are right")
struct JSONLinesReaderTests {
  /// A line, and the input it stands for.
  struct Good: CustomTestStringConvertible, Sendable {
    let fields: String
    let input: @Sendable (Symbols) -> Input

    init(_ fields: String, _ input: @escaping @Sendable (Symbols) -> Input) {
      self.fields = fields
      self.input = input
    }

    var testDescription: String { fields }
  }

  private static func name(_ symbols: Symbols) -> (app: App, type: SampleType, source: Source) {
    (symbols.apps.intern("A"), symbols.types.intern("T"), symbols.sources.intern("S"))
  }

  static let lines: [Good] = [
    Good(#""k":"save","type":"T","source":"S""#) {
      .save(Sample(type: name($0).type, source: name($0).source))
    },
    Good(#""source":"S","value":-1.5e-1,"end":-4,"start":3,"type":"T","k":"save""#) {
      .save(
        Sample(
          type: name($0).type, source: name($0).source, start: Timestamp(nanoseconds: 3),
          end: Timestamp(nanoseconds: -4), value: -0.15))
    },
    Good(#""k":"save","type":"T","source":"S","start":null,"end":null,"value":null"#) {
      .save(Sample(type: name($0).type, source: name($0).source))
    },
    Good(#""k":"delete","type":"","source":"""#) {
      .delete(type: $0.types.intern(""), source: $0.sources.intern(""))
    },
    Good(#""k":"enable","app":"A","type":"T","frequency":"immediate""#) {
      .enable(app: name($0).app, type: name($0).type, frequency: .immediate)
    },
    Good(#""k":"enable","app":"A","type":"T","frequency":"hourly""#) {
      .enable(app: name($0).app, type: name($0).type, frequency: .hourly)
    },
    Good(#""k":"enable","app":"A","type":"T","frequency":"daily""#) {
      .enable(app: name($0).app, type: name($0).type, frequency: .daily)
    },
    Good(#""k":"enable","app":"A","type":"T","frequency":"w\u0065ekly""#) {
      .enable(app: name($0).app, type: name($0).type, frequency: .weekly)
    },
    Good(#""k":"disable","app":"A","type":"T""#) {
      .disable(app: name($0).app, type: name($0).type)
    },
    Good(#""k":"disableAll","app":"A""#) { .disableAll(app: name($0).app) },
    Good(#""k":"execute","app":"A","query":"q","type":"T""#) {
      .execute(
        app: name($0).app, query: $0.queries.intern("q"), type: name($0).type, predicate: nil)
    },
    Good(#""k":"execute","app":"A","query":"q","type":"T","predicate":null"#) {
      .execute(
        app: name($0).app, query: $0.queries.intern("q"), type: name($0).type, predicate: nil)
    },
    Good(#""k":"execute","app":"A","query":"q","type":"T","predicate":{"other":[1]}"#) {
      .execute(
        app: name($0).app, query: $0.queries.intern("q"), type: name($0).type,
        predicate: Predicate())
    },
    Good(
      #""k":"execute","app":"A","query":"q","type":"T","predicate":{"source":"S","start":1,"#
        + #""end":2,"strictStart":true,"strictEnd":false,"min":-0,"max":1e2}"#
    ) {
      .execute(
        app: name($0).app, query: $0.queries.intern("q"), type: name($0).type,
        predicate: Predicate(
          source: name($0).source, start: Timestamp(nanoseconds: 1),
          end: Timestamp(nanoseconds: 2), strictStart: true, strictEnd: false, min: 0, max: 100))
    },
    Good(
      #""k":"execute","app":"A","query":"q","type":"T","predicate":{"source":null,"start":null,"#
        + #""end":null,"strictStart":null,"strictEnd":null,"min":null,"max":7}"#
    ) {
      .execute(
        app: name($0).app, query: $0.queries.intern("q"), type: name($0).type,
        predicate: Predicate(max: 7))
    },
    Good(#""k":"stop","app":"A","query":"q""#) {
      .stop(app: name($0).app, query: $0.queries.intern("q"))
    },
    Good(#""k":"complete","app":"A""#) {
      .complete(app: name($0).app, item: .everything, result: nil)
    },
    Good(#""k":"complete","app":"A","item":null,"result":null"#) {
      .complete(app: name($0).app, item: .everything, result: nil)
    },
    Good(#""k":"complete","app":"A","item":"push","result":"newData""#) {
      .complete(app: name($0).app, item: .push, result: .newData)
    },
    Good(#""k":"complete","app":"A","item":"refresh","result":"noData""#) {
      .complete(app: name($0).app, item: .refresh, result: .noData)
    },
    Good(#""k":"complete","app":"A","item":"T","result":"failed""#) {
      .complete(app: name($0).app, item: .type(name($0).type), result: .failed)
    },
    Good(#""k":"launch","app":"A""#) { .launch(app: name($0).app) },
    Good(#""k":"launch","app":"*""#) { .launch(app: $0.apps.intern("*")) },
    Good(#""k":"background","app":"A""#) { .background(app: name($0).app) },
    Good(#""k":"terminate","app":"A""#) { .terminate(app: name($0).app) },
    Good(#""k":"forceQuit","app":"A""#) { .forceQuit(app: name($0).app) },
    Good(#""k":"push","app":"A","id":"p""#) { .push(app: name($0).app, Push(id: "p")) },
    Good(#""k":"push","app":"A","id":"","aps":null,"pushType":null,"priority":null"#) {
      .push(app: name($0).app, Push(id: ""))
    },
    Good(
      #""k":"push","app":"A","id":"p","aps":{ "content-available" : 1.0 },"#
        + #""pushType":"voip","priority":5.5"#
    ) {
      .push(
        app: name($0).app,
        Push(
          id: "p",
          aps: Push.Payload(
            json: #"{ "content-available" : 1.0 }"#, contentAvailable: 1, isShownToUser: false),
          pushType: "voip", priority: 5.5))
    },
    Good(#""k":"push","app":"A","id":"p","aps":{"content-available":null,"al\u0065rt":null}"#) {
      .push(
        app: name($0).app,
        Push(
          id: "p",
          aps: Push.Payload(
            json: #"{"content-available":null,"al\u0065rt":null}"#, contentAvailable: nil,
            isShownToUser: true)))
    },
    Good(#""k":"push","app":"A","id":"p","aps":{"badge":{}}"#) {
      .push(
        app: name($0).app,
        Push(
          id: "p",
          aps: Push.Payload(
            json: #"{"badge":{}}"#, contentAvailable: nil, isShownToUser: true)))
    },
    Good(#""k":"push","app":"A","id":"p","aps":{"sound":0,"x":{"alert":1}}"#) {
      .push(
        app: name($0).app,
        Push(
          id: "p",
          aps: Push.Payload(
            json: #"{"sound":0,"x":{"alert":1}}"#, contentAvailable: nil, isShownToUser: true)))
    },
    Good(#""k":"push","app":"A","id":"p","aps":{"x":{"alert":1},"content-available":2}"#) {
      .push(
        app: name($0).app,
        Push(
          id: "p",
          aps: Push.Payload(
            json: #"{"x":{"alert":1},"content-available":2}"#, contentAvailable: 2,
            isShownToUser: false)))
    },
    Good(#""k":"refreshInterval","app":"A","interval":"never""#) {
      .refreshInterval(app: name($0).app, .never)
    },
    Good(#""k":"refreshInterval","app":"A","interval":"minimum""#) {
      .refreshInterval(app: name($0).app, .minimum)
    },
    Good(#""k":"refreshInterval","app":"A","interval":0"#) {
      .refreshInterval(app: name($0).app, .seconds(0))
    },
    Good(#""k":"refreshInterval","app":"A","interval":1E9"#) {
      .refreshInterval(app: name($0).app, .seconds(1_000_000_000))
    },
    Good(#""k":"refreshStatus","app":"*","status":"available""#) { _ in
      .refreshStatus(app: nil, .available)
    },
    Good(#""k":"refreshStatus","app":"A","status":"denied""#) {
      .refreshStatus(app: name($0).app, .denied)
    },
    Good(#""k":"refreshStatus","app":"A","status":"restricted""#) {
      .refreshStatus(app: name($0).app, .restricted)
    },
    Good(#""k":"complication","app":"A","active":true"#) {
      .complication(app: name($0).app, isActive: true)
    },
    Good(#""k":"entitlement","app":"A","granted":false"#) {
      .entitlement(app: name($0).app, isGranted: false)
    },
    Good(#""k":"network","good":false"#) { _ in .network(isGood: false) },
    Good(#""k":"power","good":true"#) { _ in .power(isGood: true) },
    Good(#""k":"lock""#) { _ in .lock },
    Good(#""k":"unlock","app":7,"device":null,"value":"not mine","x":{"y":[{},[]]}"#) { _ in
      .unlock
    },
    Good(#""\u006b":"reboot""#) { _ in .reboot },
    Good(#""k":"observed","app":"A","types":[]"#) {
      .observed(app: name($0).app, Observation(types: []))
    },
    Good(
      #""k":"observed","app":"A","types":["T","\u0054","B"],"saves":3,"oldest":null,"push":"p","refresh":false,"#
        + #""outcome":"aborted","end":9"#
    ) {
      .observed(
        app: name($0).app,
        Observation(
          types: [name($0).type, name($0).type, $0.types.intern("B")], push: "p", refresh: false,
          outcome: .aborted, end: Timestamp(nanoseconds: 9)))
    },
  ]

  @Test("become the events of the page Rules, 2", arguments: lines)
  func goodLine(line: Good) throws {
    let symbols = Symbols()
    let text = #"{"t":-17,"# + line.fields + "}"
    let result = read(Array(text.utf8), symbols: symbols)
    #expect(result.error == nil)
    let expected = Event(
      time: Timestamp(nanoseconds: -17), device: symbols.devices.intern(""),
      input: line.input(symbols))
    #expect(result.events == [ReadEvent(event: expected, line: 1)])
  }

  @Test("every kind has a line above")
  func everyKind() {
    let symbols = Symbols()
    let kinds = Set(Self.lines.map { $0.input(symbols).kind })
    #expect(kinds.count == InputKind.allCases.count, "\(kinds)")
  }

  @Test("times are exact up to their bounds")
  func times() {
    for time in [
      0, 1, 4_000_000_000_000_000_000, -4_000_000_000_000_000_000, 9_007_199_254_740_993,
    ] {
      let result = read(Array(#"{"t":\#(time),"k":"lock"}"#.utf8))
      #expect(result.events.map(\.event.time.nanoseconds) == [Int64(time)])
    }
    #expect(read(Array(#"{"t":-0,"k":"lock"}"#.utf8)).events.map(\.event.time.nanoseconds) == [0])
  }

  @Test("names are told apart by their bytes, and found again however they are written")
  func names() {
    let symbols = Symbols()
    let long = String(repeating: "n", count: 65)
    let names = [
      "", "é", "e\u{301}", "a\0", "a", "\"", "\u{10FFFF}", "😀", "\u{7FF}", "\u{FFFF}", long,
      String(long.dropLast()), long + "n",
    ]
    let spelled = [
      #""#, "é", #"e\u0301"#, #"a\u0000"#, #"\u0061"#, #"\""#, #"\udbff\uDFFF"#, #"\uD83D\uDE00"#,
      #"\u07ff"#, #"\uffff"#, long, String(long.dropLast()), long + #"\u006E"#,
    ]
    let lines = (spelled + names.filter { $0 != "\"" && $0 != "a\0" }).map {
      #"{"t":0,"k":"launch","app":"\#($0)","device":"\#($0)"}"# + "\n"
    }
    let result = read(Array(lines.joined().utf8), symbols: symbols)
    #expect(result.error == nil)
    #expect(result.events.count == lines.count)
    #expect(symbols.apps.count == names.count)
    for (name, read) in zip(names, result.events) {
      let expected = ExactName(name)
      #expect(ExactName(symbols.devices.name(of: read.event.device)) == expected)
      guard case .launch(let app) = read.event.input else { continue }
      #expect(ExactName(symbols.apps.name(of: app)) == expected)
    }
  }

  @Test("more names than the reader remembers are still right")
  func manyNames() {
    let symbols = Symbols()
    var generator = SplitMix64(seed: 5)
    var text = ""
    let numbers = (0..<6_000).map { _ in Int.random(in: 0..<4_000, using: &generator) }
    for number in numbers { text += #"{"t":0,"k":"launch","app":"app \#(number)"}"# + "\n" }
    let events = read(Array(text.utf8), symbols: symbols).events.map(\.event)
    #expect(events.count == numbers.count)
    for (number, event) in zip(numbers, events) {
      #expect(event.input == .launch(app: symbols.apps.intern("app \(number)")))
    }
  }

  @Test("values are rounded correctly, short ones and long ones")
  func values() throws {
    var texts = [
      "0", "-0", "-0.0", "0e9", "69", "0.1", "1e22", "1e23", "9007199254740993", "1e-22", "5e-324",
      "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308", "1e-400",
      "179769313486231580793e288", "123456789012345678901234567890", "0.30000000000000004",
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616",
      "8.5e0", "1E+2", "1e-05", "4.35", "0.000001", "100000000000000000000000e-22",
      "0." + String(repeating: "0", count: 400) + "1e400",
      String(repeating: "7", count: 400) + "e-399",
    ]
    var generator = SplitMix64(seed: 11)
    for _ in 0..<2_000 {
      let digits = Int.random(in: 1...20, using: &generator)
      var text = String(UInt64.random(in: 1...UInt64.max, using: &generator)).prefix(digits)
      text.insert(".", at: text.index(after: text.startIndex))
      texts.append(text + "1e\(Int.random(in: -40...40, using: &generator))")
    }
    let lines = texts.map { #"{"t":0,"k":"save","type":"","source":"","value":\#($0)}"# }
    let result = read(Array(lines.joined(separator: "\n").utf8))
    #expect(result.error == nil)
    try #require(result.events.count == texts.count)
    for (text, read) in zip(texts, result.events) {
      guard case .save(let sample) = read.event.input else { continue }
      #expect(sample.value?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }
}
