import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

/// `ROUSE_FUZZ=100000` tries so many files; 100 are the usual.
@Suite("Ring files in any state give an error or a whole trace")
struct RingFileFuzzTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["ROUSE_FUZZ"].flatMap { Int($0) } ?? 100

  /// A ring file without the zeros between its names and its rings.
  private struct Image: Equatable {
    var front: [UInt8]
    var rings: [UInt8]

    /// Where something stands that a change may matter to.
    var parts: [Range<Int>] {
      let slots = RingLayout.pageBytes
      let second = RingLayout.ringBytes(slots: 1 << 10)
      return [
        0..<160, RingLayout.pathOffset..<RingLayout.pathOffset + 16,
        RingLayout.pageBytes..<front.count, front.count..<front.count + 1_024,
        front.count + slots..<front.count + second,
        front.count + second..<front.count + rings.count,
      ]
    }

    subscript(place: Int) -> UInt8 {
      get { place < front.count ? front[place] : rings[place - front.count] }
      set {
        if place < front.count {
          front[place] = newValue
        } else {
          rings[place - front.count] = newValue
        }
      }
    }

    init(of path: String) throws {
      let bytes = try Data(contentsOf: URL(filePath: path))
      let file = try RingFile(opening: path, isPrivate: true)
      let names = withExtendedLifetime(file) { file.words.load(RingLayout.File.namesLength) }
      let end = RingLayout.pageBytes + Int(names)
      front = Array(bytes[..<end])
      rings = Array(bytes[RingLayout.ringsOffset...])
    }

    init(of path: String, like other: Image) throws {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      front = Array(try file.read(upToCount: other.front.count) ?? Data())
      try file.seek(toOffset: UInt64(RingLayout.ringsOffset))
      rings = Array(try file.readToEnd() ?? Data())
    }

    func write(to path: String) throws {
      try Data(front).write(to: URL(filePath: path))
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.seek(toOffset: UInt64(RingLayout.ringsOffset))
      try file.write(contentsOf: rings)
      try file.close()
    }

    mutating func change(_ random: inout SplitMix64) {
      let part = parts[Int(random.next() % UInt64(parts.count))]
      let place = part.lowerBound + Int(random.next() % UInt64(part.count))
      guard random.next() % 2 == 0 else {
        self[place] = UInt8(truncatingIfNeeded: random.next())
        return
      }
      let value = random.next() >> (random.next() % 64)
      let word = part.lowerBound + (place - part.lowerBound) / 8 * 8
      for index in 0..<8 where word + index < front.count + rings.count {
        self[word + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      }
    }
  }

  private let folder: ScratchFolder
  private let good: Image

  init() throws {
    folder = try ScratchFolder()
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil))
    let random = RandomInputs(seed: 5, count: 2_000)
    try recorder.intern(all: random.symbols)
    var first = try recorder.producer()
    var second = try recorder.producer()
    for (place, event) in random.events.enumerated() {
      if place % 3 == 0 {
        first.record(event.input, at: event.time, device: event.device)
      } else {
        second.record(event.input, at: event.time, device: event.device)
      }
    }
    good = try Image(of: recorder.ringPath)
  }

  @Test func recover() throws {
    let path = folder.file("fuzzed.ring")
    var random = SplitMix64(seed: 77)
    var outcomes = (errors: 0, traces: 0)
    for round in 0..<Self.rounds {
      var image = good
      switch random.next() % 8 {
      case 0: image.rings.removeLast(Int(random.next() % UInt64(image.rings.count)))
      case 1:
        let count = Int(random.next() % 5_000)
        image.front = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      default:
        for _ in 0...random.next() % 6 { image.change(&random) }
      }
      try image.write(to: path)
      if try recovers(path, round) { outcomes.traces += 1 } else { outcomes.errors += 1 }
      #expect(try Image(of: path, like: image) == image, "round \(round): the input was changed")
      try attach(path, round)
    }
    #expect(outcomes.errors > Self.rounds / 10 && outcomes.traces > Self.rounds / 10)
  }

  @Test("counts up to the greatest in every word of a ring's page", arguments: [~0, 1 << 60])
  func counts(_ value: UInt64) throws {
    let path = folder.file("counts.ring")
    let words =
      [
        RingLayout.Ring.reserved, RingLayout.Ring.head, RingLayout.Ring.lostEnd,
        RingLayout.Ring.firstNumber,
      ] + Array(64..<68)
    for word in words {
      var image = good
      for index in 0..<8 {
        let byte = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
        image.rings[8 * word + index] = byte
      }
      try image.write(to: path)
      _ = try recovers(path, word)
      try attach(path, word)
    }
  }

  @Test("an overwritten ring with an impossible number of an event")
  func overwrittenNumber() throws {
    var image = good
    let mode = 8 * RingLayout.File.mode
    image.front[mode] = RecorderMode.overwrite.rawValue
    for index in 0..<15 { image.rings[RingLayout.pageBytes + index] = 0xFF }
    image.rings[RingLayout.pageBytes + 15] = UInt8(RingSlot.number)
    let path = folder.file("numbers.ring")
    try image.write(to: path)
    #expect(try recovers(path, 0))
    try attach(path, 0)
  }

  /// Whether the file gives a trace, which must be whole.
  private func recovers(_ path: String, _ round: Int) throws -> Bool {
    let clean = folder.file("clean.wtrace")
    let output = try FileOutput(path: clean)
    let report: TraceRecovery.Report
    do throws(TraceError) {
      report = try TraceRecovery(to: output).add(LeftRing(path))
    } catch let error {
      #expect(error.file == path && !error.message.contains("\n"), "round \(round): \(error)")
      return false
    }
    try output.commit()
    if report.events > 0 {
      let verification = TraceVerification(of: try TraceFile(path: clean))
      #expect(verification.faultyBlocks == 0, "round \(round): \(verification.problems)")
      #expect(verification.events == report.events, "round \(round)")
    }
    return true
  }

  /// Drains the file, which must end too.
  private func attach(_ path: String, _ round: Int) throws {
    let scratch = try ScratchFolder()
    try FileManager.default.moveItem(atPath: path, toPath: scratch.file("a.ring"))
    let trace = scratch.file("out.wtrace")
    let attachment = try RingAttachment(to: scratch.path, output: trace) { _ in }
    try attachment.pass()
    try attachment.finish()
    guard attachment.statistics.written > 0 else { return }
    let verification = TraceVerification(of: try TraceFile(path: trace))
    #expect(verification.isWhole, "round \(round): \(verification.problems)")
  }
}
