package import WakeEvents
import WakeScheduling
package import WakeTrace

/// A report of a replay: one HTML file that asks for nothing else.
package struct Report {
  /// What is told beside the result.
  package struct Heading: Sendable {
    /// Where the policy comes from: a preset or a file, in words.
    package var policy: String
    /// Keys that the policy has otherwise than its preset: path, value, and the preset's value.
    package var changes: [(path: String, value: String, preset: String)] = []
    /// What to know about the result.
    package var remarks: [String] = []
    package var tool: String

    package init(policy: String, tool: String) {
      self.policy = policy
      self.tool = tool
    }
  }

  package var heading: Heading
  let policy: Policy
  /// Whether devices were chosen for the timeline.
  let hasChoice: Bool
  package let result: ReplayResult
  let findings: TimelineObserver.Findings

  /// The most bytes that timelines take before base64, if there are several.
  private static let mostBytes = 5_500_000

  /// Replays traces.
  ///
  /// - Parameters:
  ///   - devices: Those that the timeline shows; empty for the busiest. The tables are of all devices.
  ///   - options: Logs and latencies are left out.
  ///   - progress: As in ``Replayer/run(progress:)``.
  /// - Complexity: O(events). Memory grows with the wakes of the devices in progress, to about 1 GB, and with the
  ///   timelines that are shown.
  package init(
    _ heading: Heading, files: [TraceFile], options: ReplayOptions, devices: Set<ExactName>,
    progress: (@Sendable (_ done: Int, _ all: Int) -> Void)? = nil
  ) throws(TraceError) {
    self.heading = heading
    policy = options.policy
    hasChoice = !devices.isEmpty
    var options = options
    options.wakeLog = nil
    options.waitLog = nil
    options.sumsWaits = true
    options.measuresLatency = false
    var bounds = ReplayOptions.Bounds()
    bounds.keepsCurve = true
    options.bounds = bounds
    let observer = TimelineObserver(devices: devices, mostBytes: Self.mostBytes)
    result = try Replayer(files: files, options: options).run(
      observer: observer, progress: progress)
    findings = observer.findings
  }

  /// The names of the devices that the timeline shows.
  package var devicesShown: [String] { findings.devices.map(\.name) }

  /// The file.
  package var html: [UInt8] { ReportPage(self).bytes }
}
