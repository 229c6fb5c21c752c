import Foundation
import Testing
import WakeTestSupport

@testable import WakeTrace

@Suite("Compressed files that are damaged")
struct DamagedArchiveTests {
  /// Three lines, in gzip twice, in a zip archive behind another file, and in one with Zip64.
  private static let lines = Array(String(repeating: "{\"t\":0,\"k\":\"lock\"}\n", count: 3).utf8)
  private static let archives: [(text: String, content: [UInt8])] = [
    (
      "H4sIAAAAAAACA6tWKlGyMtBRylayUsrJT85WquWqJkoIAPzVrvQ5AAAAH4sIAAAAAAACA6tWKlGyMtBRylayUsrJT85W"
        + "quWqJkoIAPzVrvQ5AAAA", lines + lines
    ),
    (
      "UEsDBBQAAAAAAAAAIQCDFtyMAQAAAAEAAAABAAAAYXhQSwMEFAAAAAgAAAAhAPzVrvQYAAAAOQAAAAcAAABiLmpzb25s"
        + "q1YqUbIy0FHKVrJSyslPzlaq5aomSggAUEsBAhQDFAAAAAAAAAAhAIMW3IwBAAAAAQAAAAEAAAAAAAAAAAAAAIABAAAA"
        + "AGFQSwECFAMUAAAACAAAACEA/NWu9BgAAAA5AAAABwAAAAAAAAAAAAAAgAEgAAAAYi5qc29ubFBLBQYAAAAAAgACAGQA"
        + "AABdAAAAAAA=", lines
    ),
    (
      "UEsDBBQAAAAAAAAAIQD81a70OQAAADkAAAABAAAAYnsidCI6MCwiayI6ImxvY2sifQp7InQiOjAsImsiOiJsb2NrIn0K"
        + "eyJ0IjowLCJrIjoibG9jayJ9ClBLAQIUAxQAAAAAAAAAIQD81a70//////////8BABwAAAAAAAAAAACAAf////9iAQAY"
        + "ADkAAAAAAAAAOQAAAAAAAAAAAAAAAAAAAFBLBgYsAAAAAAAAAC0ALQAAAAAAAAAAAAEAAAAAAAAAAQAAAAAAAABLAAAA"
        + "AAAAAFgAAAAAAAAAUEsGBwAAAACjAAAAAAAAAAEAAABQSwUGAAAAAP///////////////wAA", lines
    ),
  ]

  @Test("are read as they were, or are an error", arguments: 0..<3)
  func damage(number: Int) throws {
    let folder = try ScratchFolder()
    let (text, content) = Self.archives[number]
    let whole = [UInt8](try #require(Data(base64Encoded: text)))
    #expect(try read(whole, in: folder) == content)
    var errors = 0
    for place in whole.indices {
      for value: UInt8 in [0xFF, whole[place] ^ 1] {
        var bytes = whole
        bytes[place] = value
        guard let found = try? read(bytes, in: folder) else {
          errors += 1
          continue
        }
        // The other file is read if the directory no longer has this one; without its first bytes it is as it is.
        #expect(found == content || found == Array("x".utf8) || found == bytes, "byte \(place)")
      }
      #expect(throws: TraceError.self, "cut at \(place)") {
        // A cut behind the first member leaves a whole file.
        guard place >= Compression.prefixLength, place * 2 != whole.count || number > 0 else {
          throw TraceError(.empty, "", "")
        }
        _ = try read(Array(whole[..<place]), in: folder)
      }
    }
    #expect(errors > whole.count / 2)
  }

  /// More kinds: deflated alone, and without files.
  private static let more = [
    "UEsDBBQAAAAIAAAAIQD81a70GAAAADkAAAABAAAAYatWKlGyMtBRylayUsrJT85WquWqJkoIAFBLAQIUAxQAAAAIAAAAIQD8"
      + "1a70GAAAADkAAAABAAAAAAAAAAAAAACAAQAAAABhUEsFBgAAAAABAAEALwAAADcAAAAAAA==",
    "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==",
  ]

  @Test("are never read past their ends, however short, whatever their numbers")
  func numbers() throws {
    let folder = try ScratchFolder()
    let texts = Self.archives.map(\.text) + Self.more
    let archives = texts.compactMap { Data(base64Encoded: $0).map { [UInt8]($0) } }
    try #require(archives.count == texts.count)
    // Whatever is found, it is found without a crash.
    // In memory where there is such a folder, as these are thousands of files.
    let place = SystemCalls.sort(of: "/dev/shm") == nil ? folder.path : "/dev/shm"
    let descriptor = SystemCalls.openNameless(in: place)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    func tryReading(_ bytes: some Collection<UInt8>) {
      let bytes = Array(bytes)
      lseek(descriptor, 0, SEEK_SET)
      let isWritten =
        SystemCalls.truncate(descriptor, to: 0)
        && SystemCalls.write(bytes, count: bytes.count, to: descriptor) == bytes.count
      #expect(isWritten)
      lseek(descriptor, 0, SEEK_SET)
      _ = try? read(descriptor, "archive")
    }
    for whole in archives {
      for length in whole.indices {
        tryReading(whole.prefix(length))
        tryReading(whole.suffix(length))
      }
      // Each place as the lowest byte of a number of each size.
      for place in whole.indices {
        for count in [1, 2, 4, 8] where place + count <= whole.count {
          for number: UInt64 in [0, 0x7FFF_FFFF_FFFF_FFFF, .max - 1, .max] {
            var bytes = whole
            for byte in 0..<count {
              // The lowest bytes first, the highest as it is.
              let shift = byte == count - 1 ? 56 : 8 * byte
              bytes[place + byte] = UInt8(truncatingIfNeeded: number >> shift)
            }
            tryReading(bytes)
          }
        }
      }
    }
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var bytes = archives[random.below(archives.count)]
      for _ in 0...random.below(4) {
        bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.below(2) == 0 { bytes.removeFirst(random.below(bytes.count)) }
      if random.below(2) == 0 { bytes.removeLast(random.below(bytes.count)) }
      tryReading(bytes)
    }
  }

  private func read(_ bytes: [UInt8], in folder: ScratchFolder) throws -> [UInt8] {
    let path = folder.file("archive")
    try Data(bytes).write(to: URL(filePath: path))
    let descriptor = SystemCalls.open(path, O_RDONLY)
    defer { close(descriptor) }
    return try read(descriptor, path)
  }

  private func read(_ descriptor: Int32, _ path: String) throws -> [UInt8] {
    let content = ExpectedContent("JSON") { $0.first == UInt8(ascii: "{") }
    let reader = try InputReader(descriptor, name: path, holding: content)
    var (all, part): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 40))
    while true {
      let count = try reader.read(into: &part)
      if count == 0 { return all }
      all += part[..<count]
    }
  }
}
