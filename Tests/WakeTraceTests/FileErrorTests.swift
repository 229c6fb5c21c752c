import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Files that are no traces, and files that cannot be written")
struct FileErrorTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func error(reading path: String) -> TraceError? {
    let (contents, errors) = TraceMaking.read(path, symbols: Symbols())
    #expect(contents.order.isEmpty)
    return errors.first
  }

  @Test(
    "are refused with what they are",
    arguments: [
      ("empty", [], TraceError.Code.empty, "empty"),
      ("text", Array("t,type\n".utf8), .notATrace, "no trace block"),
      ("a letter", Array("a".utf8), .notATrace, "no trace block"),
      ("JSON", Array(#"{"t":0,"k":"lock"}"#.utf8), .notATrace, "no trace block"),
      // `printf hello | gzip -n`
      (
        "gzip",
        [
          0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10,
          0x36, 5, 0, 0, 0,
        ], .notATrace, "not a trace block"
      ),
      (
        "gzip with another field",
        [
          0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 3, 6, 0, 0x42, 0x43, 2, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0,
          0, 0,
        ],
        .notATrace, "not a trace block"
      ),
      ("the beginning of a block", [0x1F, 0x8B, 8, 4], .truncated, "ends within"),
    ])
  func noTrace(name: String, bytes: [UInt8], code: TraceError.Code, words: String) throws {
    let path = folder.file("a file")
    try Data(bytes).write(to: URL(filePath: path))
    let error = error(reading: path)
    #expect(error?.code == code, "\(name): \(String(describing: error))")
    #expect(error?.message.contains(words) == true, "\(name): \(String(describing: error))")
    #expect(error?.file == path)
  }

  @Test("a folder, a missing file")
  func unreadable() throws {
    #expect(error(reading: folder.path)?.code == .inputOutput)
    let missing = error(reading: folder.file("missing"))
    #expect(missing?.code == .inputOutput)
    #expect(missing?.message.contains("No such file") == true, "\(String(describing: missing))")
  }

  // Of the command, run as somebody else: `BadInputTests`.
  @Test("one that may not be read", .enabled(if: getuid() != 0, "the superuser may read all"))
  func locked() throws {
    let path = folder.file("locked")
    try Data([1]).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    let locked = error(reading: path)
    #expect(locked?.message.contains("Permission denied") == true, "\(String(describing: locked))")
  }

  @Test("what is refused is closed again")
  func closed() throws {
    let empty = folder.file("empty")
    try Data().write(to: URL(filePath: empty))
    for _ in 0..<200 {
      _ = error(reading: empty)
      _ = error(reading: folder.path)
    }
    // Other tests open files meanwhile, elsewhere.
    let real = URL(filePath: folder.path).resolvingSymlinksInPath().path
    func open() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }.filter { $0.hasPrefix(real) }
    }
    #expect(try open() == [])
    let file = try FileHandle(forReadingFrom: URL(filePath: empty))
    #expect(try open() == [real + "/empty"], "what is open is not found")
    try file.close()
  }

  @Test("a full disk")
  func full() throws {
    let output = try FileOutput(path: "/dev/full")
    let random = RandomInputs(seed: 1, count: 100)
    let assembler = try TraceAssembler(to: output, symbols: random.symbols, sorted: true)
    for event in random.events { try assembler.append(event) }
    let error = #expect(throws: TraceError.self) { _ = try assembler.finish() }
    #expect(error?.code == .inputOutput && error?.file == "/dev/full")
    #expect(error?.message.contains("No space left") == true, "\(String(describing: error))")
  }

  @Test("a folder that is not there, or is one")
  func unwritable() {
    for path in [folder.file("missing/a.wtrace"), folder.path] {
      let error = #expect(throws: TraceError.self) { _ = try FileOutput(path: path) }
      #expect(error?.code == .inputOutput && error?.file == path)
    }
  }

  @Test("a file that is not finished leaves nothing, and what was there stays")
  func unfinished() throws {
    let path = folder.file("a.wtrace")
    try Data([1, 2, 3]).write(to: URL(filePath: path))
    do {
      let output = try FileOutput(path: path)
      try output.write([4, 5, 6])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.wtrace"])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.wtrace"])
    #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
  }
}
