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
  private var head: [UInt8] = []
  /// The key `app` with the name, by ``App/index``.
  private var apps = LineTexts()
  /// The names of types with a comma before each, by ``SampleType/index``.
  private var types = LineTexts()

  /// What is before and behind the app in the lines of a cohort, which differ in their apps only.
  struct CohortTexts: ~Copyable {
    fileprivate var before: [UInt8] = []
    fileprivate var behind: [UInt8] = []
  }

  init(symbols: Symbols, times: JSONTimeForm) {
    self.symbols = symbols
    self.times = times
  }

  /// Starts with the lines of a device.
  mutating func start(device: String) {
    head = LineTexts.head(device: device, before: "t")
  }

  /// Appends the line of a wake with its end.
  mutating func append(
    _ wake: EndedWake, types: Span<SampleType>, push: String?, to bytes: inout [UInt8]
  ) {
    let app = place(of: wake.app)
    let push = push.map { JSONWriter.bytes(of: $0) }
    let room = roomBefore + app.count + roomBehind(types, push)
    bytes.append(room: room) { line in
      writeTime(of: wake, to: &line)
      apps.append(app, to: &line)
      write(wake, types, push, to: &line)
    }
  }

  /// Writes what the lines of a cohort share.
  mutating func write(
    _ wake: EndedWake, types: Span<SampleType>, push: String?, to texts: inout CohortTexts
  ) {
    let push = push.map { JSONWriter.bytes(of: $0) }
    let room = roomBehind(types, push)
    texts.before.removeAll(keepingCapacity: true)
    texts.before.append(room: roomBefore) { writeTime(of: wake, to: &$0) }
    texts.behind.removeAll(keepingCapacity: true)
    texts.behind.append(room: room) { write(wake, types, push, to: &$0) }
  }

  /// Appends the line of a wake of a cohort.
  mutating func append(_ texts: borrowing CohortTexts, of app: App, to bytes: inout [UInt8]) {
    let app = place(of: app)
    let room = texts.before.count + app.count + texts.behind.count
    bytes.append(room: room) { line in
      line.append(texts.before.span)
      apps.append(app, to: &line)
      line.append(texts.behind.span)
    }
  }

  private var roomBefore: Int { head.count + TextRoom.timeRoom }

  @inline(__always)
  private mutating func writeTime(of wake: EndedWake, to line: inout TextRoom) {
    line.append(head.span)
    line.append(time: wake.time, in: times, keptIn: &timeTexts)
  }

  /// The room for what is behind the app.
  @inline(__always)
  private mutating func roomBehind(_ types: Span<SampleType>, _ push: [UInt8]?) -> Int {
    var room = Self.fixedRoom + (push?.count ?? 0)
    for place in types.indices {
      room += self.place(of: types[place]).count
    }
    return room
  }

  /// The room for what each line has behind the app: two times, a number, and fewer than 100 bytes between them.
  private static let fixedRoom = 2 * TextRoom.timeRoom + TextRoom.numberRoom + 100

  /// What is behind the app.
  @inline(__always)
  private mutating func write(
    _ wake: EndedWake, _ types: Span<SampleType>, _ push: [UInt8]?, to line: inout TextRoom
  ) {
    line.append(",\"types\":[")
    var comma = 1
    for place in types.indices {
      // The first one without its comma.
      self.types.append(self.place(of: types[place]).dropFirst(comma), to: &line)
      comma = 0
    }
    line.append("],\"saves\":")
    line.append(Int64(wake.saves))
    line.append(",\"oldest\":")
    write(wake.oldest, to: &line)
    line.append(",\"push\":")
    if let push { line.append(push.span) } else { line.append("null") }
    line.append(wake.hasRefresh ? ",\"refresh\":true" : ",\"refresh\":false")
    switch wake.outcome {
    case .completed: line.append(",\"outcome\":\"completed\",\"end\":")
    case .expired: line.append(",\"outcome\":\"expired\",\"end\":")
    case .aborted: line.append(",\"outcome\":\"aborted\",\"end\":")
    case .open: line.append(",\"outcome\":\"open\",\"end\":")
    }
    write(wake.end, to: &line)
    line.append("}\n")
  }

  @inline(__always)
  private mutating func write(_ time: Int64?, to line: inout TextRoom) {
    if let time {
      line.append(time: time, in: times, keptIn: &timeTexts)
    } else {
      line.append("null")
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
    return apps.set(Int(app.index), to: Array(",\"app\":".utf8) + name)
  }

  @inline(never)
  private mutating func makeText(of type: SampleType) -> Range<Int> {
    let name = JSONWriter.bytes(of: symbols.types.name(of: type))
    return types.set(Int(type.index), to: Array(",".utf8) + name)
  }
}
