import Foundation
import Testing
import WakeEvents
import WakeImport

@Suite("The worked cases")
struct SharedCasesTests {
  @Test("are read, and written as what they say")
  func cases() throws {
    guard let folders = caseFolders, !folders.isEmpty else {
      print("SKIPPED: no worked cases found; set ROUSE_SHARED to the folder that holds `cases`.")
      return
    }
    for folder in folders {
      let input = try Data(contentsOf: folder.appendingPathComponent("input.jsonl"))
      let symbols = Symbols()
      let result = read([UInt8](input), symbols: symbols)
      #expect(result.error == nil, "\(folder.lastPathComponent)")
      #expect(!result.events.isEmpty, "\(folder.lastPathComponent)")
      let events = result.events.map(\.event)
      let again = read(write(events, symbols: symbols), symbols: symbols)
      #expect(again.events.map(\.event) == events, "\(folder.lastPathComponent)")

      let policy = try Data(contentsOf: folder.appendingPathComponent("policy.json"))
      #expect(throws: Never.self, "\(folder.lastPathComponent)") {
        try PolicyReader(file: "policy.json").read([UInt8](policy))
      }
    }
  }
}
