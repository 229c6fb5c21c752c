import WakeEvents
import WakeJSON
import WakeScheduling

/// Writes wakes as lines of the wake log (page Rules, section 7).
///
/// What lines of a device, an app or a type share is written once, and room is made once for each line.
struct WakeLine: ~Copyable {
  private let symbols: Symbols
  private let times: JSONTimeForm
  /// What a line begins with: up to the key `t`.
  private var head: [UInt8] = []
  /// From the key `app` to the first type, by ``App/index``.
  private var apps = LineTexts()
  /// The names of types with a comma before each, by ``SampleType/index``.
  private var types = LineTexts()

  init(symbols: Symbols, times: JSONTimeForm) {
    self.symbols = symbols
    self.times = times
  }

  /// Starts with the lines of a device.
  mutating func start(device: String) {
    head = LineTexts.head(device: device, before: "t")
  }

  /// Appends a line with its end.
  mutating func append(_ wake: borrowing Wake, to bytes: inout [UInt8]) {
    let app = Int(wake.app.index)
    if apps.count(of: app) == 0 { makeText(of: wake.app) }
    var room = Self.fixedRoom + head.count + apps.count(of: app)
    for type in wake.types {
      if types.count(of: Int(type.index)) == 0 { makeText(of: type) }
      room += types.count(of: Int(type.index))
    }
    let push = wake.push.map { JSONWriter.bytes(of: $0) }
    room += push?.count ?? 0
    bytes.append(addingCapacity: room) { line in
      line.append(head.span)
      line.append(wake.time, in: times)
      apps.append(app, to: &line)
      var comma = 1
      for type in wake.types {
        // The first one without its comma.
        types.append(Int(type.index), droppingFirst: comma, to: &line)
        comma = 0
      }
      line.append("],\"saves\":")
      line.append(Int64(wake.saves))
      line.append(",\"oldest\":")
      if let oldest = wake.oldest { line.append(oldest, in: times) } else { line.append("null") }
      line.append(",\"push\":")
      if let push { line.append(push.span) } else { line.append("null") }
      line.append(wake.refresh ? ",\"refresh\":true" : ",\"refresh\":false")
      switch wake.outcome {
      case .completed: line.append(",\"outcome\":\"completed\",\"end\":")
      case .expired: line.append(",\"outcome\":\"expired\",\"end\":")
      case .aborted: line.append(",\"outcome\":\"aborted\",\"end\":")
      case .open: line.append(",\"outcome\":\"open\",\"end\":")
      }
      if let end = wake.end { line.append(end, in: times) } else { line.append("null") }
      line.append("}\n")
    }
  }

  /// The room for what is in each line: three times, a number, and less than 100 bytes between them.
  private static let fixedRoom =
    3 * OutputSpan<UInt8>.timeRoom + OutputSpan<UInt8>.numberRoom + 100

  private mutating func makeText(of app: App) {
    let name = JSONWriter.bytes(of: symbols.apps.name(of: app))
    apps.set(Int(app.index), to: Array(",\"app\":".utf8) + name + Array(",\"types\":[".utf8))
  }

  private mutating func makeText(of type: SampleType) {
    types.set(
      Int(type.index), to: Array(",".utf8) + JSONWriter.bytes(of: symbols.types.name(of: type)))
  }
}
