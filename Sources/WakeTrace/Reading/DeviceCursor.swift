package import WakeEvents

/// Iterates over the events of one device and merges its streams by time. Ties are in the order of first appearance;
/// the order within a stream is kept.
package final class DeviceCursor {
  package struct Batch {
    package var columns = InputColumns()
    package var rows = 0..<0
    package var device = Device(index: 0)
    package var numbers = EventNumbers(first: 0)
  }

  private var streams: [StreamCursor] = []
  private let byTime: Bool

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
    for parts in blocks.index.partsByStream(of: place) {
      let stream = StreamCursor(parts, from: blocks, window: window)
      try stream.load()
      if !stream.isAtEnd { streams.append(stream) }
    }
    if let last { streams.append(StreamCursor([], from: blocks, window: nil, ahead: last)) }
  }

  /// The next events; nil at the end.
  ///
  /// - Complexity: O(streams + events returned).
  package func next() throws(TraceError) -> Batch? {
    guard var best = streams.first else { return nil }
    var bestPlace = 0
    var bound: (time: Int64, place: Int)?
    for (place, stream) in streams.enumerated().dropFirst() where byTime {
      if stream.time < best.time {
        (bound, best, bestPlace) = ((best.time, bestPlace), stream, place)
      } else if bound.map({ stream.time < $0.time }) ?? true {
        bound = (stream.time, place)
      }
    }
    let batch = best.take(
      upTo: bound.map { (time: $0.time, inclusive: bestPlace < $0.place) })
    if best.isAtEnd {
      try best.load()
      if best.isAtEnd { streams.remove(at: bestPlace) }
    }
    return batch
  }
}

private final class StreamCursor {
  private let parts: [TraceIndex.Part]
  private let blocks: BlockCache
  private let window: Int?
  private var nextPart = 0
  private var passed = 0
  /// The loaded events; `rows` are those not returned yet.
  private var ahead: DeviceCursor.Batch

  init(
    _ parts: [TraceIndex.Part], from blocks: BlockCache, window: Int?,
    ahead: DeviceCursor.Batch = .init()
  ) {
    self.ahead = ahead
    self.parts = parts
    self.blocks = blocks
    self.window = window
  }

  var isAtEnd: Bool { ahead.rows.isEmpty }

  var time: Int64 { ahead.columns.times[ahead.rows.lowerBound] }

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

  /// Loads the next events; skips blocks that cannot be read.
  func load() throws(TraceError) {
    while nextPart < parts.count {
      let part = parts[nextPart]
      let decoded = try blocks.block(part.block)
      guard part.run < decoded.runs.count else {
        nextPart += 1
        continue
      }
      let run = decoded.runs[part.run]
      let start = run.rows.lowerBound + passed
      let end = window.map { min(start + $0, run.rows.upperBound) } ?? run.rows.upperBound
      if end == run.rows.upperBound {
        nextPart += 1
        passed = 0
      } else {
        passed += end - start
      }
      ahead.device = run.device
      ahead.rows = start..<end
      ahead.numbers = EventNumbers(first: blocks.index.blocks[part.block].firstEvent)
      if window == nil {
        ahead.columns = decoded.columns
      } else {
        ahead.columns.removeAll()
        ahead.columns.append(contentsOf: decoded.columns, rows: ahead.rows)
        ahead.rows = 0..<ahead.columns.count
        ahead.numbers.first += start
      }
      return
    }
  }
}
