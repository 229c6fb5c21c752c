import Testing
import WakeEvents
import WakeImport
import WakeTestSupport

@Suite("Lines that are written")
struct JSONLinesWriterTests {
  @Test("have their fields in a fixed order, and only those that the event has")
  func order() {
    let symbols = Symbols()
    let lines = [
      #"{"t":1,"k":"save","type":"T","source":"S"}"#,
      #"{"t":-1,"device":"d\"","k":"save","type":"T","source":"S","start":2,"end":3,"value":0.5}"#,
      #"{"t":1,"k":"delete","type":"T","source":"S"}"#,
      #"{"t":1,"k":"enable","app":"A","type":"T","frequency":"daily"}"#,
      #"{"t":1,"k":"disable","app":"A","type":"T"}"#,
      #"{"t":1,"k":"disableAll","app":"A"}"#,
      #"{"t":1,"k":"execute","app":"A","query":"q","type":"T"}"#,
      #"{"t":1,"k":"execute","app":"A","query":"q","type":"T","predicate":{}}"#,
      #"{"t":1,"k":"execute","app":"A","query":"q","type":"T","predicate":{"source":"S","start":1,"#
        + #""end":2,"strictStart":true,"strictEnd":false,"min":-0.0,"max":69}}"#,
      #"{"t":1,"k":"stop","app":"A","query":"q"}"#,
      #"{"t":1,"k":"complete","app":"A"}"#,
      #"{"t":1,"k":"complete","app":"A","item":"push","result":"noData"}"#,
      #"{"t":1,"k":"complete","app":"A","item":"T"}"#,
      #"{"t":1,"k":"launch","app":""}"#,
      #"{"t":1,"k":"push","app":"A","id":"p"}"#,
      #"{"t":1,"k":"push","app":"A","id":"p","aps":{ "content-available":1.0},"pushType":"x","#
        + #""priority":5}"#,
      #"{"t":1,"k":"refreshInterval","app":"A","interval":"never"}"#,
      #"{"t":1,"k":"refreshInterval","app":"A","interval":"minimum"}"#,
      #"{"t":1,"k":"refreshInterval","app":"A","interval":0.1}"#,
      #"{"t":1,"k":"refreshStatus","app":"*","status":"denied"}"#,
      #"{"t":1,"k":"refreshStatus","app":"A","status":"restricted"}"#,
      #"{"t":1,"k":"complication","app":"A","active":true}"#,
      #"{"t":1,"k":"entitlement","app":"A","granted":false}"#,
      #"{"t":1,"k":"network","good":true}"#,
      #"{"t":1,"k":"power","good":false}"#,
      #"{"t":1,"k":"lock"}"#,
      #"{"t":1,"k":"unlock"}"#,
      #"{"t":1,"k":"reboot"}"#,
    ]
    for line in lines {
      let result = read(Array(line.utf8), symbols: symbols)
      #expect(result.error == nil)
      let written = write(result.events.map(\.event), symbols: symbols)
      #expect(String(decoding: written, as: UTF8.self) == line + "\n")
    }
  }

  @Test("keep a payload with newlines in one line")
  func newlinesInPayload() {
    let symbols = Symbols()
    let payload = Push.Payload(
      json: "{\n\"content-available\": 1\r\n}", contentAvailable: 1, isShownToUser: false)
    let event = Event(
      time: Timestamp(nanoseconds: 1), device: symbols.devices.intern(""),
      input: .push(app: symbols.apps.intern("A"), Push(id: "p", aps: payload)))
    let written = write([event], symbols: symbols)
    #expect(written.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    #expect(read(written).error == nil)
  }

  @Test("give back the events they were written from", arguments: 1...8 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let symbols = Symbols()
    for number in 0..<250 {
      // One symbol stands for one name, so equal symbols mean names of equal bytes.
      let event = RandomEvents.event(symbols: symbols, using: &generator)
      let text = write([event], symbols: symbols)
      let result = read(text, symbols: symbols)
      let line = String(decoding: text, as: UTF8.self)
      try #require(result.error == nil, "seed \(seed), event \(number): \(line)")
      try #require(
        result.events == [ReadEvent(event: event, line: 1)],
        "seed \(seed), event \(number): \(line)")
      // Strings and doubles have equal values that are not the same; their text tells them apart.
      let again = write(result.events.map(\.event), symbols: symbols)
      try #require(again == text, "seed \(seed), event \(number): \(line)")
    }
  }
}
