import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeImport

/// Makes a large export as it is read: a prolog, records like those of a watch, an end.
///
/// The records come from one block that is repeated, so that making them costs next to nothing.
struct SyntheticHealthExport {
  private let block: [UInt8]
  private let recordsInBlock = 2_000
  private var blocksLeft: Int
  private var state = 0

  /// Records in the whole export.
  let records: Int

  /// Makes an export of at least `bytes` bytes.
  init(bytes: Int) {
    var numbers = SplitMix64(seed: 1)
    var text = ""
    for _ in 0..<recordsInBlock {
      let second = Int.random(in: 10...59, using: &numbers)
      let isQuantity = Bool.random(using: &numbers)
      text +=
        " <Record type=\"\(isQuantity ? "HKQuantityTypeIdentifierHeartRate" : "HKCategoryTypeIdentifierSleepAnalysis")\""
        + " sourceName=\"Anna\u{2019}s Apple Watch\" sourceVersion=\"7.3.3\" device=\"&lt;&lt;HKDevice: "
        + "0x281\(second)0&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch&gt;\" "
        + "unit=\"count/min\" creationDate=\"2021-05-02 10:36:\(second) +0200\" "
        + "startDate=\"2021-05-02 10:35:\(second) +0200\" endDate=\"2021-05-02 10:35:59 +0200\" "
        + "value=\"\(isQuantity ? "\(second).5" : "HKCategoryValueSleepAnalysisInBed")\""
        + (second % 5 == 0 ? ">\n  <MetadataEntry key=\"k\" value=\"1\"/>\n </Record>\n" : "/>\n")
    }
    block = Array(text.utf8)
    blocksLeft = bytes / block.count + 1
    records = blocksLeft * recordsInBlock
  }

  /// The next chunk; none after the last.
  mutating func nextChunk() -> [UInt8] {
    switch state {
    case 0:
      state = 1
      return Array(AppleHealthDocumentTypeTests.documentTypes[0].utf8)
        + Array("<HealthData>\n".utf8)
    case 1 where blocksLeft > 0:
      blocksLeft -= 1
      return block
    case 1:
      state = 2
      return Array("</HealthData>\n".utf8)
    default:
      return []
    }
  }
}

@Suite("Apple Health: large exports")
struct AppleHealthLargeTests {
  /// ROUSE_HEALTH_MB=1000, in a release build, measures.
  @Test("Memory does not grow with the file")
  func constantMemory() throws {
    let environment = ProcessInfo.processInfo.environment
    let megabytes = environment["ROUSE_HEALTH_MB"].flatMap { Int($0) } ?? 4
    var export = SyntheticHealthExport(bytes: megabytes * 1_000_000)
    let clock = ContinuousClock()
    var tokenizer = AppleHealthTokenizer(file: "large") { export.nextChunk() }
    var largest = 0
    scan: while true {
      if case .finished = try tokenizer.next() { break scan }
      largest = max(largest, tokenizer.buffer.count)
    }
    // A block, and a tag that was cut by the end of the one before.
    #expect(largest < 2_000 * 500)

    export = SyntheticHealthExport(bytes: megabytes * 1_000_000)
    let symbols = Symbols()
    let importer = AppleHealthImporter(file: "large", symbols: symbols) { export.nextChunk() }
    var saves = 0
    let time = try clock.measure { saves = try importer.read { _, _ in }.saves }
    #expect(saves == export.records)
    #expect(symbols.types.count == 2 && symbols.sources.count == 1)
    if environment["ROUSE_HEALTH_MB"] != nil { print("\(megabytes) MB in \(time)") }
  }
}
