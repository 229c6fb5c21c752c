import CSystem
import Foundation
import Synchronization
import Testing
import WakeTestSupport

@testable import WakeTrace

@Suite("A file is replaced as a whole")
struct ReplacedFileTests {
  private let folder: ScratchFolder
  private var path: String { folder.file("a.wtrace") }

  init() throws { folder = try ScratchFolder() }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws {
    let output = try FileOutput(path: path, isPrivate: isPrivate)
    try output.write(bytes)
    try output.commit()
  }

  private func permissions(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test("by many at once: each succeeds, and the file is always one of theirs, whole")
  func manyAtOnce() throws {
    let path = path
    try write([UInt8](repeating: 0, count: 1_000), to: path)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<50 {
        do {
          let bytes = [UInt8](repeating: UInt8(thread * 32 + round % 32), count: 1_000)
          let output = try FileOutput(path: path)
          for start in stride(from: 0, to: 1_000, by: 100) {
            try output.write(Array(bytes[start..<start + 100]))
          }
          try output.commit()
          let found = [UInt8](try Data(contentsOf: URL(filePath: path)))
          if found.count != 1_000 || Set(found).count != 1 {
            failures.withLock {
              $0.append("thread \(thread), round \(round): \(found.count) bytes")
            }
          }
        } catch {
          failures.withLock { $0.append("thread \(thread), round \(round): \(error)") }
        }
      }
    }
    let found = failures.withLock { $0 }
    #expect(found == [], "\(found.count) of 400 failed")
    #expect(try files == ["a.wtrace"])
  }

  @Test("and no link of a foreseeable name is followed")
  func plantedLinks() throws {
    let victim = folder.file("victim")
    try Data([7]).write(to: URL(filePath: victim))
    let planted = path + ".\(getpid()).partial"
    try FileManager.default.createSymbolicLink(atPath: planted, withDestinationPath: victim)
    try write([1, 2, 3], to: path)
    #expect(try Data(contentsOf: URL(filePath: victim)) == Data([7]))
    #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
    let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    #expect(type == .typeRegular)
  }

  @Test("with the permissions of the file that it replaces; a new one with those asked for")
  func permissions() throws {
    try write([1], to: path)
    let usual = try permissions(path)
    #expect(usual & 0o111 == 0 && usual & 0o600 == 0o600, "\(String(usual, radix: 8))")
    for mode in [0o600, 0o640, 0o666, 0o444] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      for isPrivate in [false, true] {
        try write([2], to: path, isPrivate: isPrivate)
        #expect(try permissions(path) == mode, "\(String(mode, radix: 8)), private: \(isPrivate)")
      }
    }
    try write([3], to: folder.file("private"), isPrivate: true)
    #expect(try permissions(folder.file("private")) == 0o600)
  }

  @Test(
    "without the mode of a file that another user has planted",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func planted() throws {
    try write([1], to: path)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o666, .ownerAccountID: 65_534], ofItemAtPath: path)
    try write([2], to: path)
    #expect(try permissions(path) == 0o600)
  }

  @Test("through a symbolic link, which stays one")
  func link() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("other"), withIntermediateDirectories: false)
    try write([1], to: folder.file("other/target"))
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: "other/target")
    try write([2], to: path)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "other/target")
    #expect(try Data(contentsOf: URL(filePath: folder.file("other/target"))) == Data([2]))
    #expect(try files == ["a.wtrace", "other"])
  }

  @Test("and what killed processes left of it is removed, that of the living is not")
  func abandoned() throws {
    let (dead, alive) = ("a.wtrace.0123456789abcdef.partial", "a.wtrace.fedcba9876543210.partial")
    let others = [
      "a.wtrace.partial", "a.wtrace.bak", "b.wtrace.0123456789abcdef.partial",
      "xa.wtrace.0123456789abcdef.partial", "a.wtrace.my-own-notes-016.partial",
    ]
    for name in [dead, alive] + others { try Data([9]).write(to: URL(filePath: folder.file(name))) }
    let descriptor = SystemCalls.open(folder.file(alive), O_WRONLY)
    #expect(descriptor >= 0 && system_lock_byte(descriptor, 0))
    try write([1], to: path)
    #expect(try files == (["a.wtrace", alive] + others).sorted())
    system_unlock_and_close(descriptor)
    try write([2], to: path)
    #expect(try files == (["a.wtrace"] + others).sorted())
  }
}
