import Foundation
import WakeEvents
import WakeImport

/// Random numbers that are the same for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func isOne(in chances: Int) -> Bool {
    Int.random(in: 0..<chances, using: &self) == 0
  }
}

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
