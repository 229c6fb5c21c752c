import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeTestSupport

@Suite("Lines and chunks")
struct LineTests {
  private static let lock = #"{"t":1,"k":"lock"}"#

  private func lines(_ text: String) -> [Int] {
    let result = read(Array(text.utf8))
    return result.error == nil ? result.events.map(\.line) : []
  }

  @Test("are counted from 1, blank ones too; the last one may do without its end")
  func numbers() {
    let lock = Self.lock
    #expect(lines("") == [])
    #expect(lines("\n \t\r\n\n") == [])
    #expect(lines(lock) == [1])
    #expect(lines("\(lock)\n\(lock)\n") == [1, 2])
    #expect(lines("\n\n\(lock)\n \n\t\(lock) \n\n\(lock)") == [3, 5, 7])
    #expect(lines("\(lock)\r\n\r\n\r\n\(lock)\r\n\(lock)\r") == [1, 4, 5])
    #expect(
      errorText("\(lock)\r\n\r\n{\"t\":2,\"k\":\"lock\",}\r\n\(lock)\n")
        == #"input.jsonl:3: invalid JSON at byte 19: expected a key"#)
    #expect(
      errorText("\(lock)\r\(lock)")
        == "input.jsonl:1: invalid JSON at byte 20: expected nothing more")
  }

  @Test("a byte order mark is skipped at the beginning of the file only")
  func byteOrderMark() {
    #expect(lines("\u{FEFF}" + Self.lock) == [1])
    #expect(lines("\u{FEFF}") == [])
    #expect(lines("\u{FEFF}\n\(Self.lock)") == [2])
    #expect(
      errorText("\(Self.lock)\n\u{FEFF}\(Self.lock)")
        == "input.jsonl:2: invalid JSON at byte 1: expected a value")
    #expect(errorText([0xEF, 0xBB]) == "input.jsonl:1: invalid JSON at byte 1: expected a value")
  }

  @Test("make no difference where the chunks end")
  func chunks() {
    var text = Array("\u{FEFF}".utf8)
    let symbols = Symbols()
    var generator = SplitMix64(seed: 3)
    let events = (0..<60).map { _ in
      RandomEvents.event(symbols: symbols, using: &generator)
    }
    for event in events {
      text += write([event], symbols: symbols)
      if generator.below(4) == 0 { text += Array(" \r\n".utf8) }
    }
    text += Array(#"{"t":7,"k":"unlock"}"#.utf8)
    for wrong in [[], Array("\n{\"t\":1,\"k\":\"lo".utf8), Array("\n\n\u{E9}\n".utf8)] {
      let whole = read(text + wrong, symbols: symbols)
      #expect(whole.events.map(\.event).dropLast() == events[...])
      #expect((whole.error == nil) == wrong.isEmpty)
      for size in [1, 2, 3, 7, 64, 4096] {
        let result = read(text + wrong, symbols: symbols, chunksOf: { size })
        #expect(result == whole, "chunks of \(size) bytes")
      }
      for seed in 0..<10 as Range<UInt64> {
        var sizes = SplitMix64(seed: seed)
        let result = read(
          text + wrong, symbols: symbols, chunksOf: { Int.random(in: 1...300, using: &sizes) })
        #expect(result == whole, "chunks of random sizes, seed \(seed)")
      }
    }
  }

  @Test("are bounded in length, whether at once or in chunks")
  func bound() throws {
    let fits = #"{"t":1,"k":"lock"}"#
    for tooLong in [fits + " ", String(repeating: " ", count: 19)] {
      for end in ["", "\n", "\n" + fits] {
        for size in [1, 5, 1000] {
          var rest = Array("\n\(fits)\n\(tooLong)\(end)".utf8)[...]
          var reader = JSONLinesReader(file: "f", symbols: Symbols())
          reader.maximumLineLength = 18
          var lines: [Int] = []
          let error = #expect(throws: ImportError.self) {
            try reader.read { span in
              let chunk = rest.prefix(size)
              for (place, byte) in chunk.enumerated() { span[place] = byte }
              rest = rest.dropFirst(size)
              return chunk.count
            } onEvent: {
              lines.append($1)
            }
          }
          #expect(error?.code == .tooLong)
          #expect(error?.description == "f:3: the line is longer than 18 bytes")
          #expect(lines == [2])
        }
      }
    }
  }

  @Test("have 8 MiB at most unless told otherwise")
  func greatestLine() {
    let frame = #"{"t":1,"k":"lock","x":""}"#
    let filling = String(repeating: "x", count: (8 << 20) - frame.utf8.count)
    let greatest = Array((frame.dropLast(2) + filling + #""}"#).utf8)
    #expect(read(greatest).events.map(\.line) == [1])
    #expect(read([0x0A] + greatest + [0x0A]).events.map(\.line) == [2])
    #expect(
      errorText([0x0A] + greatest + [0x20])
        == "input.jsonl:2: the line is longer than 8388608 bytes")
  }

  @Test("come from a file, again and again by the same reader")
  func descriptor() throws {
    let symbols = Symbols()
    var reader = JSONLinesReader(file: "pipe", symbols: symbols)
    for round in 1...3 {
      let pipe = Pipe()
      let text = "\n{\"t\":\(round),\"k\":\"launch\",\"app\":\"A\"}"
      try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      try pipe.fileHandleForWriting.close()
      var events: [ReadEvent] = []
      let input = try InputFile(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
      try reader.read(from: { try input.read(into: &$0) }) {
        events.append(ReadEvent(event: $0, line: $1))
      }
      let event = Event(
        time: Timestamp(nanoseconds: Int64(round)), device: symbols.devices.intern(""),
        input: .launch(app: symbols.apps.intern("A")))
      #expect(events == [ReadEvent(event: event, line: 2)])
    }
    let folder = try InputFile(path: "/tmp")
    let error = #expect(throws: ImportError.self) {
      try reader.read(from: { try folder.read(into: &$0) }) { _, _ in }
    }
    #expect(error?.code == .unreadable)
    #expect(error?.description == "/tmp: cannot be read: Is a directory")
  }

  @Test("errors of the source and of the caller pass unchanged")
  func foreignErrors() {
    struct Foreign: Error, Equatable { let number: Int }
    var reader = JSONLinesReader(file: "f", symbols: Symbols())
    #expect(throws: Foreign(number: 1)) {
      try reader.read { _ in
        throw Foreign(number: 1)
      } onEvent: { _, _ in
      }
    }
    #expect(throws: Foreign(number: 2)) {
      try reader.read(Array(Self.lock.utf8)) { _, _ in throw Foreign(number: 2) }
    }
  }
}
