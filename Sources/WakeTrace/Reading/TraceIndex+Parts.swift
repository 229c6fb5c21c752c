import Synchronization

// The parts of devices that have more than one.
extension TraceIndex {
  /// What is known of a device's parts, compact because a fleet has many devices.
  struct Spread {
    private var latest: Int64
    /// The stream of the last part, and the highest among all parts.
    private var stream: UInt32
    private var highestStream: UInt32
    /// The parts after the first.
    private(set) var count: Int32 = 0
    /// Whether the parts overlap in time, so that streams must be merged.
    private(set) var needsMerge = false

    /// Begins with a first part in a block of a stream.
    init(_ first: BlockHeader, stream: Int) {
      latest = first.latest
      self.stream = UInt32(stream)
      highestStream = self.stream
    }
  }

  /// The parts of each device in the order of the files: those of device i from `ends[i]` to `ends[i + 1]`.
  struct PartLists {
    var parts: [Part] = []
    var ends: [Int] = [0]
  }

  /// ``PartLists`` that are made when they are first asked for: a replay whose devices need no merging has no use for them.
  final class LazyPartLists: Sendable {
    let made = Mutex<PartLists?>(nil)
  }
}

extension TraceIndex.Spread {
  /// Adds a part, which is in a block of a stream.
  @inline(__always)
  mutating func add(_ header: BlockHeader, stream: Int) {
    let stream = UInt32(stream)
    if !needsMerge, self.stream != stream {
      needsMerge =
        header.earliest < latest
        // At equal times, the stream that appeared first comes first; a higher one is new.
        || header.earliest == latest && stream <= highestStream
    }
    self.stream = stream
    highestStream = max(highestStream, stream)
    latest = max(latest, header.latest)
    count += 1
  }
}

extension TraceIndex {
  /// Where a run of a block is among the parts of its device.
  package struct RunPlace: Sendable {
    /// The number of its device among those of more than one part; ``alone`` if it is the only part; ``elsewhere``.
    package let spread: Int32
    /// Its number among the parts of its device, from 0.
    package let part: Int32

    package init(spread: Int32, part: Int32) {
      self.spread = spread
      self.part = part
    }

    /// It is its device's only part.
    package static let alone: Int32 = -1
    /// Its device is not wanted, or its streams must be merged.
    package static let elsewhere: Int32 = -2
  }

  /// Replaces `places` with those of a block's runs.
  package func findPlaces(of block: Block, into places: inout [RunPlace]) {
    places.removeAll(keepingCapacity: true)
    places.reserveCapacity(block.devices.count)
    for (device, part) in zip(block.devices, block.parts) {
      var spread = device < 0 ? RunPlace.elsewhere : devices[Int(device)].spread
      if spread >= 0, spreads[Int(spread)].needsMerge { spread = RunPlace.elsewhere }
      places.append(RunPlace(spread: spread, part: part))
    }
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
  /// - Complexity: O(parts); the first time O(parts of all devices).
  package func parts(of device: Int) -> [Part] {
    guard devices[device].spread >= 0 else { return [devices[device].firstPart] }
    return partLists.made.withLock { made in
      let lists = made ?? listParts()
      made = lists
      return Array(lists.parts[lists.ends[device]..<lists.ends[device + 1]])
    }
  }

  private func listParts() -> PartLists {
    var lists = PartLists()
    lists.ends = [Int](repeating: 0, count: devices.count + 1)
    for device in devices.indices {
      lists.ends[device + 1] = lists.ends[device] + partCount(of: device)
    }
    guard let first = devices.first?.firstPart else { return lists }
    lists.parts = Array(repeating: first, count: lists.ends[devices.count])
    for (number, block) in blocks.enumerated() {
      let observesAlone = includesObservations ? block.entry.devicesWithoutInputs : []
      for (run, device) in block.devices.enumerated() where device >= 0 {
        let hash = devices[Int(device)].hash
        lists.parts[lists.ends[Int(device)] + Int(block.parts[run])] = Part(
          block: number, run: run, stream: block.stream,
          hasInputs: observesAlone.isEmpty || !observesAlone.contains(hash))
      }
    }
    return lists
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
