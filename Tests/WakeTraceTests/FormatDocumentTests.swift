import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("The format's description")
struct FormatDocumentTests {
  /// `Format.md`, found from this file.
  private static let document = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/WakeTrace/WakeTrace.docc/Format.md").standardized

  @Test("shows the bytes that are written, with their places")
  func example() throws {
    var shown: [UInt8] = []
    for line in try String(contentsOf: Self.document, encoding: .utf8).split(separator: "\n") {
      let columns = line.split(separator: "  ", maxSplits: 1)
      guard columns.count == 2, columns[0].utf8.count == 4, let place = Int(columns[0], radix: 16)
      else { continue }
      #expect(place == shown.count, "the place in \(line)")
      let hexadecimal = columns[1].prefix(23).split(separator: " ")
      shown += hexadecimal.compactMap { UInt8($0, radix: 16) }
    }
    #expect(try Self.exampleTrace() == shown)
  }

  /// What the document says that its example holds.
  static func exampleTrace() throws -> [UInt8] {
    let symbols = Symbols()
    let watch = symbols.devices.intern("watch")
    let steps = symbols.types.intern("Steps")
    let sample = Sample(
      type: steps, source: symbols.sources.intern("Phone"),
      end: Timestamp(nanoseconds: 1_000_000_000), value: 0.5)
    let app = symbols.apps.intern("a.b")
    let inputs: [Input] = [
      .save(sample), .lock, .enable(app: app, type: steps, frequency: .hourly),
    ]
    let events = inputs.enumerated().map { second, input in
      let time = Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
      return Event(time: time, device: watch, input: input)
    }
    return try TraceMaking.trace(of: events, symbols: symbols, level: 0).bytes
  }

  @Test("names the bounds of the code")
  func bounds() throws {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    for bound in [
      TraceLimits.eventsPerBlock, TraceLimits.runsPerBlock, TraceLimits.typesListed,
      TraceLimits.payloadBytes, TraceLimits.memberBytes, TraceLimits.textBytes,
      TraceLimits.namesInList, TraceLimits.nameBytes, TraceLimits.nameBytesInAll,
    ] {
      var grouped = String(bound)
      for place in stride(from: grouped.count - 3, to: 0, by: -3) {
        grouped.insert(",", at: grouped.index(grouped.startIndex, offsetBy: place))
      }
      #expect(text.contains("| \(grouped) "), "\(grouped) is no bound in the document")
    }
  }
}
