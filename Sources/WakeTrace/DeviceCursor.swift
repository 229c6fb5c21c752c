package import WakeEvents

/// Walks over the events of one device, its streams merged by time: ties in the order of first
/// appearance, each stream in its own order.
package final class DeviceCursor {
  /// Events that come one after another and stand in one block.
  package struct Batch {
    package var columns: InputColumns
    package var rows: Range<Int>
    package var device: Device
    /// The number, in all the traces, of the event in row 0.
    package var firstEvent: Int
    package var isSorted: Bool
  }

  /// Decodes a block; false passes it over.
  package typealias Decode = (TraceIndex.Block, BlockDecoder) throws(TraceError) -> Bool

  private var streams: [StreamCursor] = []

  /// Starts at a device's first event.
  package init(
    _ index: TraceIndex, device place: Int, symbols: Symbols, decode: @escaping Decode
  ) throws(TraceError) {
    for parts in index.devices[place].partsByStream {
      let stream = StreamCursor(parts, of: index, symbols: symbols, decode: decode)
      try stream.load()
      if !stream.rows.isEmpty { streams.append(stream) }
    }
  }

  /// The time of the next event; nil behind the last.
  package var nextTime: Int64? { streams.map(\.time).min() }

  /// The next events, at most `limit`; nil behind the last.
  ///
  /// - Complexity: O(streams + events returned).
  package func next(limit: Int = .max) throws(TraceError) -> Batch? {
    guard var best = streams.first else { return nil }
    var bestPlace = 0
    var bound: (time: Int64, place: Int)?
    for (place, stream) in streams.enumerated().dropFirst() {
      if stream.time < best.time {
        (bound, best, bestPlace) = ((best.time, bestPlace), stream, place)
      } else if bound.map({ stream.time < $0.time }) ?? true {
        bound = (stream.time, place)
      }
    }
    let batch = best.take(
      limit: limit, upTo: bound.map { (time: $0.time, inclusive: bestPlace < $0.place) })
    if best.rows.isEmpty {
      try best.load()
      if best.rows.isEmpty { streams.remove(at: bestPlace) }
    }
    return batch
  }
}

/// The events of one device in one stream.
private final class StreamCursor {
  private let index: TraceIndex
  private let parts: [TraceIndex.Part]
  private let decode: DeviceCursor.Decode
  private let decoder: BlockDecoder
  private var nextPart = 0
  /// The block in the decoder; a device may have several parts in it.
  private var loaded = -1
  private(set) var rows = 0..<0

  init(
    _ parts: [TraceIndex.Part], of index: TraceIndex, symbols: Symbols,
    decode: @escaping DeviceCursor.Decode
  ) {
    self.parts = parts
    self.index = index
    self.decode = decode
    decoder = BlockDecoder(symbols: symbols)
  }

  var time: Int64 { decoder.columns.times[rows.lowerBound] }

  /// Takes the next rows: at least one, as the caller has chosen the stream whose event is next.
  func take(limit: Int, upTo bound: (time: Int64, inclusive: Bool)?) -> DeviceCursor.Batch {
    let times = decoder.columns.times
    var end = rows.lowerBound + min(limit, rows.count)
    if let bound {
      let last = end
      end = rows.lowerBound + 1
      while end < last, bound.inclusive ? times[end] <= bound.time : times[end] < bound.time {
        end += 1
      }
    }
    let part = parts[nextPart - 1]
    let block = index.blocks[part.block]
    defer { rows = end..<rows.upperBound }
    return DeviceCursor.Batch(
      columns: decoder.columns, rows: rows.lowerBound..<end,
      device: decoder.runs[part.run].device, firstEvent: block.firstEvent,
      isSorted: block.entry.header.flags.contains(.timesSorted))
  }

  /// Decodes the next part that is whole.
  func load() throws(TraceError) {
    while nextPart < parts.count {
      let part = parts[nextPart]
      nextPart += 1
      if loaded != part.block {
        loaded = try decode(index.blocks[part.block], decoder) ? part.block : -1
      }
      if loaded == part.block {
        rows = decoder.runs[part.run].rows
        return
      }
    }
  }
}
