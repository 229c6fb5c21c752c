import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

/// Kills a process that records, at a random moment, and recovers what it left.
///
/// `ROUSE_KILLS=200` kills so many in each mode; 8 are the usual, and `.ci/check-kills` kills more.
@Suite("kill -9 loses nothing whose call had returned", .serialized)
struct KillTests {
  private static let kills =
    ProcessInfo.processInfo.environment["ROUSE_KILLS"].flatMap { Int($0) } ?? 8
  private static let threads = 4

  static var victim: String {
    Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }?
      .deletingLastPathComponent().appending(path: "RecordingVictim").path
      ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "RecordingVictim").path
  }

  @Test(arguments: RecorderMode.allCases)
  func kill(mode: RecorderMode) throws {
    var lost: UInt64 = 0
    for round in 0..<Self.kills {
      let folder = try ScratchFolder()
      lost += try killOnce(mode, round: round, folder)
    }
    // On a busy machine the component may not have come so far that a ring is full.
    for round in Self.kills..<Self.kills + 30 where mode != .block && lost == 0 {
      let folder = try ScratchFolder()
      lost += try killOnce(mode, round: round, folder, within: 1_000_000)
    }
    if mode != .block { #expect(lost > 0, "no ring was ever full, so loss is not tested") }
  }

  private func killOnce(
    _ mode: RecorderMode, round: Int, _ folder: ScratchFolder,
    within microseconds: UInt32 = 40_000
  ) throws -> UInt64 {
    let trace = folder.file("a.wtrace")
    let progressPath = folder.file("progress")
    let process = Process()
    process.executableURL = URL(filePath: Self.victim)
    process.arguments = [
      mode == .overwrite ? "-" : trace, "\(mode)", folder.path, progressPath, "\(Self.threads)",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.start()
    _ = pipe.fileHandleForReading.availableData  // "started"
    usleep(UInt32.random(in: 0..<microseconds))
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal, "round \(round)")

    let rings = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".ring") }
    let ring = folder.file(try #require(rings.first))
    let clean = folder.file("clean.wtrace")
    let output = try FileOutput(path: clean)
    let recovery = TraceRecovery(to: output)
    if let file = try? TraceFile(path: trace) { _ = try recovery.add(trace: file) }
    let report = try recovery.add(LeftRing(ring))
    #expect(report.problems.isEmpty, "round \(round): \(report.problems)")
    try output.commit()

    let progress = try SharedProgress(path: progressPath, count: 2 * Self.threads)
    let isEmpty = try FileManager.default.attributesOfItem(atPath: clean)[.size] as? Int == 0
    let read = isEmpty ? nil : try RecordedTrace(clean)
    if !isEmpty {
      let verification = TraceVerification(of: try TraceFile(path: clean))
      #expect(verification.isWhole, "round \(round): \(verification.problems)")
    }
    for thread in 0..<Self.threads {
      let what = "round \(round), thread \(thread)"
      let (returned, told) = (progress[2 * thread], progress[2 * thread + 1])
      let producer = read?.producers["thread \(thread)"] ?? RecordedTrace.Producer()
      #expect(producer.objection == nil, "\(what): \(producer.objection ?? "")")
      // The call that was under way may have recorded its event, or not.
      let accounted = UInt64(producer.numbers.count) + producer.lost
      #expect(accounted == returned || accounted == returned + 1, "\(what)")
      if mode == .block { #expect(producer.lost == 0, "\(what)") }
      if mode == .drop {
        #expect(producer.lost == told || producer.lost == told + 1, "\(what)")
      }
    }
    return read?.lost ?? 0
  }
}
