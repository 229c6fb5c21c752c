import WakeEvents
import WakeImport
import WakeRecorder
import WakeTrace

/// JSON Lines.
///
///     bytes of a chunk (1)  the text
enum LinesFuzz {
  private struct Result: Equatable {
    var events: [Event] = []
    var lines: [Int] = []
    var error: ImportError?
  }

  static func read(_ bytes: [UInt8]) -> Bool {
    var input = InputBytes(bytes)
    let chunk = Int(input.byte()) + 1
    let text = Array(input.rest)
    let symbols = Symbols()
    let result = read(text, symbols)
    expect(
      read(text, symbols, chunk: chunk) == result, "chunks of \(chunk) bytes change the result")
    if !result.events.isEmpty { checkWriting(result.events, symbols) }
    readWakes(text)
    guard let error = result.error else { return !result.events.isEmpty }
    let lines = text.count { $0 == UInt8(ascii: "\n") } + 1
    expect((1...lines).contains(error.line ?? 0), "\(error) has no place")
    expect(!error.description.utf8.contains { $0 < 0x20 }, "\(error) has several lines")
    return false
  }

  /// The same text as a wake log.
  private static func readWakes(_ text: [UInt8]) {
    var rest = text[...]
    var reader = JSONLinesReader(file: "wakes.jsonl", symbols: Symbols())
    do {
      try reader.readWakes { span in
        let count = min(span.count, rest.count)
        for place in 0..<count { span[place] = rest[rest.startIndex + place] }
        rest = rest.dropFirst(count)
        return count
      } onWake: { wake, _ in
        expect(wake.time.nanoseconds.magnitude <= 4_000_000_000_000_000_000, "a time is too great")
      }
    } catch let error as ImportError {
      expect(error.line != nil, "\(error) has no place")
      expect(!error.description.utf8.contains { $0 < 0x20 }, "\(error) has several lines")
    } catch {
      fatalError("\(error) is no ImportError")
    }
  }

  private static func checkWriting(_ events: [Event], _ symbols: Symbols) {
    let written = write(events, symbols)
    let again = read(written, symbols)
    expect(again.error == nil, "what was written is refused: \(again.error?.description ?? "")")
    expect(again.events == events, "what was written is read as something else")
    expect(write(again.events, symbols) == written, "what was written is written in another way")
  }

  private static func read(_ text: [UInt8], _ symbols: Symbols, chunk: Int = .max) -> Result {
    var result = Result()
    var rest = text[...]
    var reader = JSONLinesReader(file: "input.jsonl", symbols: symbols)
    do {
      try reader.read { span in
        let count = min(chunk, span.count, rest.count)
        for place in 0..<count { span[place] = rest[rest.startIndex + place] }
        rest = rest.dropFirst(count)
        return count
      } onEvent: { event, line in
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

  private static func write(_ events: [Event], _ symbols: Symbols) -> [UInt8] {
    var writer = JSONLinesWriter(symbols: symbols)
    var bytes: [UInt8] = []
    for event in events { writer.append(event, to: &bytes) }
    return bytes
  }

  /// The whole input is a file that is captured.
  static func capture(_ bytes: [UInt8]) -> Bool {
    let symbols = Symbols()
    var options = LineCapture.Options()
    options.keepsGoing = true
    options.clock = { Timestamp(nanoseconds: 1_767_225_600_000_000_000) }
    do {
      let trace = try TraceCapture(to: "/dev/null", symbols: symbols)
      let capture = LineCapture(to: trace, symbols: symbols, options: options) { message in
        expect(!message.utf8.contains { $0 < 0x20 }, "\(message) has several lines")
      }
      try capture.read(MemoryFile.shared.hold(bytes))
      let report = try capture.run(until: -1)
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      expect(report.rejected + trace.received <= lines, "there are more events than lines")
      expect(trace.statistics.events == trace.received, "an event was not written")
      return trace.received > 0
    } catch {
      fatalError("\(error)")
    }
  }
}
