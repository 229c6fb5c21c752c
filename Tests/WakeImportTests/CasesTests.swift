import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeTestSupport

@Suite("The worked cases")
struct CasesTests {
  @Test("are read, and written as what they say")
  func cases() throws {
    let folders = PackageFolder.cases.map { URL(filePath: $0) }
    #expect(folders.count == 64)
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
