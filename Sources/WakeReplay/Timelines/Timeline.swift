/// A row of a timeline.
struct TimelineTrack {
  enum Kind {
    /// It holds other tracks.
    case group
    /// Slices, of which no two overlap.
    case slices
    /// Values that hold until the next one.
    case values
  }

  /// The number on its device, from 1; 0 is the device itself.
  var number: Int
  var kind: Kind
  var name: String
  /// The group that it is in: a number, and a name for formats whose tracks are not nested.
  var group: (number: Int, name: String)
  /// Its place in the group.
  var rank: Int
}

/// What happened on a track from a time to another, in nanoseconds since 1970.
struct TimelineSlice {
  /// The end of an arrow from one slice to another.
  enum Flow {
    case begins(UInt64)
    case ends(UInt64)
  }

  enum Value {
    case number(Int)
    case text(String)
  }

  var name: String
  var start: Int64
  var end: Int64
  var flow: Flow?
  /// What a click on the slice tells.
  var values: [(key: StaticString, value: Value)] = []
}

/// Writes the timeline of one device in a format.
///
/// Slices of a track come one after the other, so that each begins where the one before has ended or later; apart from
/// that nothing comes in the order of time.
protocol TimelineEncoder {
  /// Starts with a device.
  ///
  /// - Parameters:
  ///   - name: The device's name.
  ///   - place: The device's place in the order of first appearance.
  ///   - base: The time of the first event of all devices, in nanoseconds since 1970.
  init(device name: String, place: Int, base: Int64)

  /// What the file begins with.
  static func header(base: Int64) -> [UInt8]
  /// What the file ends with.
  static var footer: [UInt8] { get }

  /// Adds a track, before anything on it.
  mutating func add(_ track: TimelineTrack)
  mutating func add(_ slice: TimelineSlice, to track: TimelineTrack)
  mutating func add(_ value: Int, at time: Int64, to track: TimelineTrack)

  /// The bytes so far, which are then no longer here.
  mutating func takeBytes() -> [UInt8]
  var byteCount: Int { get }
}

/// What a timeline has.
package struct TimelineCounts: Hashable, Sendable {
  package var slices = 0
  package var flows = 0
  package var values = 0
  /// Tracks with slices or values.
  package var tracks = 0

  mutating func add(_ other: Self) {
    slices += other.slices
    flows += other.flows
    values += other.values
    tracks += other.tracks
  }
}
