import Foundation
import Testing
import WakeEvents
import WakeRecorder
import WakeTestSupport

@Suite("Paths that a ring names cannot write to the terminal")
struct EscapedPathTests {
  @Test("of a ring that is recovered, and of its trace that is not there")
  func recovered() throws {
    let shop = try Workshop()
    var options = Recorder.Options(trace: "\(shop.path)/\u{1B}[2Jtrace")
    options.ringFolder = shop.path
    options.slotsPerRing = 1 << 10
    // Writes nothing by itself.
    options.flushInterval = .seconds(1_000)
    let recorder = try Recorder(options)
    let (type, source) = (try recorder.type("type"), try recorder.source("source"))
    var producer = try recorder.producer()
    producer.save(type, from: source, at: Timestamp(nanoseconds: 0))
    try recorder.flush()
    producer.save(type, from: source, at: Timestamp(nanoseconds: 1))
    let ring = "\u{1B}[3Jleft.ring"
    try shop.write(try shop.read(#require(shop.files.first { $0.hasSuffix(".ring") })), to: ring)
    let length = try shop.read("\u{1B}[2Jtrace").count
    try recorder.close()
    // Without the last event, as a kill leaves it.
    #expect(unsafe truncate("\(shop.path)/\u{1B}[2Jtrace", length) == 0)
    let named = try shop.rouse("verify", "\u{1B}[2Jtrace")
    #expect(named.errors.contains("\\u{1b}[3Jleft.ring: was left"), "\(named.errors)")
    try FileManager.default.removeItem(atPath: "\(shop.path)/\u{1B}[2Jtrace")
    let recovered = try shop.rouse("recover", ring, "-o", "out")
    #expect(recovered.status == .exited(0), "\(recovered.errors)")
    #expect(recovered.errors.contains("\\u{1b}[2Jtrace is not there"), "\(recovered.errors)")
    #expect(recovered.errors.contains("\\u{1b}[3Jleft.ring: kept"), "\(recovered.errors)")
    #expect(!(named.errors + recovered.errors).contains("\u{1B}"))
  }
}
