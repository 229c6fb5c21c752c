import Foundation
import Testing
import WakeCases
import WakeTestSupport

@Suite("The worked cases in the product")
struct WorkedCaseTests {
  @Test("are those of Tests/WakeSchedulingTests/Cases, but for the random ones")
  func equal() throws {
    let folders = PackageFolder.cases.filter {
      !URL(filePath: $0).lastPathComponent.hasPrefix("random-")
    }
    let cases = try WorkedCase.all()
    #expect(cases.map(\.name) == folders.map { URL(filePath: $0).lastPathComponent })
    for (given, folder) in zip(cases, folders) {
      let expected = try CaseFile.load(folder)
      #expect(given.policy == expected.policy, "\(given.name)")
      #expect(
        given.events.map { CasePrinter.line($0, symbols: given.symbols) }
          == expected.events.map { CasePrinter.line($0, symbols: expected.symbols) },
        "\(given.name): copy the case into Sources/WakeCases/cases.txt")
    }
  }
}
