import Foundation
import Testing
import WakeEvents
import WakeRecorder
import WakeTestSupport

/// The ring file of a user without rights names a trace that only root may read, and root recovers it.
@Suite("recover, by root, of another user's ring", .enabled(if: geteuid() == 0, "needs root"))
struct OtherUsersRingTests {
  private static let nobody: uid_t = 65_534
  private let shop: Workshop

  init() throws {
    shop = try Workshop()
    #expect(unsafe chmod(shop.path, 0o755) == 0)
  }

  /// Leaves nobody's `left.ring`, of 103 events of which the trace that it names has 100; that is root's.
  private func makeRing(trace: String) throws {
    var options = Recorder.Options(trace: "\(shop.path)/\(trace)")
    options.ringFolder = shop.path
    options.flushInterval = .seconds(1_000)
    let recorder = try Recorder(options)
    let (type, source) = (try recorder.type("type"), try recorder.source("source"))
    var producer = try recorder.producer()
    for number in 0..<100 as Range<Int64> {
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
    }
    try recorder.flush()
    for number in 100..<103 as Range<Int64> {
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
    }
    let ring = try #require(shop.files.first { $0.hasSuffix(".ring") })
    let bytes = try shop.read(ring)
    try recorder.close()
    // Without the last events, as a killed recorder leaves it.
    try shop.write(bytes, to: "left.ring")
    let kept = try shop.shell(
      "chmod 600 \(trace) left.ring && chown \(Self.nobody):\(Self.nobody) left.ring")
    try #require(kept.status == .exited(0), "\(kept.errors)")
  }

  /// The times of the events that `recover` puts into `out`.
  private func recovered(_ expected: RouseCommand.Status, telling message: String?) throws -> [Int]
  {
    let result = try shop.rouse("recover", "left.ring", "-o", "out")
    #expect(result.status == expected, "\(result.errors)")
    if let message { #expect(result.errors.contains(message), "\(result.errors)") }
    let lines = try shop.rouse("export", "out").output.split(separator: "\n")
    return try lines.map { try JSONValue.parsing(String($0))["t"]?.wholeNumber ?? -1 }.map(Int.init)
  }

  @Test(
    "does not copy a trace that this user may not read, be it named or behind a link",
    arguments: [false, true])
  func secret(isLinked: Bool) throws {
    try makeRing(trace: "secret.wtrace")
    let whole = try shop.read("secret.wtrace")
    if isLinked {
      let moved = try shop.shell(
        """
        mkdir -m 700 own && mv secret.wtrace own/ && ln -s own/secret.wtrace secret.wtrace &&
        chown -h \(Self.nobody):\(Self.nobody) secret.wtrace
        """)
      try #require(moved.status == .exited(0), "\(moved.errors)")
    }
    // The recorder's close has added the last three.
    #expect(try shop.rouse("export", "secret.wtrace").output.split(separator: "\n").count == 103)
    let told = "secret.wtrace: belongs to another user"
    #expect(try recovered(.exited(1), telling: told) == [100, 101, 102])
    #expect(try shop.read("secret.wtrace") == whole)

    // Control: of the same user's trace, everything.
    let given = try shop.shell(
      "chown \(Self.nobody):\(Self.nobody) \(isLinked ? "own/" : "")secret.wtrace")
    try #require(given.status == .exited(0), "\(given.errors)")
    #expect(try recovered(.exited(0), telling: nil) == Array(0..<103))
  }
}
