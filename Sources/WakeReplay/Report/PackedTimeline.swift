import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTrace

/// The timeline of one device as a page holds it: a head, and columns as ``VarintColumn``, deflated.
///
/// Times count from ``base`` in ``unit``s. The order of columns is that of `readDevice` in `Page/columns.js`.
struct PackedTimeline: Sendable {
  /// What devices are sorted by: the most wakes first, then in the order of first appearance.
  struct Rank {
    var wakes: Int
    var place: Int

    func precedes(_ other: Rank) -> Bool {
      wakes != other.wakes ? wakes > other.wakes : place < other.place
    }
  }

  struct App {
    var name: String
    var wakes: Int
    var conditions: Int
    var arrivals: Int
    var settlements: Int
    /// Nanoseconds within which arrivals are joined.
    var grain: Int64
    var tracks: [Track]
  }

  struct Track {
    var item: String
    var name: String?
    var rows: Int
    var gone: Int
  }

  let name: String
  let rank: Rank
  /// The first time, in nanoseconds since 1970, and the length up to the last input in units.
  let base: Int64
  let length: Int64
  /// Nanoseconds: the greatest common divisor of all times; a multiple of it where a double could not count them.
  let unit: Int64
  let conditions: Int
  private(set) var apps: [App] = []
  /// A raw deflate stream (RFC 1951), and how many bytes it has inflated.
  let bytes: [UInt8]
  let inflated: Int

  init(
    _ columns: TimelineColumns, device: String, place: Int, _ symbols: Symbols
  ) throws(BlockError) {
    name = device
    var scale = TimeScale()
    columns.forEachTime { scale.take($0) }
    scale.finish()
    (base, unit, length) = (scale.base, scale.unit, scale.place(scale.last))
    var output: [[UInt8]] = []
    conditions = columns.conditions.times.count
    columns.conditions.pack(scale, to: &output)
    var wakes = 0
    for (symbol, app) in zip(columns.uses.apps, columns.apps) where !app.isEmpty {
      wakes += app.wakes.times.count
      let tracks = app.tracks.values.sorted { $0.item.precedes($1.item, symbols) }
      apps.append(
        App(
          name: symbols.apps.name(of: symbol),
          wakes: app.wakes.times.count, conditions: app.conditions.times.count,
          arrivals: app.arrivals.times.count, settlements: app.settlements.times.count,
          grain: app.arrivals.grain,
          tracks: tracks.map { track in
            var name: String?
            if case .type = track.item { name = track.item.name(symbols) }
            return Track(
              item: track.item.kind.word, name: name, rows: track.rows.count,
              gone: track.gone.count)
          }))
      app.pack(tracks, scale, to: &output)
    }
    rank = Rank(wakes: wakes, place: place)
    inflated = output.reduce(0) { $0 + $1.count }
    bytes = try Deflater.stream(of: output, level: 6)
  }

  /// The head.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("name", name)
      // As text: a double cannot hold each.
      json.member("base", String(base))
      json.member("unit", unit)
      json.member("length", length)
      json.member("wakes", rank.wakes)
      json.member("bytes", inflated)
      json.member("conditions", conditions)
      json.member("apps", apps) { json, app in
        json.object { json in
          json.member("name", app.name)
          json.member("wakes", app.wakes)
          json.member("conditions", app.conditions)
          json.member("arrivals", app.arrivals)
          json.member("settlements", app.settlements)
          json.member("grain", app.grain)
          json.member("tracks", app.tracks) { json, track in
            json.object {
              $0.member("item", track.item)
              $0.member("name", track.name)
              $0.member("rows", track.rows)
              $0.member("gone", track.gone)
            }
          }
        }
      }
    }
  }
}

/// Turns times into small whole numbers.
private struct TimeScale {
  private(set) var base = Int64.max
  private(set) var last = Int64.min
  private(set) var unit: Int64 = 0
  private var origin: Int64?

  mutating func take(_ time: Int64) {
    // What holds from the start has no time.
    guard time > .min else { return }
    (base, last) = (min(base, time), max(last, time))
    let first = origin ?? time
    origin = first
    guard unit != 1 else { return }
    var (one, other) = ((time - first).magnitude, unit.magnitude)
    while other > 0 { (one, other) = (other, one % other) }
    unit = Int64(one)
  }

  mutating func finish() {
    if base > last { (base, last) = (0, 0) }
    unit = max(1, unit)
    while (last - base) / unit >= 1 << 53 { unit *= 10 }
  }

  func place(_ time: Int64) -> Int64 { max(0, time - base) / unit }

  /// The length of a time span whose end is given.
  func length(from start: Int64, to end: Int64) -> Int64 { place(end) - place(start) }
}

extension TimelineColumns {
  fileprivate func forEachTime(_ body: (Int64) -> Void) {
    conditions.times.forEach(body)
    for app in apps {
      app.conditions.times.forEach(body)
      app.arrivals.times.forEach(body)
      app.settlements.times.forEach(body)
      app.wakes.times.forEach(body)
      for case let end? in app.wakes.ends { body(end) }
      for track in app.tracks.values { track.forEachTime(body) }
    }
  }
}

extension TimelineColumns.Changes {
  fileprivate func pack(
    _ scale: TimeScale, signed: Bool = false, to output: inout [[UInt8]]
  ) {
    var (at, numbers) = (VarintColumn(), VarintColumn())
    for (time, value) in zip(times, values) {
      at.append(rising: time == .min ? 0 : scale.place(time))
      if signed { numbers.append(signed: value) } else { numbers.append(value) }
    }
    output += [at.bytes, numbers.bytes]
  }
}

extension TimelineColumns.AppColumns {
  fileprivate var isEmpty: Bool {
    wakes.times.isEmpty && arrivals.times.isEmpty && tracks.isEmpty
      && conditions.values.allSatisfy { $0 == 0 }
  }

  fileprivate func pack(
    _ sorted: [TimelineColumns.Track], _ scale: TimeScale, to output: inout [[UInt8]]
  ) {
    conditions.pack(scale, to: &output)
    var (numbers, times, lengths) = (VarintColumn(), VarintColumn(), VarintColumn())
    var (outcomes, saves) = (VarintColumn(), VarintColumn())
    for wake in wakes.times.indices {
      let time = wakes.times[wake]
      numbers.append(rising: Int64(wakes.numbers[wake]))
      times.append(rising: scale.place(time))
      lengths.append(wakes.ends[wake].map { scale.length(from: time, to: $0) } ?? 0)
      let cut =
        switch wakes.cuts[wake] {
        case nil: 0
        case .disabled: 2
        default: 1
        }
      outcomes.append(Int(wakes.outcomes[wake].rawValue) - 1 + 4 * cut)
      saves.append(wakes.saves[wake])
    }
    output += [numbers, times, lengths, outcomes, saves].map(\.bytes)
    var (arrived, counts) = (VarintColumn(), VarintColumn())
    for (time, count) in zip(arrivals.times, arrivals.counts) {
      arrived.append(rising: scale.place(time))
      counts.append(count)
    }
    output += [arrived.bytes, counts.bytes]
    settlements.pack(scale, signed: true, to: &output)
    for track in sorted { track.pack(wakes.numbers, scale, to: &output) }
  }
}

extension TimelineColumns.Track {
  fileprivate func forEachTime(_ body: (Int64) -> Void) {
    for wait in gone {
      body(wait.since)
      body(wait.until)
    }
    var next = 0
    for row in rows {
      var time = row.until
      body(row.since)
      body(row.until)
      for stretch in stretches[next..<next + row.stretches].reversed() {
        time -= stretch.nanoseconds
        body(time)
      }
      next += row.stretches
    }
  }

  /// - Parameter numbers: Those of the app's wakes, which rise.
  fileprivate func pack(
    _ numbers: [Int], _ scale: TimeScale, to output: inout [[UInt8]]
  ) {
    var (wakes, ages, saves) = (VarintColumn(), VarintColumn(), VarintColumn())
    var (counts, lengths, reasons) = (VarintColumn(), VarintColumn(), VarintColumn())
    var (wake, next) = (0, 0)
    for row in rows {
      // What waits at the end comes behind all wakes.
      while wake < numbers.count, row.wake.map({ numbers[wake] < $0 }) ?? true { wake += 1 }
      wakes.append(rising: Int64(wake))
      ages.append(scale.length(from: row.since, to: row.until))
      saves.append(row.saves)
      counts.append(
        8 * row.stretches + (row.continues ? 1 : 0) + (row.isOver ? 0 : 2)
          + (row.isDisabled ? 4 : 0))
      let own = stretches[next..<next + row.stretches]
      var time = row.until - own.reduce(0) { $0 + $1.nanoseconds }
      for stretch in own {
        reasons.append(stretch.reasons.reduce(0) { $0 | 1 << Int64($1.rawValue) })
        // The last one ends with the row.
        let end = time + stretch.nanoseconds
        if end < row.until { lengths.append(scale.length(from: time, to: end)) }
        time = end
      }
      next += row.stretches
    }
    var (ends, spans) = (VarintColumn(), VarintColumn())
    for wait in gone {
      ends.append(rising: scale.place(wait.until))
      spans.append(scale.length(from: wait.since, to: wait.until))
    }
    output += [ends, spans, wakes, ages, saves, counts, lengths, reasons].map(\.bytes)
    guard case .push = item else { return }
    var (sizes, text) = (VarintColumn(), [UInt8]())
    for name in names {
      sizes.append(name.utf8.count)
      text += name.utf8
    }
    output += [sizes.bytes, text]
  }
}

extension Wait.Item {
  /// Types by name, then pushes, then refreshes.
  fileprivate func precedes(_ other: Wait.Item, _ symbols: Symbols) -> Bool {
    switch (self, other) {
    case (.type(let one), .type(let other)):
      symbols.types.name(of: one).precedes(symbols.types.name(of: other))
    case (.type, _), (.push, .refresh): true
    default: false
    }
  }
}
