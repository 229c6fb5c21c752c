import WakeEvents
import WakeJSON
import WakeScheduling

/// Writes wakes as lines of the wake log (page Rules, section 7).
///
/// What lines of a device, an app or a type share is written once, and room is made for many lines at once.
struct WakeLine: ~Copyable {
  private let symbols: Symbols
  private let times: JSONTimeForm
  private var timeTexts = TimeTexts()
  /// What a line begins with: up to the key `t`.
  private var head = TextBytes()
  /// From the key `app` to the beginning of the types, by ``App/index``.
  private var apps = LineTexts()
  /// The names of types, by ``SampleType/index``.
  private var types = LineTexts()
  /// What is before and behind the app in the lines of a cohort (``setShared(_:of:)``).
  private var before = TextBytes()
  private var behind = TextBytes()
  /// What is between the apps of two such lines: ``behind`` and ``before``.
  private var between = TextBytes()
  /// How many of a cohort's lines are written, where some are and others are not.
  private var cohortLines = 0

  init(symbols: Symbols, times: JSONTimeForm) {
    self.symbols = symbols
    self.times = times
  }

  /// Starts with the lines of a device.
  mutating func start(device: String) {
    let text = LineTexts.head(device: device, before: "t")
    head.set(room: text.count) { $0.append(text.span) }
  }

  /// Appends lines with their ends until there are enough bytes, or no more lines.
  ///
  /// - Parameter places: The places in `wakes` of entries; afterwards of those whose lines are not all written. They must be
  ///   passed again before others are.
  mutating func append(
    _ places: inout Range<Int>, of wakes: borrowing WakeHistory, to bytes: inout [UInt8],
    enough: Int
  ) {
    wakes.withEntries { append(&places, $0, of: wakes, to: &bytes, enough: enough) }
  }

  private mutating func append(
    _ places: inout Range<Int>, _ entries: Span<WakeHistory.Entry>, of wakes: borrowing WakeHistory,
    to bytes: inout [UInt8], enough: Int
  ) {
    while let place = places.first, bytes.count < enough {
      let wake = entries[place]
      if wake.isPlain {
        places = appendPlain(places, entries, to: &bytes)..<places.upperBound
        continue
      }
      if wake.count == 1 {
        append(wake, of: wakes, to: &bytes)
      } else if appendCohort(wake, of: wakes, to: &bytes, enough: enough) {
        cohortLines = 0
      } else {
        return
      }
      places = place + 1..<places.upperBound
    }
  }

  /// Appends the lines of wakes as most are (``WakeHistory/Entry/isPlain``), with long texts between fewer fields, and with
  /// room for some lines at once.
  ///
  /// - Parameter places: The first one's is plain.
  /// - Returns: The place of the first entry without a line: behind some, or before one that is not plain.
  @inline(__always)
  private mutating func appendPlain(
    _ places: Range<Int>, _ entries: Span<WakeHistory.Entry>, to bytes: inout [UInt8]
  ) -> Int {
    // Makes the first line's texts. At a later line whose texts are not known yet the caller must call again.
    let first = entries[places.lowerBound]
    _ = (place(of: first.app), place(of: SampleType(index: first.firstType)))
    let longest = roomBefore + apps.longest + types.longest + Self.fixedRoom
    let chunk = places.prefix(max(1, Self.enoughRoom / longest))
    var next = chunk.lowerBound
    bytes.append(room: chunk.count * longest) { line in
      repeat {
        let app = apps.place(of: Int(entries[next].app.index))
        let type = types.place(of: Int(entries[next].firstType))
        guard entries[next].isPlain, !app.isEmpty, !type.isEmpty else { return }
        writeTime(of: entries[next], to: &line)
        apps.append(app, to: &line)
        types.append(type, to: &line)
        line.append("],\"saves\":")
        line.append(Int64(entries[next].saves))
        line.append(",\"oldest\":")
        line.append(time: entries[next].oldest, in: times, keptIn: &timeTexts)
        if entries[next].outcome == .completed {
          line.append(",\"push\":null,\"refresh\":false,\"outcome\":\"completed\",\"end\":")
        } else {
          line.append(",\"push\":null,\"refresh\":false,\"outcome\":\"expired\",\"end\":")
        }
        line.append(time: entries[next].end, in: times, keptIn: &timeTexts)
        line.append("}\n")
        next &+= 1
      } while next < chunk.upperBound
    }
    return next
  }

  /// Appends lines of the wakes of a cohort from ``cohortLines`` on, until there are enough bytes.
  ///
  /// - Returns: Whether there are no more.
  @inline(never)
  private mutating func appendCohort(
    _ wake: WakeHistory.Entry, of wakes: borrowing WakeHistory, to bytes: inout [UInt8], enough: Int
  ) -> Bool {
    let count = Int(wake.count)
    if wakes.haveEndedApart(wake) {
      while cohortLines < count, bytes.count < enough {
        append(wakes.wake(cohortLines, of: wake), of: wakes, to: &bytes)
        cohortLines += 1
      }
      return cohortLines == count
    }
    if cohortLines == 0 { setShared(wake, of: wakes) }
    while cohortLines < count, bytes.count < enough {
      // Makes the first line's text. A later line whose text is not known yet begins anew.
      var app = place(of: App(index: wake.app.index + UInt32(cohortLines)))
      let longest = apps.longest + between.count
      let end = min(count, cohortLines + max(1, Self.enoughRoom / longest))
      bytes.append(room: (end - cohortLines) * longest + TextRoom.shortText) { line in
        before.append(to: &line)
        while true {
          apps.append(app, to: &line)
          cohortLines += 1
          if cohortLines == end { break }
          app = apps.place(of: Int(wake.app.index) + cohortLines)
          if app.isEmpty { break }
          between.append(to: &line)
        }
        behind.append(to: &line)
      }
    }
    return cohortLines == count
  }

  /// The room that is made at once, unless a line needs more.
  private static let enoughRoom = 32 << 10

  @inline(never)
  private mutating func append(
    _ wake: WakeHistory.Entry, of wakes: borrowing WakeHistory, to bytes: inout [UInt8]
  ) {
    let app = place(of: wake.app)
    let push = wakes.push(of: wake).map { JSONWriter.bytes(of: $0) }
    let room = roomBefore + app.count + roomBehind(wake, wakes, push)
    bytes.append(room: room) { line in
      writeTime(of: wake, to: &line)
      apps.append(app, to: &line)
      writeBehindApp(wake, wakes, push, to: &line)
    }
  }

  /// Sets ``before``, ``behind`` and ``between`` to what the lines of wakes share that are like this one but for their apps.
  private mutating func setShared(_ wake: WakeHistory.Entry, of wakes: borrowing WakeHistory) {
    let push = wakes.push(of: wake).map { JSONWriter.bytes(of: $0) }
    let room = roomBehind(wake, wakes, push)
    // Taken out meanwhile, as what writes them changes this struct too.
    var texts = TextBytes()
    swap(&texts, &before)
    texts.set(room: roomBefore) { writeTime(of: wake, to: &$0) }
    swap(&texts, &before)
    swap(&texts, &behind)
    texts.set(room: room) { writeBehindApp(wake, wakes, push, to: &$0) }
    swap(&texts, &behind)
    swap(&texts, &between)
    texts.set(room: behind.count + before.count + TextRoom.shortText) {
      behind.append(to: &$0)
      before.append(to: &$0)
    }
    swap(&texts, &between)
  }

  private var roomBefore: Int { head.count + TextRoom.timeRoom + TextRoom.shortText }

  @inline(__always)
  private mutating func writeTime(of wake: WakeHistory.Entry, to line: inout TextRoom) {
    head.append(to: &line)
    line.append(time: wake.time, in: times, keptIn: &timeTexts)
  }

  /// The room for what is behind the app.
  @inline(__always)
  private mutating func roomBehind(
    _ wake: WakeHistory.Entry, _ wakes: borrowing WakeHistory, _ push: [UInt8]?
  ) -> Int {
    var room = Self.fixedRoom + (push?.count ?? 0)
    if wake.typeCount == 1 {
      room += place(of: SampleType(index: wake.firstType)).count
    } else {
      for place in 0..<Int(wake.typeCount) {
        room += self.place(of: wakes.type(place, of: wake)).count + 1
      }
    }
    return room
  }

  /// The room for what each line has behind the app: two times, a number, fewer than 110 bytes between them, and what is copied
  /// beyond a text.
  private static let fixedRoom =
    2 * TextRoom.timeRoom + TextRoom.numberRoom + 110 + TextRoom.shortText

  /// What is behind the app.
  @inline(__always)
  private mutating func writeBehindApp(
    _ wake: WakeHistory.Entry, _ wakes: borrowing WakeHistory, _ push: [UInt8]?,
    to line: inout TextRoom
  ) {
    if wake.typeCount == 1 {
      types.append(place(of: SampleType(index: wake.firstType)), to: &line)
    } else {
      for place in 0..<Int(wake.typeCount) {
        if place > 0 { line.append(",") }
        types.append(self.place(of: wakes.type(place, of: wake)), to: &line)
      }
    }
    line.append("],\"saves\":")
    line.append(Int64(wake.saves))
    line.append(",\"oldest\":")
    write(time: wake.oldest, to: &line)
    line.append(",\"push\":")
    if let push { line.append(push.span) } else { line.append("null") }
    line.append(wake.hasRefresh ? ",\"refresh\":true" : ",\"refresh\":false")
    switch wake.outcome {
    case .completed: line.append(",\"outcome\":\"completed\",\"end\":")
    case .expired: line.append(",\"outcome\":\"expired\",\"end\":")
    case .aborted: line.append(",\"outcome\":\"aborted\",\"end\":")
    case .open, nil: line.append(",\"outcome\":\"open\",\"end\":")
    }
    write(time: wake.end, to: &line)
    line.append("}\n")
  }

  @inline(__always)
  private mutating func write(time: Int64, to line: inout TextRoom) {
    if time == WakeHistory.Entry.never {
      line.append("null")
    } else {
      line.append(time: time, in: times, keptIn: &timeTexts)
    }
  }

  /// The place of an app's text, which is made if there is none.
  @inline(__always)
  private mutating func place(of app: App) -> Range<Int> {
    let place = apps.place(of: Int(app.index))
    return place.isEmpty ? makeText(of: app) : place
  }

  @inline(__always)
  private mutating func place(of type: SampleType) -> Range<Int> {
    let place = types.place(of: Int(type.index))
    return place.isEmpty ? makeText(of: type) : place
  }

  @inline(never)
  private mutating func makeText(of app: App) -> Range<Int> {
    let name = JSONWriter.bytes(of: symbols.apps.name(of: app))
    return apps.set(Int(app.index), to: Array(",\"app\":".utf8) + name + ",\"types\":[".utf8)
  }

  @inline(never)
  private mutating func makeText(of type: SampleType) -> Range<Int> {
    let name = JSONWriter.bytes(of: symbols.types.name(of: type))
    return types.set(Int(type.index), to: name)
  }
}
