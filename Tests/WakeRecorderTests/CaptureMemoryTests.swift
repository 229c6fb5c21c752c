import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

@Suite("Memory of the events that many streams hold")
struct CaptureMemoryTests {
  private let folder: ScratchFolder
  private var path: String { folder.file("out.wtrace") }

  init() throws { folder = try ScratchFolder() }

  @Test("is bounded: all are written when it is reached, in order, and none is lost")
  func bounded() throws {
    let symbols = Symbols()
    let device = symbols.devices.intern("")
    let type = symbols.types.intern("type")
    let sources = (0..<100).map { symbols.sources.intern("client \($0)") }
    var options = TraceCapture.Options()
    options.bytesHeld = 1 << 20
    let capture = try TraceCapture(to: path, symbols: symbols, options: options)
    let streams = sources.map { _ in capture.stream() }
    var most = 0
    for number in 0..<200 as Range<Int64> {
      for (source, stream) in zip(sources, streams) {
        let input = Input.save(Sample(type: type, source: source))
        try capture.append(
          Event(time: Timestamp(nanoseconds: number), device: device, input: input), to: stream)
        most = max(most, capture.bytesHeld)
      }
    }
    // The rows of all would take 100 × 200 × 256 bytes.
    #expect(most > 900 << 10 && most <= 1 << 20, "\(most) bytes were held")
    #expect(capture.statistics.events > 15_000, "few events were written before a flush")
    try capture.finish()
    #expect(capture.bytesHeld == 0)
    #expect(TraceVerification(of: try TraceFile(path: path)).isWhole)
    let producers = try RecordedTrace(path).producers
    #expect(producers.count == 100)
    #expect(producers.values.allSatisfy { $0.numbers == Array(0..<200) })
  }

  @Test(
    "counts the text of pushes and the devices' places, too, and frees them when they are written")
  func counted() throws {
    let symbols = Symbols()
    let capture = try TraceCapture(to: path, symbols: symbols)
    let stream = capture.stream()
    let devices = (0..<1_000).map { symbols.devices.intern("\($0)") }
    let push = Push(id: String(repeating: "x", count: 100_000))
    let input = Input.push(app: symbols.apps.intern("app"), push)
    let event = { Event(time: Timestamp(nanoseconds: 0), device: $0, input: input) }
    try capture.append(event(devices[0]), to: stream)
    let first = capture.bytesHeld
    #expect(first > 100_000)
    try capture.append(event(devices[999]), to: stream)
    #expect(capture.bytesHeld > first + 100_000 + 999 * 8)
    try capture.flush()
    #expect(capture.bytesHeld < 100_000)
    try capture.end(stream)
    #expect(capture.bytesHeld == 0)
  }
}
