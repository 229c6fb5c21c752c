import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

/// Programs other than Rouse read what a recorder wrote.
@Suite("Other programs read a recording")
struct RecordingReaderTests {
  @Test(
    "what a recorder wrote: Python, gzip -t, and joined captures replay as their merge",
    .enabled(if: OtherPrograms.has("python3") && OtherPrograms.has("gzip"), "needs Python and gzip")
  )
  func recorded() throws {
    let folder = try ScratchFolder()
    let random = RandomInputs(seed: 21, count: 1_000)
    // Every second event goes to the other capture; their times rise, so the merge is the whole.
    let events = random.events.enumerated().map { place, event in
      Event(
        time: Timestamp(nanoseconds: Int64(place)), device: Device(index: 0), input: event.input)
    }
    var joined = Data()
    for half in 0..<2 {
      var options = Recorder.testOptions(folder, trace: "\(half).wtrace", mode: .block)
      options.device = random.symbols.devices.name(of: Device(index: 0))
      options.eventsPerBlock = 150
      let recorder = try Recorder(options)
      try recorder.intern(all: random.symbols)
      var producer = try recorder.producer()
      for (place, event) in events.enumerated() where place % 2 == half {
        try #require(producer.record(event.input, at: event.time) == .recorded)
      }
      try recorder.close()
      joined += try Data(contentsOf: URL(filePath: folder.file("\(half).wtrace")))
    }
    let path = folder.file("joined.wtrace.gz")
    try joined.write(to: URL(filePath: path))
    let tested = try OtherPrograms.run(["gzip", "-t", path], into: folder.file("output"))
    #expect(tested.status == 0 && tested.output.isEmpty, "\(tested.output)")
    let printed = try OtherPrograms.run(
      ["python3", OtherPrograms.traceReader, path], into: folder.file("output"))
    try #require(printed.status == 0, "\(printed.output.suffix(2_000))")
    // It reads block by block and merges nothing.
    let read = try EventReader.events(ofLines: printed.output, symbols: random.symbols)
      .sorted { $0.time < $1.time }
    try expectSame(read, events, random.symbols)

    let index = try TraceIndex(files: [try TraceFile(path: path)])
    let blocks = BlockCache(index, symbols: random.symbols) { block, decoder throws(TraceError) in
      try decoder.decode(block.entry, of: index.files[block.file], details: true)
      return true
    }
    let cursor = try DeviceCursor(device: 0, from: blocks)
    var merged: [Event] = []
    while let batch = try cursor.next() {
      for row in batch.rows {
        merged.append(
          Event(
            time: Timestamp(nanoseconds: batch.columns.times[row]), device: batch.device,
            input: batch.columns[row]))
      }
    }
    try expectSame(merged, events, random.symbols)
  }

  private func expectSame(_ read: [Event], _ events: [Event], _ symbols: Symbols) throws {
    let difference = TraceContents(read).difference(from: TraceContents(events), symbols)
    #expect(difference == nil, "\(difference ?? "")")
  }
}
