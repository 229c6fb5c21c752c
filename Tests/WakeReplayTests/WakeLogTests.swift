import Foundation
import Testing
import WakeTrace

@testable import WakeReplay

@Suite("A wake log", .timeLimit(.minutes(1)))
struct WakeLogTests {
  @Test("writes lines of many devices together, and those that somebody waits for at once")
  func together() throws {
    let log = try WakeLog()
    var expected: [UInt8] = []
    func append(_ count: Int, device: Int, isAwaited: Bool = false) throws {
      let bytes = [UInt8](repeating: UInt8(device), count: count)
      try log.append(bytes, device: device, isAwaited: isAwaited)
      expected += bytes
    }
    func expectWritten(_ expected: [UInt8], _ what: String) throws {
      let written = try log.bytes(from: 0, count: .max)
      #expect(written == expected, "\(what): \(written.count) bytes of \(expected.count)")
    }

    for device in 0..<10 {
      try append(200, device: device)
      try log.finish(device: device)
    }
    try expectWritten([], "few lines")
    try append(1, device: 10, isAwaited: true)
    try expectWritten(expected, "an awaited line, and those before")
    try append(1, device: 10)
    let large = expected + [UInt8](repeating: 10, count: 100_000)
    try append(100_000, device: 10)
    try expectWritten(large, "many bytes")
    try append(3, device: 10)
    try expectWritten(large, "few lines behind many bytes")
    try log.flush()
    try expectWritten(expected, "all")
    try append(4, device: 10)
    try log.commit()
    try expectWritten(expected, "a log that is put in place")
  }

  @Test("tells at the end what keeps it from writing few lines")
  func failure() throws {
    let log = try WakeLog(path: "/dev/full", isPrivate: false)
    try log.append([1], device: 0)
    #expect(throws: TraceError.self) { try log.flush() }
    #expect(throws: TraceError.self, "lines are lost") { try log.commit() }
  }

  @Test("that is given up writes what has come")
  func givenUp() throws {
    let pipe = Pipe()
    let end = pipe.fileHandleForWriting
    do {
      let log = try WakeLog(path: "/dev/fd/\(end.fileDescriptor)", isPrivate: false)
      try end.close()
      try log.append([1, 2], device: 0)
    }
    let written = pipe.fileHandleForReading.readDataToEndOfFile()
    #expect(Array(written) == [1, 2], "\(written.count) bytes")
  }
}
