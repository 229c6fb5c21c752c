import WakeEvents
import WakeJSON
import WakeScheduling

/// Writes wakes as lines of the wake log (page Rules, section 7).
///
/// What lines of a device, an app or a type share is written once, and room is made once for each line.
struct WakeLine: ~Copyable {
  private let symbols: Symbols
  private let times: JSONTimeForm
  private var timeTexts = TimeTexts()
  /// What a line begins with: up to the key `t`.
  private var head = TextBytes()
  /// From the key `app` to the beginning of the types, by ``App/index``.
  private var apps = LineTexts()
  /// The names of types with a comma before each, by ``SampleType/index``.
  private var types = LineTexts()
  /// What is before and behind the app in the lines of a cohort (``setShared(_:of:)``).
  private var before = TextBytes()
  private var behind = TextBytes()

  init(symbols: Symbols, times: JSONTimeForm) {
    self.symbols = symbols
    self.times = times
  }

  /// Starts with the lines of a device.
  mutating func start(device: String) {
    let text = LineTexts.head(device: device, before: "t")
    head.set(room: text.count) { $0.append(text.span) }
  }

  /// Appends lines with their ends.
  mutating func append(_ places: Range<Int>, of wakes: WakeHistory, to bytes: inout [UInt8]) {
    for place in places {
      let wake = wakes.entries[place]
      if wake.isLikeBefore, place > places.lowerBound {
        appendShared(of: wake.app, to: &bytes)
      } else if place + 1 < places.upperBound, wakes.entries[place + 1].isLikeBefore {
        setShared(wake, of: wakes)
        appendShared(of: wake.app, to: &bytes)
      } else if wake.isPlain {
        appendPlain(wake, to: &bytes)
      } else {
        append(wake, of: wakes, to: &bytes)
      }
    }
  }

  /// Appends the line of a wake as most are (``WakeHistory/Entry/isPlain``), with long texts between fewer fields: 18 to 20 %
  /// fewer instructions than by `append`.
  @inline(__always)
  private mutating func appendPlain(_ wake: WakeHistory.Entry, to bytes: inout [UInt8]) {
    let (app, type) = (place(of: wake.app), place(of: SampleType(index: wake.firstType)))
    bytes.append(room: roomBefore + app.count + type.count + Self.fixedRoom) { line in
      writeTime(of: wake, to: &line)
      apps.append(app, to: &line)
      // Without its comma.
      types.append(type.dropFirst(), to: &line)
      line.append("],\"saves\":")
      line.append(Int64(wake.saves))
      line.append(",\"oldest\":")
      line.append(time: wake.oldest, in: times, keptIn: &timeTexts)
      if wake.outcome == .completed {
        line.append(",\"push\":null,\"refresh\":false,\"outcome\":\"completed\",\"end\":")
      } else {
        line.append(",\"push\":null,\"refresh\":false,\"outcome\":\"expired\",\"end\":")
      }
      line.append(time: wake.end, in: times, keptIn: &timeTexts)
      line.append("}\n")
    }
  }

  @inline(never)
  private mutating func append(
    _ wake: WakeHistory.Entry, of wakes: WakeHistory, to bytes: inout [UInt8]
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

  /// Sets ``before`` and ``behind`` to what the lines of wakes share that are like this one but for their apps.
  private mutating func setShared(_ wake: WakeHistory.Entry, of wakes: WakeHistory) {
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
  }

  /// Appends a line of ``before``, an app and ``behind``.
  private mutating func appendShared(of app: App, to bytes: inout [UInt8]) {
    let app = place(of: app)
    bytes.append(room: before.count + app.count + behind.count + TextRoom.shortText) { line in
      before.append(to: &line)
      apps.append(app, to: &line)
      behind.append(to: &line)
    }
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
    _ wake: WakeHistory.Entry, _ wakes: WakeHistory, _ push: [UInt8]?
  ) -> Int {
    var room = Self.fixedRoom + (push?.count ?? 0)
    if wake.typeCount == 1 {
      room += place(of: SampleType(index: wake.firstType)).count
    } else {
      for place in 0..<Int(wake.typeCount) {
        room += self.place(of: wakes.type(place, of: wake)).count
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
    _ wake: WakeHistory.Entry, _ wakes: WakeHistory, _ push: [UInt8]?, to line: inout TextRoom
  ) {
    if wake.typeCount == 1 {
      types.append(place(of: SampleType(index: wake.firstType)).dropFirst(), to: &line)
    } else {
      var comma = 1
      for place in 0..<Int(wake.typeCount) {
        // The first one without its comma.
        let type = self.place(of: wakes.type(place, of: wake)).dropFirst(comma)
        types.append(type, to: &line)
        comma = 0
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
    return types.set(Int(type.index), to: Array(",".utf8) + name)
  }
}
