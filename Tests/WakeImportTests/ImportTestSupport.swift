import Foundation
import WakeEvents
import WakeImport
import WakeTestSupport

/// An event and the line it was read from.
struct ReadEvent: Equatable {
  var event: Event
  var line: Int
}

/// What a reader made of a text: the events up to its end or the first error, and that error.
struct ReadResult: Equatable {
  var events: [ReadEvent] = []
  var error: ImportError?
}

/// Reads `bytes`, called `input.jsonl`, at once.
func read(_ bytes: [UInt8], symbols: Symbols = Symbols()) -> ReadResult {
  var result = ReadResult()
  var reader = JSONLinesReader(file: "input.jsonl", symbols: symbols)
  do {
    try reader.read(bytes) { event, line in
      result.events.append(ReadEvent(event: event, line: line))
    }
  } catch {
    result.error = error as? ImportError
  }
  return result
}

/// Reads `bytes`, called `input.jsonl`, in chunks of the sizes that `size` gives.
func read(
  _ bytes: [UInt8], symbols: Symbols, chunksOf size: () -> Int
) -> ReadResult {
  var result = ReadResult()
  var reader = JSONLinesReader(file: "input.jsonl", symbols: symbols)
  var rest = bytes[...]
  do {
    try reader.read { span in
      let chunk = rest.prefix(min(size(), span.count))
      for (place, byte) in chunk.enumerated() { span[place] = byte }
      rest = rest.dropFirst(chunk.count)
      return chunk.count
    } onEvent: { event, line in
      result.events.append(ReadEvent(event: event, line: line))
    }
  } catch {
    result.error = error as? ImportError
  }
  return result
}

/// The whole text of the error that reading `text` gives.
func errorText(_ text: String) -> String {
  errorText(Array(text.utf8))
}

/// The whole text of the error that reading `bytes` gives.
func errorText(_ bytes: [UInt8]) -> String {
  read(bytes).error.map(String.init(describing:)) ?? "no error"
}

/// The lines of `events`, as the writer writes them.
func write(_ events: [Event], symbols: Symbols) -> [UInt8] {
  var writer = JSONLinesWriter(symbols: symbols)
  var buffer: [UInt8] = []
  for event in events { writer.append(event, to: &buffer) }
  return buffer
}

extension JSONLinesReader {
  /// Reads all events of JSON Lines in memory.
  mutating func read(
    _ bytes: [UInt8], onEvent: (_ event: Event, _ line: Int) throws -> Void
  ) throws {
    var rest = bytes[...]
    try read(
      from: { span in
        let chunk = rest.prefix(span.count)
        for (place, byte) in chunk.enumerated() { span[place] = byte }
        rest = rest.dropFirst(chunk.count)
        return chunk.count
      }, onEvent: onEvent)
  }
}
