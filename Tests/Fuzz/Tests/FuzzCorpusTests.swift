import Foundation
import FuzzTargets
import Testing

/// The corpus of `.ci/check-fuzz`, and the inputs that it found (`Tests/Fuzz/Found`), without libFuzzer.
///
/// Serialized, since targets share the file that holds an input.
@Suite("Inputs of the fuzzer, each of which found a way or a fault", .serialized)
struct FuzzCorpusTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test("are read or refused", arguments: FuzzTarget.allCases)
  func inputs(target: FuzzTarget) throws {
    var (count, accepted) = (0, 0)
    for kind in ["Corpus", "Found"] {
      let folder = Self.folder.appending(path: "\(kind)/\(target.rawValue)").path()
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        let isAccepted = target.run(
          [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
        guard kind == "Corpus" else { continue }
        count += 1
        if isAccepted { accepted += 1 }
      }
    }
    // A change of a format makes seeds useless in silence: then run Tests/Fuzz/make-corpus.
    #expect(accepted > count / 2, "\(accepted) of \(count) seeds of \(target) are accepted")
  }
}
