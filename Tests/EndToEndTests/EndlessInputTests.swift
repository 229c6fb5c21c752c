import Foundation
import Testing
import WakeTestSupport

@Suite("Input without an end is refused in bounded time and memory")
struct EndlessInputTests {
  private static let device = "is a device; a trace is read from a file or a pipe"

  @Test(
    "by every command that reads a file",
    arguments: [
      ("verify", device), ("info", device), ("export", device), ("replay", device),
      ("repack -o out", device), ("query --type T", device), ("merge", nil),
      ("recover -o out", "is no regular file"), ("import jsonl -o out", "the line is longer than"),
      ("import jsonl --sort -o out", "the line is longer than"),
      ("import apple-health -o out", "no XML, so no Apple Health export"),
      ("record -o out", "the line is longer than"), ("policy check", "is longer than"),
    ] as [(String, String?)])
  func zeros(call: String, message: String?) throws {
    let shop = try Workshop()
    let words = call.split(separator: " ").map(String.init)
    let place = words.firstIndex(of: "-o") ?? words.count
    let arguments = words[..<place] + ["/dev/zero"] + words[place...]
    let command = try RouseCommand.start(Array(arguments), folder: shop.path)
    let result = try command.wait(seconds: 60)
    #expect(result.status == .exited(1), "\(call): \(result.errors)")
    #expect(
      result.errors.hasPrefix("rouse: /dev/zero"), "\(call): \(result.errors)")
    if let message { #expect(result.errors.contains(message), "\(call): \(result.errors)") }
    #expect(shop.files == [], "\(call)")
  }

  @Test("and standard input that is one; an empty device is an empty file")
  func standardInput() throws {
    let shop = try Workshop()
    let zeros = try shop.shell("timeout 20 \"$ROUSE\" verify - < /dev/zero")
    #expect(zeros.errors == "rouse: standard input: \(Self.device)\n")
    let empty = try shop.rouse("verify", "/dev/null")
    #expect(empty.errors == "rouse: /dev/null: the file is empty; a trace has blocks\n")
  }

  @Test("recover says of an empty trace where its events may be")
  func empty() throws {
    let shop = try Workshop()
    try shop.write("", to: "empty")
    let result = try shop.rouse("recover", "empty", "-o", "out")
    #expect(result.status == .exited(1) && shop.files == ["empty"])
    #expect(
      result.errors.hasPrefix("rouse: empty: the file is empty: no block was written; "),
      "\(result.errors)")
  }
}
