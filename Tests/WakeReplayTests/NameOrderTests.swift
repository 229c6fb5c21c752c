import Foundation
import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@testable import WakeReplay
@testable import WakeTrace

/// Threads read names in any order, so no result may go by the indexes that names get.
@Suite("Names in blocks of their own")
struct NameOrderTests {
  /// A trace of 40 devices with a block each. Each device has four apps and types, in an order of its own.
  private func writeTrace(in passage: Passage) throws -> String {
    let symbols = Symbols()
    let path = passage.folder.file("in.wtrace")
    let output = try FileOutput(path: path)
    let writer = try TraceWriter(output: output, symbols: symbols, level: 1, eventsPerBlock: 12)
    for number in 0..<40 {
      let device = symbols.devices.intern("device \(number)")
      var inputs: [Input] = []
      for place in 0..<4 {
        let app = symbols.apps.intern("app \((7 * number + 3 * place) % 50)")
        let type = symbols.types.intern("type \((11 * number + 5 * place) % 60)")
        inputs.append(.enable(app: app, type: type, frequency: .immediate))
        inputs.append(.save(Sample(type: type, source: symbols.sources.intern("s"))))
        inputs.append(.complete(app: app, item: .everything, result: nil))
      }
      for (second, input) in inputs.enumerated() {
        let time = Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
        try writer.append(Event(time: time, device: device, input: input))
      }
    }
    try writer.finish()
    try output.commit()
    return path
  }

  private func options(threads: Int) -> ReplayOptions {
    var options = ReplayOptions()
    options.threads = threads
    return options
  }

  @Test("give the same timeline with any number of threads", arguments: TimelineFormat.allCases)
  func timelines(format: TimelineFormat) throws {
    let passage = try Passage()
    let trace = try writeTrace(in: passage)
    func timeline(threads: Int) throws -> [UInt8] {
      let path = passage.folder.file("timeline")
      let observer = try TimelineExport(
        format, base: Timestamp(nanoseconds: 0), apps: [], path: path, isPrivate: false)
      let files = [try TraceFile(path: trace)]
      _ = try Replayer(files: files, options: options(threads: threads))
        .run(observer: observer, progress: nil)
      try observer.commit()
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
    let alone = try timeline(threads: 1)
    for round in 0..<10 {
      #expect(try timeline(threads: 2 + round % 4) == alone, "round \(round)")
    }
  }

  @Test("give the same page of a report with any number of threads")
  func reports() throws {
    let passage = try Passage()
    let trace = try writeTrace(in: passage)
    func page(threads: Int) throws -> [UInt8] {
      try Report(
        Report.Heading(policy: "a policy", tool: "a test"), files: [try TraceFile(path: trace)],
        options: options(threads: threads), devices: []
      ).html
    }
    let alone = try page(threads: 1)
    for round in 0..<10 {
      #expect(try page(threads: 2 + round % 4) == alone, "round \(round)")
    }
  }
}
