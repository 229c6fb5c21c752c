import Synchronization
package import WakeEvents
import WakeScheduling
package import WakeTrace

/// The formats of timelines.
package enum TimelineFormat: String, CaseIterable, Sendable {
  /// Perfetto's, binary.
  case perfetto
  /// The Trace Event Format of Chrome's tracing, JSON.
  case chrome

  fileprivate var encoder: any TimelineEncoder.Type {
    switch self {
    case .perfetto: PerfettoEncoder.self
    case .chrome: ChromeEncoder.self
    }
  }
}

/// Writes a timeline of a replay as it goes, device by device.
package final class TimelineExport: ReplayObserver {
  /// The time of the first event, in nanoseconds since 1970.
  let base: Int64
  private let format: TimelineFormat
  /// The apps that are shown; empty is all.
  private let apps: Set<ExactName>
  private let output: WakeLog
  private let sums = Mutex(TimelineCounts())

  /// Starts a file; ``commit()`` puts it in place.
  ///
  /// - Parameters:
  ///   - base: The time of the first event of the traces.
  ///   - apps: The apps that are shown; empty is all.
  package init(
    _ format: TimelineFormat, base: Timestamp, apps: Set<ExactName> = [], path: String,
    isPrivate: Bool
  ) throws(TraceError) {
    self.format = format
    self.base = base.nanoseconds
    self.apps = apps
    output = try WakeLog(path: path, isPrivate: isPrivate)
    try output.append(format.encoder.header(base: base.nanoseconds), device: 0)
  }

  /// What the devices that are complete have.
  package var counts: TimelineCounts { sums.withLock { $0 } }

  package var seesStates: Bool { true }

  package func observer(
    ofDevice name: String, place: Int, _ symbols: Symbols
  ) -> any DeviceObserver {
    DeviceTracks(
      of: self, format.encoder.init(device: name, place: place, base: base), place: place, symbols)
  }

  func shows(app name: String) -> Bool { apps.isEmpty || apps.contains(ExactName(name)) }

  func append(_ bytes: [UInt8], device: Int) throws(TraceError) {
    try output.append(bytes, device: device)
  }

  func finish(device: Int, _ counts: TimelineCounts) throws(TraceError) {
    sums.withLock { $0.add(counts) }
    try output.finish(device: device)
  }

  /// Puts the file in place, after the replay.
  package func commit() throws(TraceError) {
    try output.appendAtEnd(format.encoder.footer)
    try output.commit()
  }
}
