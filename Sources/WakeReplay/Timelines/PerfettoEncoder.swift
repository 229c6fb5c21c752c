import WakeEvents

/// Writes Perfetto's trace format: packets with track events
/// (https://perfetto.dev/docs/reference/synthetic-track-event).
///
/// Each device is a packet sequence with interned names of its own, so that devices can be encoded apart.
struct PerfettoEncoder: TimelineEncoder {
  private var writer = ProtobufWriter()
  private let sequence: UInt32
  /// The device's own uuid; those of its tracks follow it.
  private let device: UInt64
  /// The numbers of names, from 1.
  private var eventNames: [ExactName: Int] = [:]
  private var valueNames: [(key: StaticString, number: Int)] = []

  init(device name: String, place: Int, base: Int64) {
    sequence = UInt32(truncatingIfNeeded: place + 1)
    device = (UInt64(place) + 1) << 24
    packet { [device] packet in
      packet.integer(Packet.sequenceFlags, 1)  // SEQ_INCREMENTAL_STATE_CLEARED
      packet.message(Packet.defaults) { $0.integer(Packet.clock, Self.realTime) }
      packet.message(Packet.trackDescriptor) { track in
        track.integer(Track.uuid, device)
        track.string(Track.name, name.isEmpty ? "device" : name)
        track.integer(Track.merging, Self.neverMerged)
        track.integer(Track.ordering, Self.byRank)
      }
    }
  }

  /// The one clock snapshot says that times are UTC.
  static func header(base: Int64) -> [UInt8] {
    var writer = ProtobufWriter()
    writer.message(1) { packet in
      packet.integer(Packet.sequence, 1)
      packet.message(Packet.clockSnapshot) { snapshot in
        snapshot.message(1) { clock in
          clock.integer(1, realTime)
          clock.integer(2, base)
        }
        snapshot.integer(2, realTime)  // primary_trace_clock
      }
    }
    return writer.bytes
  }

  static var footer: [UInt8] { [] }

  mutating func add(_ track: TimelineTrack) {
    packet { [device] packet in
      packet.message(Packet.trackDescriptor) { descriptor in
        descriptor.integer(Track.uuid, device + UInt64(track.number))
        descriptor.integer(Track.parent, device + UInt64(track.group.number))
        descriptor.string(Track.name, track.name)
        // Tracks of one name would be one: an app that is named "lock", a type that is named "wakes".
        descriptor.integer(Track.merging, Self.neverMerged)
        descriptor.integer(Track.rank, track.rank)
        switch track.kind {
        case .group: descriptor.integer(Track.ordering, Self.byRank)
        case .values: descriptor.message(Track.counter) { $0.string(6, "saves") }
        case .slices: break
        }
      }
    }
  }

  mutating func add(_ slice: TimelineSlice, to track: TimelineTrack) {
    var newNames: [(field: UInt64, number: Int, name: String)] = []
    let exact = ExactName(slice.name)
    let known = eventNames[exact]
    let name = known ?? eventNames.count + 1
    if known == nil {
      eventNames[exact] = name
      newNames.append((2, name, slice.name))
    }
    let keys = slice.values.map { entry in
      if let known = valueNames.first(where: { $0.key.isSame(as: entry.key) }) {
        return known.number
      }
      let number = valueNames.count + 1
      valueNames.append((entry.key, number))
      newNames.append((3, number, "\(entry.key)"))
      return number
    }
    event(.sliceBegin, track, at: slice.start, newNames) { event in
      event.integer(Event.name, name)
      switch slice.flow {
      case .begins(let flow): event.fixed(Event.flow, flow)
      case .ends(let flow): event.fixed(Event.lastFlow, flow)
      case nil: break
      }
      for (key, entry) in zip(keys, slice.values) {
        event.message(Event.annotation) { annotation in
          annotation.integer(1, key)
          switch entry.value {
          case .number(let number): annotation.integer(4, number)
          case .text(let text): annotation.string(6, text)
          }
        }
      }
    }
    event(.sliceEnd, track, at: slice.end, []) { _ in }
  }

  mutating func add(_ value: Int, at time: Int64, to track: TimelineTrack) {
    event(.counter, track, at: time, []) { $0.integer(Event.counterValue, value) }
  }

  mutating func takeBytes() -> [UInt8] { writer.takeBytes() }
  var byteCount: Int { writer.bytes.count }

  private mutating func packet(_ write: (inout ProtobufWriter) -> Void) {
    writer.message(1) { [sequence] packet in
      packet.integer(Packet.sequence, sequence)
      write(&packet)
    }
  }

  private mutating func event(
    _ type: EventType, _ track: TimelineTrack, at time: Int64,
    _ newNames: [(field: UInt64, number: Int, name: String)],
    _ write: (inout ProtobufWriter) -> Void
  ) {
    packet { [device] packet in
      packet.integer(Packet.timestamp, time)
      packet.integer(Packet.sequenceFlags, 2)  // SEQ_NEEDS_INCREMENTAL_STATE
      if !newNames.isEmpty {
        packet.message(Packet.internedData) { interned in
          for new in newNames {
            interned.message(new.field) { entry in
              entry.integer(1, new.number)
              entry.string(2, new.name)
            }
          }
        }
      }
      packet.message(Packet.trackEvent) { event in
        event.integer(Event.type, type.rawValue)
        event.integer(Event.track, device + UInt64(track.number))
        write(&event)
      }
    }
  }

  // Numbers of Perfetto's `trace_packet.proto`, `track_descriptor.proto` and `track_event.proto`.

  private enum Packet {
    static let clockSnapshot: UInt64 = 6
    static let timestamp: UInt64 = 8
    static let sequence: UInt64 = 10
    static let trackEvent: UInt64 = 11
    static let internedData: UInt64 = 12
    static let sequenceFlags: UInt64 = 13
    static let clock: UInt64 = 58
    static let defaults: UInt64 = 59
    static let trackDescriptor: UInt64 = 60
  }

  private enum Track {
    static let uuid: UInt64 = 1
    static let name: UInt64 = 2
    static let parent: UInt64 = 5
    static let counter: UInt64 = 8
    static let ordering: UInt64 = 11
    static let rank: UInt64 = 12
    static let merging: UInt64 = 15
  }

  private enum Event {
    static let annotation: UInt64 = 4
    static let type: UInt64 = 9
    static let name: UInt64 = 10
    static let track: UInt64 = 11
    static let counterValue: UInt64 = 30
    static let flow: UInt64 = 47
    static let lastFlow: UInt64 = 48
  }

  private enum EventType: Int {
    case sliceBegin = 1
    case sliceEnd = 2
    case counter = 4
  }

  /// BUILTIN_CLOCK_REALTIME.
  private static let realTime = 1
  /// SIBLING_MERGE_BEHAVIOR_NONE.
  private static let neverMerged = 2
  /// ChildTracksOrdering.EXPLICIT.
  private static let byRank = 3
}

extension StaticString {
  /// Whether this is the same literal, or one of the same text.
  fileprivate func isSame(as other: StaticString) -> Bool {
    unsafe utf8Start == other.utf8Start || description == other.description
  }
}
