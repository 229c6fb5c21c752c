package import WakeEvents

/// Iterates over the events of one device and merges its streams by time. Ties are in the order of first appearance;
/// the order within a stream is kept. Where observations are among the events, the inputs come in the order in which they
/// come without them.
package final class DeviceCursor {
  package struct Batch {
    package var columns = InputColumns()
    package var rows = 0..<0
    package var device = Device(index: 0)
    package var numbers = EventNumbers(first: 0)
  }

  /// Reads the events of a part; nil if they cannot be read and are skipped.
  package typealias Read = (TraceIndex.Part) throws(TraceError) -> Batch?

  /// In the order of first appearance.
  private var streams: [StreamCursor] = []
  /// The streams that are not at their end: by time a heap with the first at 0, else the first of all.
  private var order: [Turn] = []
  private let byTime: Bool

  /// When a stream has its next event; of equal times the one that appeared first comes first.
  private struct Turn: Comparable {
    var time: Int64
    var stream: Int

    static func < (one: Turn, other: Turn) -> Bool {
      one.time != other.time ? one.time < other.time : one.stream < other.stream
    }
  }

  /// Starts at a device's first event.
  ///
  /// - Parameters:
  ///   - place: The device's index in ``TraceIndex/devices``.
  ///   - blocks: The cache of decoded blocks, shared by the cursors of one thread.
  ///   - window: The events that each stream copies, so that it retains no block; nil retains whole blocks, which suits
  ///     one cursor at a time.
  ///   - byTime: Whether streams are merged by time; if not, one follows the other.
  ///   - last: One more stream, after the others.
  package init(
    device place: Int, from blocks: BlockCache, window: Int? = nil, byTime: Bool = true,
    last: Batch? = nil
  ) throws(TraceError) {
    self.byTime = byTime
    try addStreams(blocks.index.partsByStream(of: place), window: window) {
      part throws(TraceError) in try blocks.batch(part)
    }
    if let last, !last.rows.isEmpty {
      add(StreamCursor([], window: nil, ahead: last) { _ in nil })
    }
    makeHeap()
  }

  /// Starts at the first event of parts that are in memory.
  ///
  /// - Parameter parts: By stream, streams in the order of first appearance.
  package init(_ parts: [[TraceIndex.Part]], read: @escaping Read) throws(TraceError) {
    byTime = true
    try addStreams(parts, window: nil, read: read)
    makeHeap()
  }

  private func addStreams(
    _ parts: [[TraceIndex.Part]], window: Int?, read: @escaping Read
  ) throws(TraceError) {
    for parts in parts {
      let stream = StreamCursor(parts, window: window, read: read)
      try stream.load()
      if !stream.isAtEnd { add(stream) }
    }
  }

  private func add(_ stream: StreamCursor) {
    order.append(Turn(time: byTime ? stream.time : 0, stream: streams.count))
    streams.append(stream)
  }

  private func makeHeap() {
    for place in (0..<order.count / 2).reversed() { sink(from: place) }
  }

  /// The next events; nil at the end.
  ///
  /// - Complexity: O(log streams + events returned).
  package func next() throws(TraceError) -> Batch? {
    guard let turn = order.first else { return nil }
    let stream = streams[turn.stream]
    let bound = byTime ? order[1..<min(3, order.count)].min() : nil
    let batch = stream.take(
      upTo: bound.map { (time: $0.time, inclusive: turn.stream < $0.stream) })
    if stream.isAtEnd { try stream.load() }
    if !stream.isAtEnd {
      if byTime { order[0].time = stream.time }
    } else {
      let last = order.removeLast()
      if !order.isEmpty { order[0] = last }
    }
    sink(from: 0)
    return batch
  }

  /// Moves a turn down to where neither of the two below it comes first.
  private func sink(from start: Int) {
    guard start < order.count else { return }
    let turn = order[start]
    var place = start
    while 2 * place + 1 < order.count {
      var below = 2 * place + 1
      if below + 1 < order.count, order[below + 1] < order[below] { below += 1 }
      guard order[below] < turn else { break }
      order[place] = order[below]
      place = below
    }
    order[place] = turn
  }
}

private final class StreamCursor {
  private let parts: [TraceIndex.Part]
  private let read: DeviceCursor.Read
  private let window: Int?
  private var nextPart = 0
  private var passed = 0
  /// The loaded events; `rows` are those not returned yet.
  private var ahead: DeviceCursor.Batch
  /// The first input at or behind an observation that was next, and whether parts behind the loaded events have inputs.
  private var nextInput = -1
  private var inputsFollow = false

  init(
    _ parts: [TraceIndex.Part], window: Int?, ahead: DeviceCursor.Batch = .init(),
    read: @escaping DeviceCursor.Read
  ) {
    self.ahead = ahead
    self.parts = parts
    self.read = read
    self.window = window
  }

  var isAtEnd: Bool { ahead.rows.isEmpty }

  /// The time by which the stream is merged: that of its next event. An observation must not hold back the input
  /// behind it, so it comes no later than that.
  var time: Int64 {
    let row = ahead.rows.lowerBound
    let time = ahead.columns.times[row]
    guard ahead.columns.kinds[row] == InputKind.observed.rawValue else { return time }
    if nextInput < row { findNextInput() }
    if nextInput < ahead.rows.upperBound { return min(time, ahead.columns.times[nextInput]) }
    // The time of an input that is not loaded yet is unknown.
    return inputsFollow ? .min : time
  }

  private func findNextInput() {
    nextInput = ahead.rows.lowerBound
    while nextInput < ahead.rows.upperBound,
      ahead.columns.kinds[nextInput] == InputKind.observed.rawValue
    {
      nextInput += 1
    }
    inputsFollow = parts[nextPart...].contains(where: \.hasInputs)
  }

  /// Takes the next rows, at least one: the caller has chosen the stream with the next event.
  func take(upTo bound: (time: Int64, inclusive: Bool)?) -> DeviceCursor.Batch {
    let times = ahead.columns.times
    let start = ahead.rows.lowerBound
    var end = ahead.rows.upperBound
    if let bound {
      let last = end
      end = start + 1
      while end < last, bound.inclusive ? times[end] <= bound.time : times[end] < bound.time {
        end += 1
      }
    }
    var batch = ahead
    batch.rows = start..<end
    ahead.rows = end..<ahead.rows.upperBound
    return batch
  }

  /// Loads the next events; skips parts that cannot be read.
  func load() throws(TraceError) {
    nextInput = -1
    while nextPart < parts.count {
      guard let part = try read(parts[nextPart]) else {
        nextPart += 1
        continue
      }
      let start = part.rows.lowerBound + passed
      let end = window.map { min(start + $0, part.rows.upperBound) } ?? part.rows.upperBound
      if end == part.rows.upperBound {
        nextPart += 1
        passed = 0
      } else {
        passed += end - start
      }
      if window == nil {
        ahead = part
      } else {
        ahead.device = part.device
        ahead.numbers = EventNumbers(first: part.numbers.first + start)
        ahead.columns.removeAll()
        ahead.columns.append(contentsOf: part.columns, rows: start..<end)
        ahead.rows = 0..<ahead.columns.count
      }
      return
    }
    // Keeps no block at its end.
    ahead = DeviceCursor.Batch()
  }
}

extension BlockCache {
  /// The events of a part; nil if its block cannot be read.
  fileprivate func batch(_ part: TraceIndex.Part) throws(TraceError) -> DeviceCursor.Batch? {
    let decoded = try block(part.block)
    guard part.run < decoded.runs.count else { return nil }
    let run = decoded.runs[part.run]
    return DeviceCursor.Batch(
      columns: decoded.columns, rows: run.rows, device: run.device,
      numbers: EventNumbers(first: index.blocks[part.block].firstEvent))
  }
}
