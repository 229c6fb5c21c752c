import WakeEvents
import WakeJSON
import WakeScheduling
public import WakeTrace

/// Replays traces with accelerations and with none, and compares wake logs, counts and digests.
///
/// There are three replays: one with no acceleration, and two with accelerations, since wakes are
/// told otherwise while a wake log is written. The wake logs are in temporary files.
public struct ReplayVerification {
  /// What the comparison found.
  public enum Outcome: Sendable {
    /// The results are equal.
    case equal(ReplayResult)
    /// The first wake that differs.
    case wakesDiffer(WakeDifference)
    /// The wake logs are equal, but these counts differ.
    case countsDiffer([CountDifference])
  }

  /// The first wake that differs, as lines of the wake log.
  public struct WakeDifference: Hashable, Sendable {
    /// The device's name.
    public var device: String
    /// The wake's number on its device, from 1.
    public var number: Int
    /// The line with accelerations; nil if that replay has no such wake.
    public var accelerated: String?
    /// The line without; nil if that replay has no such wake.
    public var plain: String?
  }

  /// A count of the summary, or the digest, that differs.
  public struct CountDifference: Hashable, Sendable {
    /// The key in the summary, or `apps` if counts of single apps differ.
    public var key: String
    /// The value with accelerations.
    public var accelerated: String
    /// The value without.
    public var plain: String
  }

  private let files: [TraceFile]
  private let accelerated: ReplayOptions
  private let plain: ReplayOptions

  /// Makes a comparison of a replay with these options and one without accelerations.
  public init(files: [TraceFile], options: ReplayOptions) {
    var plain = options
    plain.accelerations = []
    plain.skipsQuiet = false
    self.init(files: files, options, plain)
  }

  /// Makes a comparison of two replays, for tests.
  package init(files: [TraceFile], _ accelerated: ReplayOptions, _ plain: ReplayOptions) {
    self.files = files
    (self.accelerated, self.plain) = (accelerated, plain)
  }

  /// Runs the replays.
  ///
  /// - Parameter progress: As in ``Replayer/run(progress:)``, for each of the replays.
  /// - Throws: `TraceError` as ``Replayer/run(progress:)`` does.
  /// - Complexity: O(events), and O(wakes) space on disk.
  public func run(
    progress: (@Sendable (_ done: Int, _ all: Int) -> Void)? = nil
  ) throws(TraceError) -> Outcome {
    let expectedLog = try WakeLog()
    let expected = try Replayer(files: files, options: plain)
      .run(log: expectedLog, progress: progress)
    let log = try WakeLog()
    let logged = try Replayer(files: files, options: accelerated).run(log: log, progress: progress)
    if let wake = try Self.wakeDifference(log, expectedLog) { return .wakesDiffer(wake) }
    let counted = try Replayer(files: files, options: accelerated).run(progress: progress)
    for result in [logged, counted] {
      let differences = Self.countDifferences(result, expected)
      guard differences.isEmpty else { return .countsDiffer(differences) }
    }
    return .equal(counted)
  }

  private static func countDifferences(
    _ first: ReplayResult, _ second: ReplayResult
  ) -> [CountDifference] {
    var differences: [CountDifference] = []
    func compare(_ key: String, _ accelerated: String, _ plain: String) {
      guard accelerated != plain else { return }
      differences.append(CountDifference(key: key, accelerated: accelerated, plain: plain))
    }
    for (key, path) in Summary.counts {
      compare(key, "\(first.summary[keyPath: path])", "\(second.summary[keyPath: path])")
    }
    compare(
      "stoppedApps", "\(first.summary.stoppedApps.map(\.shown))",
      "\(second.summary.stoppedApps.map(\.shown))")
    compare("digest", "\(first.digest)", "\(second.digest)")
    compare("apps", "\(first.apps.count) apps", "\(second.apps.count) apps")
    for (left, right) in zip(first.apps, second.apps) where left != right {
      compare("apps", "\(left)", "\(right)")
    }
    return differences
  }

  // A line of the wake log begins with `{"device":NAME,"t":` or `{"t":`, and a device's lines are adjacent.

  /// The first lines that differ; nil if none do.
  private static func wakeDifference(
    _ accelerated: WakeLog, _ plain: WakeLog
  ) throws(TraceError) -> WakeDifference? {
    var (first, second) = (LineReader(accelerated), LineReader(plain))
    var (device, number) = ([UInt8](), 0)
    while true {
      let (left, right) = (try first.next(), try second.next())
      if left == nil, right == nil { return nil }
      let heads = [left, right].map { $0.map(head) }
      // If the devices differ, the device of the preceding lines comes first: the other replay lacks its wake.
      let current = heads.contains(device) ? device : heads[0] ?? heads[1] ?? []
      number = current == device ? number + 1 : 1
      device = current
      guard left != right else { continue }
      func line(_ line: [UInt8]?, _ head: [UInt8]?) -> String? {
        head == device || !heads.contains(device)
          ? line.map { String(decoding: $0, as: UTF8.self) } : nil
      }
      return WakeDifference(
        device: name(ofHead: device), number: number, accelerated: line(left, heads[0]),
        plain: line(right, heads[1]))
    }
  }

  /// What a line has before its time.
  private static func head(_ line: [UInt8]) -> [UInt8] {
    let key = Array("\"t\":".utf8)
    // Quotes within a name are escaped, so the key does not occur in one.
    let end = line.indices.first { line[$0...].starts(with: key) } ?? line.endIndex
    return Array(line[..<end])
  }

  private static func name(ofHead head: [UInt8]) -> String {
    // Between the key and the comma behind it.
    let name = Array(head.dropFirst("{\"device\":".count).dropLast())
    let text = try? name.withJSONBytes { bytes throws(JSONError) in
      var parser = JSONParser(bytes)
      return bytes.string(try bytes.string(try parser.readDocument()))
    }
    return text ?? ""
  }
}

/// Reads a wake log line by line.
private struct LineReader {
  private let log: WakeLog
  private var offset: Int64 = 0
  private var buffer: [UInt8] = []
  private var start = 0

  init(_ log: WakeLog) { self.log = log }

  /// The next line without its end; nil at the end of the log.
  mutating func next() throws(TraceError) -> [UInt8]? {
    while true {
      if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      let piece = try log.bytes(from: offset, count: 1 << 20)
      guard !piece.isEmpty else { return nil }
      offset += Int64(piece.count)
      buffer.removeFirst(start)
      start = 0
      buffer += piece
    }
  }
}
