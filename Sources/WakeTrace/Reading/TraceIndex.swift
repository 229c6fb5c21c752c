import WakeEvents

/// The blocks of several traces by device, built from headers alone.
///
/// Within a device, events of one stream keep their order, and streams are merged by time.
package struct TraceIndex: Sendable {
  package struct Block: Sendable {
    package var file: Int
    package var entry: BlockEntry
    /// The number of events before it in all the traces.
    package var firstEvent: Int
    /// For each run the device's place in ``TraceIndex/devices``, or -1 if the device is not wanted.
    package fileprivate(set) var devices: RunNumbers
    /// For each run its number among the parts of its device, from 0.
    fileprivate(set) var parts: RunNumbers
    /// The hash of the first run's device that is wanted, in whatever shard it is.
    package var firstWanted: UInt64?
    /// The number of its stream.
    fileprivate(set) var stream: Int

    /// Adds the device of the next run, and the run's number among the parts of its device.
    fileprivate mutating func append(_ device: Int32, part: Int32) {
      devices.append(device)
      parts.append(part)
    }
  }

  package struct Part: Sendable {
    private let blockNumber: UInt32
    /// The highest bit marks a part without inputs: a fleet has many parts.
    private let runNumber: UInt32
    private let streamNumber: UInt32

    init(block: Int, run: Int, stream: Int, hasInputs: Bool) {
      (blockNumber, streamNumber) = (UInt32(block), UInt32(stream))
      runNumber = UInt32(run) | (hasInputs ? 0 : 1 << 31)
    }

    package var block: Int { Int(blockNumber) }
    package var run: Int { Int(runNumber & 0x7FFF_FFFF) }
    /// Whether it has inputs, not only observations.
    package var hasInputs: Bool { runNumber >> 31 == 0 }
    package var stream: Int { Int(streamNumber) }
  }

  /// A device, compact because a fleet has many.
  package struct Device: Sendable {
    package let hash: UInt64
    /// The first part in the order of the files; most devices of a fleet have no other.
    package let firstPart: Part
    /// The index in ``TraceIndex/spreads`` if it has more parts, else ``TraceIndex/RunPlace/alone``.
    fileprivate(set) var spread = RunPlace.alone
  }

  package let files: [TraceFile]
  package var streamCount: Int { sequences.count }
  package private(set) var blocks: [Block] = []
  /// In the order of first appearance.
  package private(set) var devices: [Device] = []
  private(set) var spreads: [Spread] = []
  /// The parts of all devices, if somebody asked for some.
  let partLists = LazyPartLists()
  /// Whether any block starts a query with a predicate, so that samples need their details.
  package private(set) var startsPredicates = false
  /// Events in all blocks, wanted or not.
  package private(set) var eventCount = 0
  let includesObservations: Bool
  /// Of the blocks with wanted devices, those that count for this shard: each counts for one of all shards.
  package private(set) var blockCount = 0
  package private(set) var lostEvents: UInt64 = 0
  /// What is not in its place in the streams.
  package private(set) var order = StreamOrder()
  /// The sum of a hash of each block, wanted or not: of other traces it is another one.
  package private(set) var contents: UInt64 = 0
  /// Damage that was skipped, with `keepsGoing`.
  package private(set) var damages: [TraceError] = []
  package private(set) var bytesPassedOver: Int64 = 0

  private var places = HashedPlaces()
  private let seed = UInt64.random(in: 0...(.max))
  private var streams: [UInt64: Int] = [:]
  private var sequences: [UInt32] = []

  /// Scans the headers of files.
  ///
  /// - Parameter observations: Whether observations count as events too. Blocks must then be decoded with them, by device.
  /// - Throws: ``TraceError`` for the first damage, unless `keepsGoing`.
  package init(
    files: [TraceFile], selection: BlockSelection = BlockSelection(), keepsGoing: Bool = false,
    observations: Bool = false
  ) throws(TraceError) {
    self.files = files
    includesObservations = observations
    let devices = NameMatcher<NameOf.Device>(selection.devices) { NameHash.device($0) }
    let types = NameMatcher<NameOf.SampleType>(selection.types) { NameHash.of($0) }
    for file in files.indices {
      var scan = BlockScan(files[file])
      while true {
        do throws(TraceError) {
          guard let entry = try scan.next() else { break }
          add(entry, file: file, selection: selection, devices: devices, types: types)
        } catch let error {
          guard keepsGoing else { throw error }
          let skipped = try scan.resume()
          // Which devices it had is unknown, so its place decides which shard counts it.
          guard selection.shard?.contains(deviceHash: UInt64(error.offset ?? 0)) ?? true else {
            continue
          }
          damages.append(error)
          bytesPassedOver += skipped
        }
      }
    }
  }

  /// Whether a block counts for a shard: that of the device of its first wanted run.
  package static func counts(_ block: Block, for shard: DeviceShard?) -> Bool {
    guard let shard else { return true }
    return block.firstWanted.map { shard.contains(deviceHash: $0) } ?? false
  }

  /// Devices of blocks with at most this many runs are looked up one by one; others in a batch that overlaps cache misses.
  private static let fewRuns = 8

  private mutating func add(
    _ entry: BlockEntry, file: Int, selection: BlockSelection, devices: NameMatcher<NameOf.Device>,
    types: NameMatcher<NameOf.SampleType>
  ) {
    var entry = entry
    contents &+= Self.hash(of: entry.header)
    let header = includesObservations ? entry.joinedHeader : entry.header
    // What is missing before a block counts for the shard of its first device.
    let isCounted =
      selection.shard?.contains(deviceHash: header.runs.first?.deviceHash ?? 0) ?? true
    let stream = stream(of: header, isCounted: isCounted)
    if isCounted { lostEvents.addClamped(header.lostBefore) }
    if entry.hasObservationsOnly, !includesObservations { return }
    defer { eventCount += header.events }
    if let from = selection.from, header.latest < from { return }
    if let to = selection.to, header.earliest >= to { return }
    if !selection.types.isEmpty, header.flags.contains(.samplesOnly),
      !header.flags.contains(.typesUnlisted),
      !header.types.contains(where: { types.mayMatch(hash: $0.typeHash) })
    {
      return
    }
    entry.forgetTypes()
    let runs = header.runs.count
    var block = Block(
      file: file, entry: entry, firstEvent: eventCount,
      devices: RunNumbers(step: 1, room: runs), parts: RunNumbers(step: 0, room: runs),
      stream: stream)
    let observesAlone = includesObservations ? entry.devicesWithoutInputs : []
    if selection.devices.isEmpty, selection.shard == nil, observesAlone.isEmpty,
      let known = knownSuccessors(of: header.runs)
    {
      addParts(to: known..<known + header.runs.count, of: header, &block)
    } else {
      addParts(of: header, selection, devices, observesAlone, &block)
    }
    guard block.devices.contains(where: { $0 >= 0 }) else { return }
    if header.flags.contains(.startsPredicate) { startsPredicates = true }
    if Self.counts(block, for: selection.shard) { blockCount += 1 }
    blocks.append(block)
  }

  /// Adds the runs of a block to known devices that follow each other in ``devices``. A fleet has many runs: one check for all
  /// of them that nobody shares the memory.
  private mutating func addParts(
    to places: Range<Int>, of header: BlockHeader, _ block: inout Block
  ) {
    for place in places where devices[place].spread < 0 { beginSpread(of: place, header) }
    block.firstWanted = header.runs.first?.deviceHash
    block.devices = RunNumbers(places)
    let (devices, stream) = (devices, block.stream)
    var spreads = spreads.mutableSpan
    for place in places {
      let spread = Int(devices[place].spread)
      spreads[spread].add(header, stream: stream)
      block.parts.append(spreads[spread].count)
    }
  }

  /// Adds the runs of a block to their devices, as far as those are wanted.
  private mutating func addParts(
    of header: BlockHeader, _ selection: BlockSelection, _ wanted: NameMatcher<NameOf.Device>,
    _ observesAlone: Set<UInt64>, _ block: inout Block
  ) {
    let shuffled = header.runs.map { seeded($0.deviceHash) }
    let guesses = shuffled.count > Self.fewRuns ? places.firstPlaces(for: shuffled) : []
    for (run, listed) in header.runs.enumerated() {
      guard selection.devices.isEmpty || wanted.mayMatch(hash: listed.deviceHash) else {
        block.append(-1, part: 0)
        continue
      }
      if block.firstWanted == nil { block.firstWanted = listed.deviceHash }
      guard selection.shard?.contains(deviceHash: listed.deviceHash) ?? true else {
        block.append(-1, part: 0)
        continue
      }
      let part = Part(
        block: blocks.count, run: run, stream: block.stream,
        hasInputs: observesAlone.isEmpty || !observesAlone.contains(listed.deviceHash))
      let place = add(
        part, of: listed.deviceHash, header, shuffled: shuffled[run],
        guess: guesses.isEmpty ? -1 : guesses[run])
      block.append(Int32(place), part: Int32(partCount(of: place) - 1))
    }
  }

  private static func hash(of header: BlockHeader) -> UInt64 {
    [
      UInt64(header.sequence), UInt64(header.events), UInt64(bitPattern: header.earliest),
      UInt64(bitPattern: header.latest), header.runs.first?.deviceHash ?? 0,
    ].reduce(header.stream.splitMixed) { ($0 ^ $1).splitMixed }
  }

  /// The number of a block's stream. A stream whose sequence restarts, as when a trace is given twice, is a new one.
  private mutating func stream(of header: BlockHeader, isCounted: Bool) -> Int {
    if let known = streams[header.stream] {
      order.add(
        header.sequence, of: header.stream, after: sequences[known], isCounted: isCounted)
      if header.sequence > sequences[known] {
        sequences[known] = header.sequence
        return known
      }
    } else {
      order.begin(header.sequence, of: header.stream, isCounted: isCounted)
    }
    let number = sequences.count
    streams[header.stream] = number
    sequences.append(header.sequence)
    return number
  }

  /// Adds a part to a device, which is added if it is new; returns the device's index. `guess` probably is that, or -1.
  private mutating func add(
    _ part: Part, of hash: UInt64, _ header: BlockHeader, shuffled: UInt64, guess: Int
  ) -> Int {
    if guess >= 0, devices[guess].hash == hash {
      add(part, header, to: guess)
      return guess
    }
    var probe = places.probe(for: shuffled)
    while let place = places.next(&probe) {
      guard devices[place].hash == hash else { continue }
      add(part, header, to: place)
      return place
    }
    places.append(at: probe)
    devices.append(Device(hash: hash, firstPart: part))
    return devices.count - 1
  }

  /// The place of the first run's device, if the devices of all runs are known and follow each other: files of the same
  /// devices were joined. Saves the look-up of each.
  private func knownSuccessors(of runs: [BlockHeader.Run]) -> Int? {
    guard runs.count > Self.fewRuns else { return nil }
    var probe = places.probe(for: seeded(runs[0].deviceHash))
    while let first = places.next(&probe) {
      guard devices[first].hash == runs[0].deviceHash else { continue }
      guard runs.count <= devices.count - first else { return nil }
      for (number, run) in runs.enumerated() {
        guard devices[first + number].hash == run.deviceHash else { return nil }
      }
      return first
    }
    return nil
  }

  private mutating func add(_ part: Part, _ header: BlockHeader, to place: Int) {
    if devices[place].spread < 0 { beginSpread(of: place, header) }
    spreads[Int(devices[place].spread)].add(header, stream: part.stream)
  }

  /// Begins the spread of a device that has one part so far; `header` is that of the block being added.
  @inline(never)
  private mutating func beginSpread(of place: Int, _ header: BlockHeader) {
    let first = devices[place].firstPart
    devices[place].spread = Int32(spreads.count)
    // The block being added is not in `blocks` yet.
    let entry = first.block < blocks.count ? blocks[first.block].entry : nil
    let block = entry.map { includesObservations ? $0.joinedHeader : $0.header } ?? header
    // Where one device has several parts, most have; and the system provides no memory before it is used.
    if spreads.isEmpty { spreads.reserveCapacity(devices.count) }
    spreads.append(Spread(block, stream: first.stream))
  }

  /// A hash of a device's hash that nobody can predict, so that a malicious trace cannot provoke collisions. One for each run
  /// of each block: `Hasher` takes twelve times as many instructions.
  private func seeded(_ hash: UInt64) -> UInt64 { (hash ^ seed).splitMixed }
}
