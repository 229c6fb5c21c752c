import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

@Suite("Two devices whose names have the same hash never meet in one trace")
struct JoinedDevicesTests {
  private static let names = ["8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ"]
  private let folder: ScratchFolder
  private var trace: String { folder.file("a.wtrace") }

  init() throws { folder = try ScratchFolder() }

  /// A recorder with 10 events of the first or the second device.
  private func recorder(_ device: Int, trace: String? = "a.wtrace") throws -> Recorder {
    var options = Recorder.testOptions(folder, trace: trace)
    options.device = Self.names[device]
    options.flushInterval = .seconds(1_000)
    let recorder = try Recorder(options)
    let (type, source) = (try recorder.type("type"), try recorder.source("a"))
    var producer = try recorder.producer()
    for number in 0..<10 as Range<Int64> {
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
    }
    return recorder
  }

  private func expectTrace(
    _ path: String, events: Int, at place: SourceLocation = #_sourceLocation
  ) throws {
    let verification = TraceVerification(of: try TraceFile(path: path))
    #expect(
      verification.isWhole && verification.events == events,
      "\(verification.events) events, \(verification.problems)", sourceLocation: place)
  }

  private var ringsLeft: [String] {
    (SystemCalls.files(in: folder.path) ?? []).filter { $0.hasSuffix(".ring") }.map(folder.file)
  }

  @Test("of a component that continues it; the events stay in the ring")
  func continued() throws {
    try recorder(0).close()
    try {
      let other = try recorder(1)
      for attempt in [other.flush, other.close] {
        let error = #expect(throws: TraceError.self) { try attempt() }
        #expect(error?.code == .sameDeviceHash, "\(String(describing: error))")
        #expect(error?.message.contains("have the same hash") == true)
      }
      #expect(ringsLeft == [other.ringPath])
    }()
    try expectTrace(trace, events: 10)
    let ring = try #require(ringsLeft.first)
    let output = try FileOutput(path: folder.file("clean"))
    #expect(try TraceRecovery(to: output).add(LeftRing(ring)).events == 10)
    // The same device goes on.
    try recorder(0).close()
    try expectTrace(trace, events: 20)
  }

  @Test("of lines that are captured")
  func captured() throws {
    try recorder(0).close()
    let symbols = Symbols()
    let capture = try TraceCapture(to: trace, symbols: symbols)
    let device = symbols.devices.intern(Self.names[1])
    try capture.append(
      Event(time: Timestamp(nanoseconds: 0), device: device, input: .lock), to: capture.stream())
    let error = #expect(throws: TraceError.self) { try capture.finish() }
    #expect(error?.code == .sameDeviceHash && error?.file == trace, "\(String(describing: error))")
    try expectTrace(trace, events: 10)
  }

  @Test("of two rings that are attached, or recovered: that of the second stays, and it is told")
  func rings() throws {
    // As if both had been killed.
    for device in 0..<2 {
      let recorder = try recorder(device, trace: nil)
      try FileManager.default.copyItem(
        atPath: recorder.ringPath, toPath: folder.file("\(device).ring"))
      try recorder.close()
      try FileManager.default.removeItem(atPath: recorder.ringPath)
    }
    let clean = folder.file("clean")
    let output = try FileOutput(path: clean)
    let recovery = TraceRecovery(to: output)
    let reports = try (0..<2).map { try recovery.add(LeftRing(folder.file("\($0).ring"))) }
    try output.commit()
    #expect(reports.map(\.events) == [10, 0])
    #expect(reports[1].problems.map(\.code) == [.sameDeviceHash])
    try expectTrace(clean, events: 10)

    var notes: [RingAttachment.Note] = []
    let attachment = try RingAttachment(to: folder.path, output: trace) { notes.append($0) }
    while !attachment.isDone { try attachment.pass() }
    try attachment.finish()
    try expectTrace(trace, events: 10)
    #expect(ringsLeft == [folder.file("1.ring")], "\(notes)")
    #expect(notes.filter(\.isProblem).count == 1, "\(notes)")
    #expect(notes.contains { $0.message.contains("1.ring: the names of device") }, "\(notes)")
  }
}
