import WakeEvents

extension TraceInfo {
  /// Reads the summary of a trace.
  ///
  /// - Parameters:
  ///   - file: The trace.
  ///   - depth: What to read.
  /// - Throws: ``TraceError`` at the first damage; blocks that are not inflated are checked by their headers only.
  /// - Complexity: O(blocks), and O(events) of the blocks inflated; memory for
  ///   devices, types, names and streams, none for events.
  public init(of file: TraceFile, depth: Depth = .events) throws(TraceError) {
    var reading = TraceInfoReading(file, depth: depth)
    var scan = BlockScan(file)
    while let block = try scan.next() { try reading.add(block) }
    self = reading.finish()
  }
}

private struct TraceInfoReading {
  private let file: TraceFile
  private let depth: TraceInfo.Depth
  private let symbols = Symbols()
  private let decoder: BlockDecoder
  private var info: TraceInfo
  private var counts = TraceInfo.EventCounts()
  private var devicePlaces: [UInt64: Int] = [:]
  private var typePlaces: [UInt64: Int] = [:]
  private var streamPlaces: [UInt64: Int] = [:]
  /// Indices of devices whose times are unknown for some block.
  private var untimedDevices: Set<Int> = []
  /// By ``Source/index``, whether a save or delete has it.
  private var sourcesSeen: [Bool] = []
  private var latestTimes: [StreamDevice: Int64] = [:]

  private struct StreamDevice: Hashable {
    var stream: UInt64
    var device: Device
  }

  init(_ file: TraceFile, depth: TraceInfo.Depth) {
    self.file = file
    self.depth = depth
    decoder = BlockDecoder(symbols: symbols)
    info = TraceInfo(file: file.name)
    info.bytes = file.length
  }

  mutating func add(_ block: BlockEntry) throws(TraceError) {
    let header = block.joinedHeader
    addTotals(block)
    let isNew = addHeaderLists(header)
    guard depth == .events || depth == .names && isNew else {
      addHeaderTimes(header)
      return
    }
    try decoder.decode(block, of: file, observations: true)
    info.blocksInflated += 1
    let columns = decoder.columns
    for run in decoder.runs { addTimes(of: run, columns) }
    if header.flags.contains(.typesUnlisted) { addTypes(columns) }
    if depth == .events { addCounts(columns, stream: header.stream) }
  }

  consuming func finish() -> TraceInfo {
    for place in untimedDevices {
      info.devices[place].earliest = nil
      info.devices[place].latest = nil
    }
    addNames()
    info.types.sort { $0.events != $1.events ? $0.events > $1.events : $0.hash < $1.hash }
    if depth == .events {
      counts.sources = sourcesSeen.count { $0 }
      counts.apps = (0..<symbols.apps.count)
        .map { ExactName(symbols.apps.name(of: App(index: UInt32($0)))) }
        .sorted().map(\.string)
      info.counts = counts
    }
    return info
  }

  // MARK: - From headers

  private mutating func addTotals(_ block: BlockEntry) {
    let header = block.joinedHeader
    info.blocks += 1
    info.events += header.events
    info.observations += block.observationCount
    info.detailBytes += Int64(block.detailsLength)
    info.lost.addClamped(header.lostBefore)
    info.earliest = earlier(info.earliest, header.earliest)
    info.latest = later(info.latest, header.latest)
    if header.flags.contains(.timesSorted) { info.sortedBlocks += 1 }
    if header.flags.contains(.samplesOnly) { info.samplesOnlyBlocks += 1 }
    if header.flags.contains(.startsPredicate) { info.predicateBlocks += 1 }

    let place = streamPlaces[header.stream] ?? info.streams.count
    if place == info.streams.count {
      streamPlaces[header.stream] = place
      info.streams.append(TraceInfo.StreamEntry(id: header.stream))
    }
    info.streams[place].blocks += 1
    info.streams[place].events += header.events
    info.streams[place].lost.addClamped(header.lostBefore)
  }

  /// Counts devices and types; returns whether one is new, or types are not listed.
  private mutating func addHeaderLists(_ header: BlockHeader) -> Bool {
    var isNew = false
    for run in header.runs {
      let place = devicePlaces[run.deviceHash] ?? info.devices.count
      if place == info.devices.count {
        isNew = true
        devicePlaces[run.deviceHash] = place
        info.devices.append(TraceInfo.DeviceEntry(hash: run.deviceHash))
      }
      info.devices[place].events += run.events
    }
    for type in header.types where count(type.events, ofType: type.typeHash) { isNew = true }
    if header.flags.contains(.typesUnlisted) {
      isNew = true
      if depth == .headers { info.typesAreComplete = false }
    }
    return isNew
  }

  /// Counts events of a type; returns whether it is new.
  private mutating func count(_ events: Int, ofType hash: UInt64) -> Bool {
    if let place = typePlaces[hash] {
      info.types[place].events += events
      return false
    }
    typePlaces[hash] = info.types.count
    info.types.append(TraceInfo.TypeEntry(hash: hash, events: events))
    return true
  }

  /// Uses a header's times for its device if there is only one.
  private mutating func addHeaderTimes(_ header: BlockHeader) {
    let places = Set(header.runs.compactMap { devicePlaces[$0.deviceHash] })
    guard places.count == 1, let place = places.first else {
      untimedDevices.formUnion(places)
      return
    }
    widen(place, header.earliest, header.latest)
  }

  private mutating func widen(_ place: Int, _ earliest: Int64, _ latest: Int64) {
    let device = info.devices[place]
    info.devices[place].earliest = earlier(device.earliest, earliest)
    info.devices[place].latest = later(device.latest, latest)
  }

  // MARK: - From blocks

  private mutating func addTimes(of run: DeviceRun, _ columns: borrowing InputColumns) {
    let hash = NameHash.device(symbols.devices.name(of: run.device))
    guard let place = devicePlaces[hash] else { return }
    let extremes = TimeSteps.extremes(
      of: columns.times.span.extracting(run.rows), stepsInClimb: 0)
    widen(place, extremes.earliest, extremes.latest)
  }

  /// Counts the types of a block whose header lists none.
  private mutating func addTypes(_ columns: borrowing InputColumns) {
    var counts = [Int](repeating: 0, count: symbols.types.count)
    for row in 0..<columns.count where columns.kinds[row] <= InputKind.delete.rawValue {
      counts[Int(columns.types[row])] += 1
    }
    for (index, events) in counts.enumerated() where events > 0 {
      _ = count(events, ofType: symbols.types.hash(of: SampleType(index: UInt32(index))))
    }
  }

  private mutating func addCounts(_ columns: borrowing InputColumns, stream: UInt64) {
    while sourcesSeen.count < symbols.sources.count { sourcesSeen.append(false) }
    let kinds = columns.kinds.span
    let sources = columns.sources.span
    for row in kinds.indices {
      counts.kinds[Int(kinds[row])] += 1
      if kinds[row] <= InputKind.delete.rawValue { sourcesSeen[Int(sources[row])] = true }
    }
    let times = columns.times.span
    for run in decoder.runs {
      let key = StreamDevice(stream: stream, device: run.device)
      var latest = latestTimes[key] ?? .min
      for row in run.rows {
        if kinds[row] == InputKind.observed.rawValue { continue }
        if times[row] < latest { counts.late += 1 }
        latest = max(latest, times[row])
      }
      latestTimes[key] = latest
    }
  }

  private mutating func addNames() {
    for index in 0..<symbols.devices.count {
      let name = symbols.devices.name(of: Device(index: UInt32(index)))
      if let place = devicePlaces[NameHash.device(name)] { info.devices[place].name = name }
    }
    for index in 0..<symbols.types.count {
      let type = SampleType(index: UInt32(index))
      guard let place = typePlaces[symbols.types.hash(of: type)] else { continue }
      info.types[place].name = symbols.types.name(of: type)
    }
  }
}

private func earlier(_ one: Timestamp?, _ other: Int64) -> Timestamp {
  Timestamp(nanoseconds: min(one?.nanoseconds ?? other, other))
}

private func later(_ one: Timestamp?, _ other: Int64) -> Timestamp {
  Timestamp(nanoseconds: max(one?.nanoseconds ?? other, other))
}
