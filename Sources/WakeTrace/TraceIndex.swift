import WakeEvents

/// The blocks of several traces, and in which order they reach each device.
///
/// Built from headers alone. Within a device, events of one stream keep their order, and streams are
/// merged by time (DESIGN, "The trace file").
package struct TraceIndex: Sendable {
  /// A block and the file that it stands in.
  package struct Block: Sendable {
    package var file: Int
    package var entry: BlockEntry
    /// The number of events before it in all the traces.
    package var firstEvent: Int
    /// For each run the device's place in ``TraceIndex/devices``, or -1 if it is not to be fed.
    package var lanes: [Int32]
  }

  /// A run of a block.
  package struct Part: Sendable {
    private let blockNumber: UInt32
    private let runNumber: UInt32
    private let streamNumber: UInt32

    init(block: Int, run: Int, stream: Int) {
      (blockNumber, runNumber, streamNumber) = (UInt32(block), UInt32(run), UInt32(stream))
    }

    package var block: Int { Int(blockNumber) }
    package var run: Int { Int(runNumber) }
    package var stream: Int { Int(streamNumber) }
  }

  /// A device and its parts.
  package struct Device: Sendable {
    package var hash: UInt64
    /// The latest time of the parts so far.
    fileprivate var latest: Int64
    fileprivate var otherParts: [Part] = []
    /// The first part in the order of the files: of most devices of a fleet, the only one.
    package let firstPart: Part
    /// How many parts there are.
    package private(set) var partCount = 1
    /// Whether the order of the files is not the order of time, so that streams must be merged.
    package var needsMerge = false

    fileprivate init(hash: UInt64, firstPart: Part, latest: Int64) {
      self.hash = hash
      self.firstPart = firstPart
      self.latest = latest
    }
  }

  package let files: [TraceFile]
  /// Streams in the traces.
  package var streamCount: Int { sequences.count }
  package private(set) var blocks: [Block] = []
  /// In the order of first appearance.
  package private(set) var devices: [Device] = []
  /// Whether any block starts a query with a predicate, so that samples need their details.
  package private(set) var startsPredicates = false
  /// Events in the blocks, fed or not.
  package private(set) var eventCount = 0
  /// Events that recorders say they lost.
  package private(set) var lostEvents: UInt64 = 0
  /// Blocks missing within streams.
  package private(set) var missingBlocks = 0
  /// What stands in place of blocks, where the replay keeps going.
  package private(set) var damages: [TraceError] = []
  /// Bytes that were passed over there.
  package private(set) var bytesPassedOver: Int64 = 0

  private var places = HashedPlaces()
  private var streams: [UInt64: Int] = [:]
  private var sequences: [UInt32] = []

  /// Scans the headers of files.
  ///
  /// - Throws: ``TraceError`` for the first damage, unless it is to keep going.
  package init(
    files: [TraceFile], selection: BlockSelection = BlockSelection(), keepsGoing: Bool = false
  ) throws(TraceError) {
    self.files = files
    let wanted = Set(selection.devices.map { NameHash.device($0) })
    let types = Set(selection.types.map { NameHash.of($0) })
    for file in files.indices {
      var scan = BlockScan(files[file])
      while true {
        do throws(TraceError) {
          guard let entry = try scan.next() else { break }
          add(entry, file: file, selection: selection, devices: wanted, types: types)
        } catch let error {
          guard keepsGoing else { throw error }
          damages.append(error)
          bytesPassedOver += try scan.resume()
        }
      }
    }
  }

  private mutating func add(
    _ entry: BlockEntry, file: Int, selection: BlockSelection, devices wanted: Set<UInt64>,
    types: Set<UInt64>
  ) {
    var entry = entry
    let header = entry.header
    let stream = stream(of: header)
    // A file may say anything, even more than there are numbers.
    let (lost, overflows) = lostEvents.addingReportingOverflow(header.lostBefore)
    lostEvents = overflows ? .max : lost
    defer { eventCount += header.events }
    if let from = selection.from, header.latest < from { return }
    if let to = selection.to, header.earliest >= to { return }
    if !types.isEmpty, header.flags.contains(.samplesOnly),
      !header.flags.contains(.typesUnlisted),
      !header.types.contains(where: { types.contains($0.typeHash) })
    {
      return
    }
    entry.forgetTypes()
    var block = Block(file: file, entry: entry, firstEvent: eventCount, lanes: [])
    block.lanes.reserveCapacity(header.runs.count)
    for (run, listed) in header.runs.enumerated() {
      guard wanted.isEmpty || wanted.contains(listed.deviceHash) else {
        block.lanes.append(-1)
        continue
      }
      let part = Part(block: blocks.count, run: run, stream: stream)
      block.lanes.append(Int32(add(part, of: listed.deviceHash, header)))
    }
    guard block.lanes.contains(where: { $0 >= 0 }) else { return }
    if header.flags.contains(.startsPredicate) { startsPredicates = true }
    blocks.append(block)
  }

  /// The number of a block's stream. A stream whose blocks begin anew, as when a trace is given twice,
  /// counts as another one.
  private mutating func stream(of header: BlockHeader) -> Int {
    if let known = streams[header.stream], header.sequence > sequences[known] {
      missingBlocks += Int(header.sequence - sequences[known]) - 1
      sequences[known] = header.sequence
      return known
    }
    let number = sequences.count
    streams[header.stream] = number
    sequences.append(header.sequence)
    return number
  }

  /// Adds a part to a device, which is new with its first one; returns the device's place.
  private mutating func add(_ part: Part, of hash: UInt64, _ header: BlockHeader) -> Int {
    var probe = places.probe(for: Self.shuffled(hash))
    while let place = places.next(&probe) {
      guard devices[place].hash == hash else { continue }
      devices[place].add(part, header)
      return place
    }
    places.append(at: probe)
    devices.append(Device(hash: hash, firstPart: part, latest: header.latest))
    return devices.count - 1
  }

  /// A hash of a device's hash that nobody can foresee, whatever devices a trace makes up.
  private static func shuffled(_ hash: UInt64) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(hash)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

extension TraceIndex {
  /// Where the block of an event stands, by the event's number in all the traces.
  ///
  /// - Complexity: O(log blocks).
  package func place(ofEvent event: Int) -> (file: String, offset: Int64)? {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].firstEvent <= event { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    return (files[blocks[low - 1].file].name, blocks[low - 1].entry.offset)
  }
}

extension TraceIndex.Device {
  /// A part by its place in the order of the files.
  package func part(_ place: Int) -> TraceIndex.Part {
    place == 0 ? firstPart : otherParts[place - 1]
  }

  fileprivate mutating func add(_ part: TraceIndex.Part, _ header: BlockHeader) {
    if !needsMerge, self.part(partCount - 1).stream != part.stream {
      needsMerge =
        header.earliest < latest
        // Where times are equal, the stream that appeared first goes first.
        || header.earliest == latest
          && (firstPart.stream == part.stream
            || otherParts.contains { $0.stream == part.stream })
    }
    latest = max(latest, header.latest)
    otherParts.append(part)
    partCount += 1
  }

  private var parts: [TraceIndex.Part] { [firstPart] + otherParts }

  /// The parts of each stream, streams in the order of first appearance.
  package var partsByStream: [[TraceIndex.Part]] {
    var order: [Int] = []
    var byStream: [Int: [TraceIndex.Part]] = [:]
    for part in parts {
      if byStream[part.stream] == nil { order.append(part.stream) }
      byStream[part.stream, default: []].append(part)
    }
    return order.map { byStream[$0] ?? [] }
  }
}
