import WakeEvents
import WakeImport
import WakeJSON
import WakeReplay
import WakeScheduling
import WakeTrace

/// Apple Health exports.
///
///     bytes of a chunk (1)  the text
enum HealthFuzz {
  private struct Result: Equatable {
    var events: [Event] = []
    var lines: [Int] = []
    var summary: AppleHealthImporter.Summary?
    var error: ImportError?
  }

  static func run(_ bytes: [UInt8]) -> Bool {
    var input = InputBytes(bytes)
    let chunk = Int(input.byte()) + 1
    let symbols = Symbols()
    let result = read(input.rest, symbols)
    expect(
      read(input.rest, symbols, chunk: chunk) == result,
      "chunks of \(chunk) bytes change the result")
    guard let error = result.error else { return true }
    expect((0...input.rest.count).contains(error.byteOffset ?? 0), "\(error) has no place")
    expect(!error.description.utf8.contains { $0 < 0x20 }, "\(error) has several lines")
    return false
  }

  private static func read(
    _ text: ArraySlice<UInt8>, _ symbols: Symbols, chunk: Int = .max
  ) -> Result {
    var result = Result()
    var rest = text
    let importer = AppleHealthImporter(file: "export.xml", symbols: symbols) {
      let bytes = rest.prefix(chunk)
      rest = rest.dropFirst(bytes.count)
      return Array(bytes)
    }
    do {
      result.summary = try importer.read { event, line in
        result.events.append(event)
        result.lines.append(line)
      }
    } catch let error as ImportError {
      result.error = error
    } catch {
      fatalError("\(error) is no ImportError")
    }
    return result
  }
}

/// Policies.
enum PolicyFuzz {
  static func run(_ bytes: [UInt8]) -> Bool { (try? policy(bytes)) != nil }

  static func policy(_ bytes: [UInt8]) throws(ImportError) -> Policy {
    do throws(ImportError) {
      return try PolicyReader(file: "policy.json").read(bytes)
    } catch let error {
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      expect((1...lines).contains(error.line ?? 0), "\(error) has no place")
      expect(!error.description.utf8.contains { $0 < 0x20 }, "\(error) has several lines")
      throw error
    }
  }
}

/// Results of `rouse replay --json`, as `rouse merge` reads them.
enum ResultFuzz {
  static func run(_ bytes: [UInt8]) -> Bool {
    var sequence = JSONSequence()
    sequence.append(bytes)
    guard let element = try? sequence.next(), let result = try? read(element),
      result.implausibleCount == nil
    else { return false }
    let merge = ReplayMerge()
    expect((try? merge.add(result)) == true, "a plausible result is not merged")
    expect((try? merge.finish()) != nil, "a result is not its own merge")
    guard let alone = ReplayResult.merged([result]),
      let merged = ReplayResult.merged([result, result, result])
    else { fatalError("results are not merged") }
    expect(!merged.report.isEmpty, "a report is empty")
    do {
      var sequence = JSONSequence()
      sequence.append(Array(alone.json.utf8))
      guard let element = try sequence.next() else { fatalError("a result is no object") }
      let again = try read(element)
      expect(again.summary == alone.summary, "a merged result is read as something else")
      expect(again.implausibleCount == nil, "a merged result is refused")
    } catch {
      fatalError("a merged result cannot be read: \(error)")
    }
    return true
  }
}

extension ResultFuzz {
  private static func read(_ element: JSONSequence.Element) throws(JSONError) -> ReplayResult {
    try element.bytes.withJSONBytes { bytes throws(JSONError) in
      var parser = JSONParser(bytes)
      return try ReplayResult(reading: &parser)
    }
  }
}

/// Times and anchors, as the command line reads them.
enum TimestampFuzz {
  static func run(_ bytes: [UInt8]) -> Bool {
    var isAccepted = false
    let text = String(decoding: bytes, as: UTF8.self)
    if let time = try? Timestamp(parsing: text) {
      isAccepted = true
      expect(Timestamp.validRange.contains(time.nanoseconds), "\(text) is out of range")
      expect(
        time == (try? Timestamp(iso8601: time.iso8601)), "\(text) is another time when written")
    }
    if let anchor = try? TraceAnchor(parsing: text) {
      expect(anchor.eventsBefore >= 0, "\(text) is a negative anchor")
      expect(anchor == (try? TraceAnchor(parsing: anchor.description)), "\(text) is another anchor")
    }
    // Any time can be written and read.
    var input = InputBytes(bytes)
    let time = Timestamp(nanoseconds: Int64(bitPattern: input.number(bytes: 8)))
    guard Timestamp.validRange.contains(time.nanoseconds) else { return isAccepted }
    expect(
      time == (try? Timestamp(iso8601: time.iso8601)), "\(time.nanoseconds) is read as another")
    return isAccepted
  }
}
