import Foundation
import Testing
import WakeImport
import WakeTestSupport

@Suite("Apple Health: damaged and cut exports", .timeLimit(.minutes(5)))
struct AppleHealthRobustnessTests {
  @Test("The result does not depend on the chunks", arguments: [1, 2, 3, 7, 64, 1000])
  func chunks(size: Int) throws {
    #expect(try importHealth(everythingExport, chunk: size) == importHealth(everythingExport))
  }

  @Test("An export cut anywhere is an error, after the saves that were whole")
  func truncation() throws {
    let whole = try importHealth(everythingExport)
    let end = everythingExport.count - 1  // the line break after the root is not needed
    for length in 0..<end {
      let cut = Array(everythingExport.prefix(length))
      let outcome = try importHealth(cut, chunk: 16)
      #expect(
        outcome.error?.code == (length == 0 ? .empty : .truncated),
        "\(length) bytes: \(outcome.error?.description ?? "no error")")
      #expect(whole.saves.starts(with: outcome.saves), "\(length) bytes: \(outcome.saves)")
    }
    #expect(try importHealth(Array(everythingExport.prefix(end))) == whole)
  }

  /// The seconds for which this thread has run.
  private var processorTime: Double {
    var time = timespec()
    unsafe _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test("A long comment costs about what an attribute of its length does, and its lines count")
  func longComment() throws {
    let text = String(repeating: "- comment - \n", count: 70_000)
    /// The least processor time of three, in seconds, as the machine may be busy.
    func time(_ elements: String) throws -> Double {
      let document = Array("<HealthData>\n\(elements)<Record/>\n</HealthData>".utf8)
      var least = Double.infinity
      for _ in 0..<3 {
        let started = processorTime
        let outcome = try importHealth(document, chunk: 1 << 16)
        least = min(least, processorTime - started)
        #expect(outcome.error?.line == 70_002, "\(String(describing: outcome.error))")
      }
      return least
    }
    let attribute = try time("<Other value=\"\(text)\"/>")
    let comment = try time("<!-- \(text)-->")
    #expect(comment < attribute * 4, "\(comment), and \(attribute) for an attribute")
  }

  /// What real and hostile files have where it does not belong.
  private static let fragments = [
    "<", ">", "\"", "'", "&", ";", "/", "=", "!", "?", "[", "]", "\n", "\0", "\u{0B}", "&#0;",
    "&#x110000;", "&foo;", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE x [", "]>",
    "</", "/>", "<a>", "</a>", "<Record/>", "<Correlation ", "</HealthData>", "<HealthData>",
    "PK\u{03}\u{04}", "type=\"x\" ", "value=\"1e308\" ", "é", "9999999999",
  ].map { Array($0.utf8) }

  private func mutate(_ bytes: [UInt8], _ numbers: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &numbers) {
      let place = Int.random(in: 0...bytes.count, using: &numbers)
      let range = place..<min(bytes.count, place + Int.random(in: 0...40, using: &numbers))
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: if !range.isEmpty { bytes[place] = .random(in: 0...255, using: &numbers) }
      case 1: bytes.removeSubrange(range)
      case 2: bytes.insert(contentsOf: bytes[range], at: Int.random(in: 0...place, using: &numbers))
      case 3: if !range.isEmpty { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers) }
      case 4 where place % 8 == 0: bytes.removeSubrange(place...)
      default:
        bytes.insert(contentsOf: Self.fragments.randomElement(using: &numbers) ?? [], at: place)
      }
    }
    return bytes
  }

  @Test("A damaged export is read or refused, the same in chunks, with a place in it")
  func fuzz() throws {
    let environment = ProcessInfo.processInfo.environment
    let runs = environment["ROUSE_FUZZ"].flatMap { Int($0) } ?? 5_000
    let first = environment["ROUSE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    for seed in first..<first + UInt64(runs) {
      var numbers = SplitMix64(seed: seed)
      let bytes = mutate(everythingExport, &numbers)
      let outcome = try importHealth(bytes)
      if seed % 4 == 0 {
        let chunk = Int.random(in: 1...300, using: &numbers)
        let inChunks = try importHealth(bytes, chunk: chunk)
        #expect(inChunks == outcome, "ROUSE_FUZZ_SEED=\(seed) in chunks of \(chunk)")
      }
      guard let error = outcome.error else { continue }
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      let offset = error.byteOffset ?? -1
      let isPlaced =
        (0...bytes.count).contains(offset) && (1...lines).contains(error.line ?? 1)
      let isOneLine = error.description.utf8.allSatisfy { $0 >= UInt8(ascii: " ") }
      #expect(isPlaced && isOneLine, "ROUSE_FUZZ_SEED=\(seed): \(error) at \(offset)")
    }
  }
}
