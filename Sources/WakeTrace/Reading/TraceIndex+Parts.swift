// The parts of devices that have more than one.
extension TraceIndex {
  /// The parts of a device after the first: a list in ``laterParts``. An array for each device would be allocated anew some
  /// four times while it grows.
  struct Spread {
    /// The places of the first and the last in ``laterParts``; -1 before there is one.
    var first: Int32 = -1
    var last: Int32 = -1
    var count: Int32 = 0
    var latest: Int64
    /// The stream of the last part, and the highest among all parts.
    var stream: Int
    var highestStream: Int
    /// Whether the parts overlap in time, so that streams must be merged.
    var needsMerge = false
  }

  /// A part in the list of its device.
  struct LaterPart {
    let part: Part
    /// The place of the next one of the device; -1 is none.
    var next: Int32 = -1
  }
}

extension TraceIndex.Spread {
  /// Adds a part that is at a place of ``TraceIndex/laterParts``; returns that of the one before, or -1.
  mutating func add(
    _ part: TraceIndex.Part, _ header: BlockHeader, at place: Int32
  ) -> Int32 {
    if !needsMerge, stream != part.stream {
      needsMerge =
        header.earliest < latest
        // At equal times, the stream that appeared first comes first; a higher one is new.
        || header.earliest == latest && part.stream <= highestStream
    }
    stream = part.stream
    highestStream = max(highestStream, part.stream)
    latest = max(latest, header.latest)
    defer { last = place }
    count += 1
    if first < 0 { first = place }
    return last
  }
}

// The parts of a device, by its index.
extension TraceIndex {
  /// The devices of more than one part.
  package var spreadCount: Int { spreads.count }

  /// The number of a device among those of more than one part; nil if it has but one.
  @inline(__always)
  package func spread(of device: Int) -> Int? {
    let place = devices[device].spread
    return place < 0 ? nil : Int(place)
  }

  /// Whether a device's parts overlap in time, so that its streams must be merged.
  package func needsMerge(_ device: Int) -> Bool {
    spread(of: device).map { spreads[$0].needsMerge } ?? false
  }

  package func partCount(of device: Int) -> Int {
    spread(of: device).map { Int(spreads[$0].count) + 1 } ?? 1
  }

  /// The parts of a device in the order of the files.
  ///
  /// - Complexity: O(parts).
  package func parts(of device: Int) -> [Part] {
    var parts = [devices[device].firstPart]
    var place = spread(of: device).map { spreads[$0].first } ?? -1
    while place >= 0 {
      let later = laterParts[Int(place)]
      parts.append(later.part)
      place = later.next
    }
    return parts
  }

  /// The parts of each of a device's streams, streams in the order of first appearance.
  package func partsByStream(of device: Int) -> [[Part]] {
    var order: [Int] = []
    var byStream: [Int: [Part]] = [:]
    for part in parts(of: device) {
      if byStream[part.stream] == nil { order.append(part.stream) }
      byStream[part.stream, default: []].append(part)
    }
    return order.map { byStream[$0] ?? [] }
  }
}
