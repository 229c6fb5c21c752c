import Foundation
import Testing
import WakeEvents
import WakeTestSupport
import WakeTrace

@testable import WakeReplay

@Suite("Tables as CSV")
struct CSVTests {
  /// Rows of a CSV file by RFC 4180, apart from the product's writer.
  static func rows(_ text: String) -> [[String]] {
    var (rows, row, field) = ([[String]](), [String](), [UInt8]())
    var isQuoted = false
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\"") where isQuoted && bytes.first == byte:
        field.append(byte)
        bytes.removeFirst()
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted:
        row.append(String(decoding: field, as: UTF8.self))
        field = []
      case UInt8(ascii: "\r") where !isQuoted && bytes.first == UInt8(ascii: "\n"):
        bytes.removeFirst()
        rows.append(row + [String(decoding: field, as: UTF8.self)])
        (row, field) = ([], [])
      default: field.append(byte)
      }
    }
    return rows
  }

  @Test("have quotes where they must, and nine digits of a second always")
  func fields() {
    var csv = CSVWriter(header: ["a", "b,c"])
    for text in ["plain", "", "a,b", "say \"no\"", "two\r\nlines", "é 🏃"] { csv.field(text) }
    csv.endRow()
    csv.field(nil as Int?)
    csv.field(Int64.min)
    csv.field(-0.5)
    csv.field(true)
    for time in [0, -1, 1_767_225_605_250_000_000, 4_000_000_000_000_000_000] as [Int64] {
      csv.field(Timestamp(nanoseconds: time))
    }
    csv.endRow()
    let text = String(decoding: csv.bytes, as: UTF8.self)
    #expect(
      text == "a,\"b,c\"\r\nplain,\"\",\"a,b\",\"say \"\"no\"\"\",\"two\r\nlines\",é 🏃\r\n"
        + ",-9223372036854775808,-0.5,true,1970-01-01T00:00:00.000000000Z,"
        + "1969-12-31T23:59:59.999999999Z,2026-01-01T00:00:05.250000000Z,"
        + "2096-10-02T07:06:40.000000000Z\r\n")
    #expect(Self.rows(text)[1] == ["plain", "", "a,b", "say \"no\"", "two\r\nlines", "é 🏃"])
  }

  @Test("hold the wakes, waits and sums of the replay", arguments: RandomSeeds.orFirst(4), [1, 2])
  func tables(seed: UInt64, threads: Int) throws {
    let random = RandomInputs(seed: seed, count: 400)
    let passage = try Passage()
    let trace = try passage.importing(
      random.spread(over: ["", "watch", "a \"b\", c"]), symbols: random.symbols)
    let replayed = try passage.replay([trace], random.policy) {
      $0.waitLog = passage.folder.file("waits.jsonl")
    }
    func table(_ table: ReplayTable) throws -> [[String: String]] {
      let path = passage.folder.file("\(table).csv")
      var options = ReplayOptions()
      options.policy = random.policy
      options.threads = threads
      let observer = try TableObserver(table, path: path, isPrivate: false)
      _ = try Replayer(files: [try TraceFile(path: trace)], options: options)
        .run(observer: observer, progress: nil)
      try observer.commit()
      let rows = Self.rows(try String(contentsOfFile: path, encoding: .utf8))
      #expect(rows.first == table.columns)
      return rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(table.columns, $0)) }
    }
    func time(_ text: String?) throws -> Int64? {
      guard let text, !text.isEmpty else { return nil }
      return try Timestamp(iso8601: text).nanoseconds
    }

    let wakes = try table(.wakes)
    let lines = try JSONValue.parsingLines(replayed.log)
    #expect(wakes.count == lines.count)
    for (row, line) in zip(wakes, lines) {
      #expect(row["device"] == line["device"]?.string ?? "")
      #expect(try time(row["t"]) == line["t"]?.wholeNumber)
      #expect(row["app"] == line["app"]?.string)
      #expect(row["types"] == "\(line["types"]?.elements.count ?? 0)")
      #expect(row["saves"] == "\(line["saves"]?.wholeNumber ?? -1)")
      #expect(try time(row["oldest"]) == line["oldest"]?.wholeNumber)
      #expect(row["push"] == line["push"]?.string ?? "")
      #expect(row["refresh"] == (line["refresh"] == .bool(true) ? "true" : "false"))
      #expect(row["outcome"] == line["outcome"]?.string)
      #expect(try time(row["end"]) == line["end"]?.wholeNumber)
    }

    let log = try String(contentsOfFile: passage.folder.file("waits.jsonl"), encoding: .utf8)
    let carried = try JSONValue.parsingLines(log).filter { $0["wake"] != .null }
    let items = try table(.items)
    #expect(items.count == carried.count)
    for (row, line) in zip(items, carried) {
      #expect(row["wake"] == "\(line["wake"]?.wholeNumber ?? 0)")
      #expect(try time(row["since"]) == line["since"]?.wholeNumber)
      #expect(row["name"] == line["name"]?.string ?? "")
      // A line of a push or a refresh has no such key, and the row an empty field.
      #expect(row["saves"] == (line["saves"]?.wholeNumber).map { "\($0)" } ?? "")
      #expect(row["item"] == line["item"]?.string)
      #expect((row["saves"] == "") == (row["item"] != "type"))
    }

    var sums: [String: (any: Int64, alone: Int64)] = [:]
    var dropped: [String: Int64] = [:]
    for row in try table(.waits) {
      let ns = try #require(Int64(row["ns"] ?? ""))
      #expect(try time(row["to"]).map { try $0 - (time(row["from"]) ?? 0) } == ns)
      if let ending = row["ending"], !ending.isEmpty {
        #expect(row["wake"] == "" && row["reasons"] != "")
        dropped[ending, default: 0] += ns
        continue
      }
      let reasons = (row["reasons"] ?? "").split(separator: "+").map(String.init)
      for reason in reasons {
        sums[reason, default: (0, 0)].any += ns
        if reasons.count == 1 { sums[reason, default: (0, 0)].alone += ns }
      }
    }
    let waiting = try #require(replayed.result.waiting).all.reasons
    #expect(sums.mapValues { $0.any } == waiting.mapValues { $0.any })
    #expect(sums.mapValues { $0.alone } == waiting.mapValues { $0.alone })
    let summed = replayed.result.waiting?.all.dropped ?? [:]
    #expect(dropped == summed.mapValues(\.waited).filter { $0.value > 0 })
  }
}
