import Foundation
import Kernels
import Testing
import WakeTestSupport

@Suite("ROUSE_CPU")
struct CPUVariableTests {
  @Test("changes no result", arguments: ProcessorPath.available)
  func results(path: ProcessorPath) throws {
    let folder = PackageFolder.root.appending(path: "Traces").path()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".wtrace") }
    #expect(!names.isEmpty)
    for name in names {
      let trace = "\(folder)/\(name)"
      let stem = trace.dropLast(".wtrace".count)
      let result = try RouseCommand.run(
        ["replay", trace, "--policy", "\(stem).policy.json", "--json"],
        environment: [ProcessorPath.variable: "\(path)"])
      #expect(result.status == .exited(0), "\(name): \(result.errors)")
      let expected = try JSONValue.parsing(
        String(contentsOfFile: "\(stem).summary.json", encoding: .utf8))
      #expect(try result.json()["summary"] == expected, "\(name)")
    }
  }
}
