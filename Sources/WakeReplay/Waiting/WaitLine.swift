import WakeEvents
import WakeJSON
import WakeScheduling

/// Writes waits as lines of the wait log (page Rules, 9.3).
///
/// A wake with ten types has ten lines. So what is the same in all lines of an app and type is written once, and room is
/// made once for each line. Noncopyable, so that Swift counts no references to its arrays.
struct WaitLine: ~Copyable {
  private let symbols: Symbols
  private let times: JSONTimeForm
  private var timeTexts = TimeTexts()
  /// What a line begins with: up to the key `wake`.
  private var head: [UInt8] = []
  /// From the key `app` to `saves`, by ``App/index``, then by ``SampleType/index``: places in ``texts``.
  private var middles: [[Range<Int>]] = []
  /// One array, so that Swift counts no reference for a text.
  private var texts: [UInt8] = []
  /// The words of reasons with a comma before each, by ``WaitReason/rawValue``.
  private var words = LineTexts()
  /// How many bytes all words take: a stretch has each reason at most once.
  private var wordsRoom = 0

  init(symbols: Symbols, times: JSONTimeForm) {
    self.symbols = symbols
    self.times = times
    for reason in WaitReason.allCases {
      let word = Array(",\"\(reason.word)\"".utf8)
      words.set(Int(reason.rawValue), to: word)
      wordsRoom += word.count
    }
  }

  /// Starts with the lines of a device.
  mutating func start(device: String) {
    head = LineTexts.head(device: device, before: "wake")
  }

  /// Appends a line with its end.
  mutating func append(_ wait: borrowing Wait, to bytes: inout [UInt8]) {
    switch wait.item {
    case .type(let type):
      let (app, type) = (Int(wait.app.index), Int(type.index))
      if app >= middles.count || type >= middles[app].count || middles[app][type].isEmpty {
        makeMiddle(wait.app, app, type)
      }
      append(wait, middle: middles[app][type], saves: wait.saves, to: &bytes)
    case .push(let id):
      append(wait, ownMiddle: middle(wait.app, .push, name: id), to: &bytes)
    case .refresh:
      append(wait, ownMiddle: middle(wait.app, .refresh, name: nil), to: &bytes)
    }
  }

  /// - Parameter ownMiddle: What is between the time and the number of saves in this line alone. It is in ``texts`` until the
  ///   line is written.
  private mutating func append(
    _ wait: borrowing Wait, ownMiddle: [UInt8], to bytes: inout [UInt8]
  ) {
    let start = texts.count
    texts += ownMiddle
    append(wait, middle: start..<texts.count, saves: nil, to: &bytes)
    texts.removeLast(ownMiddle.count)
  }

  /// - Parameter middle: The place in ``texts`` of what is between the time and the number of saves.
  @inline(__always)
  private mutating func append(
    _ wait: borrowing Wait, middle: Range<Int>, saves: Int?, to bytes: inout [UInt8]
  ) {
    let stretchesRoom = wait.stretches.count * (Self.stretchRoom + wordsRoom)
    let room = Self.fixedRoom + head.count + middle.count + stretchesRoom
    bytes.append(room: room) { line in
      line.append(head.span)
      if let wake = wait.wake {
        line.append(Int64(wake))
        line.append(",\"t\":")
        line.append(time: wait.until, in: times, keptIn: &timeTexts)
      } else {
        line.append("null,\"t\":null")
      }
      line.append(texts.span.extracting(middle))
      if let saves { line.append(Int64(saves)) }
      line.append(",\"since\":")
      line.append(time: wait.since, in: times, keptIn: &timeTexts)
      line.append(",\"waits\":[")
      let stretches = wait.stretches.span
      for place in stretches.indices {
        line.append(place == 0 ? "{\"ns\":" : ",{\"ns\":")
        line.append(stretches[place].nanoseconds)
        line.append(",\"why\":[")
        var comma = 1
        for reason in stretches[place].reasons {
          // The first one without its comma.
          words.append(words.place(of: Int(reason.rawValue)).dropFirst(comma), to: &line)
          comma = 0
        }
        line.append("]}")
      }
      line.append("]}\n")
    }
  }

  /// The room for what is in each line, and in each stretch without its words.
  private static let fixedRoom = 160 + TextRoom.shortText
  private static let stretchRoom = 48

  private mutating func makeMiddle(_ symbol: App, _ app: Int, _ type: Int) {
    while app >= middles.count { middles.append([]) }
    while type >= middles[app].count { middles[app].append(0..<0) }
    let start = texts.count
    let item = SampleType(index: UInt32(type))
    texts += middle(symbol, .type(item), name: symbols.types.name(of: item))
    texts += ",\"saves\":".utf8
    middles[app][type] = start..<texts.count
  }

  private func middle(_ app: App, _ kind: WaitKind, name: String?) -> [UInt8] {
    var json = JSONWriter(.line)
    // The first member has no comma before it.
    json.literal(",")
    json.member("app", symbols.apps.name(of: app))
    json.member("item", kind.word)
    if let name { json.member("name", name) }
    return json.bytes
  }
}
