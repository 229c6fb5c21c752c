import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeScheduling
import WakeTestSupport

@Suite("Damaged input")
struct FuzzTests {
  /// How many inputs to try: some by default, more if the environment says so.
  private static let count =
    ProcessInfo.processInfo.environment["ROUSE_FUZZ"].flatMap { Int($0) } ?? 20_000

  @Test("is read or refused, and what is read is written and read alike")
  func lines() throws {
    let corpus = JSONLinesReaderTests.lines.map {
      Array(#"{"t":1767225600000000000,"device":"d","#.utf8)
        + Array($0.fields.utf8) + [UInt8(ascii: "}")]
    }
    var generator = SplitMix64(seed: 2026)
    var accepted = 0
    var symbols = Symbols()
    for number in 0..<Self.count {
      if number % 10_000 == 0 { symbols = Symbols() }
      let text = Mutation.mutated(corpus, using: &generator)
      let shown = "input \(number): \(String(decoding: text, as: UTF8.self).debugDescription)"
      let result = read(text, symbols: symbols)
      if let error = result.error {
        try #require(isWellFormed(error, in: text), "\(shown): \(error)")
      } else {
        accepted += 1
      }
      let events = result.events.map(\.event)
      let written = write(events, symbols: symbols)
      let again = read(written, symbols: symbols)
      try #require(again.error == nil, "\(shown)")
      try #require(again.events.map(\.event) == events, "\(shown)")
      try #require(write(again.events.map(\.event), symbols: symbols) == written, "\(shown)")
      if number % 8 == 0 {
        let size = Int.random(in: 1...40, using: &generator)
        try #require(read(text, symbols: symbols, chunksOf: { size }) == result, "\(shown)")
      }
    }
    // Both must happen often, or the damage is too little or too much to find anything.
    #expect(accepted > Self.count / 50 && accepted < Self.count / 2, "\(accepted) were accepted")
  }

  @Test("is no policy, or one")
  func policies() throws {
    let all =
      "{"
      + PolicyReaderTests.changes.map(\.text).filter { $0.count > 20 }
      .reduce(into: [String: String]()) { $0[String($1.prefix { $0 != ":" })] = $1 }
      .values.sorted().joined(separator: ",\n") + "}"
    let corpus = (PolicyReaderTests.changes.map { "{\($0.text)}" } + [all]).map { Array($0.utf8) }
    var generator = SplitMix64(seed: 77)
    var accepted = 0
    for number in 0..<Self.count / 4 {
      let text = Mutation.mutated(corpus, using: &generator)
      let shown = "input \(number): \(String(decoding: text, as: UTF8.self).debugDescription)"
      switch Result(catching: { try PolicyReader(file: "input.jsonl").read(text) }) {
      case .success(let policy):
        accepted += 1
        try #require((1...1000).contains(policy.maxStrikes), "\(shown)")
        try #require((0...1000).contains(policy.pushLimit), "\(shown)")
        try #require(policy.completionTimeout >= 1_000_000_000, "\(shown)")
      case .failure(let error):
        try #require(isWellFormed(error as? ImportError, in: text), "\(shown): \(error)")
      }
    }
    #expect(accepted > 0)
  }

  /// Whether an error has a place that exists and is told in one line.
  private func isWellFormed(_ error: ImportError?, in text: [UInt8]) -> Bool {
    guard let error else { return false }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
    let description = error.description
    return error.file == "input.jsonl" && (1...lines).contains(error.line ?? 0)
      && !error.message.isEmpty && description.hasPrefix("input.jsonl:")
      && !description.utf8.contains { $0 < 0x20 } && description.utf8.count < 1_000
  }
}

/// Damage to texts: bytes changed, parts removed, doubled and exchanged.
enum Mutation {
  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", "\r\n", " ", "-", "0", "1.0", "1e9", "1e400",
    "null",
    "true", "false", "\\u0000", "\\uD800", "\\uDC00", "\\uD83D\\uDE00", "\u{FEFF}", "é", "😀", "\0",
    "9223372036854775808", "-4000000000000000001", "0.1", "{}", "[]", "\"\"", "\"t\":0,",
    "\"x\":1,",
    "\"k\":\"lock\"", "\"content-available\":", "\"alert\":1,", "\"app\":null,", "*", "push",
  ].map { Array($0.utf8) }

  /// One of `corpus` with a few damages.
  static func mutated(_ corpus: [[UInt8]], using generator: inout SplitMix64) -> [UInt8] {
    var text = corpus[Int.random(in: 0..<corpus.count, using: &generator)]
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let start = Int.random(in: 0...text.count, using: &generator)
      let length = Int.random(in: 0...Int.random(in: 0...12, using: &generator), using: &generator)
      let range = start..<min(start + length, text.count)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0 where start < text.count:
        text[start] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1 where start < text.count:
        text[start] = UInt8.random(in: 0...255, using: &generator)
      case 2:
        text.removeSubrange(range)
      case 3:
        text.insert(contentsOf: text[range], at: start)
      case 4:
        let other = corpus[Int.random(in: 0..<corpus.count, using: &generator)]
        text.replaceSubrange(start..., with: other.suffix(other.count - min(start, other.count)))
      default:
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        text.replaceSubrange(range, with: piece)
      }
    }
    return text
  }
}
