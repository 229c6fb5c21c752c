import WakeEvents
import WakeJSON
import WakeScheduling

/// What waits on one device: its part of the wait log, and the sums that it adds to a tally.
final class DeviceWaits {
  private var line: WaitLine
  /// The tally of the thread that uses the device.
  var tally: WaitTally?
  private var bytes: [UInt8] = []

  init(symbols: Symbols, device: String) {
    line = WaitLine(symbols: symbols, device: device)
  }

  /// Whether the bytes are enough to be handed over: 64 KiB.
  var isLarge: Bool { bytes.count >= 64 << 10 }

  func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
    switch phase {
    case .logged: line.append(wait, to: &bytes)
    case .over: tally?.count(wait)
    }
  }

  func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}

/// Writes waits as lines of the wait log (page Rules, 9.3).
///
/// A wake with ten types has ten lines. So what is the same in all lines of an app and type is written once.
struct WaitLine {
  private let symbols: Symbols
  /// What a line begins with: up to the key `wake`.
  private let head: [UInt8]
  /// From the key `app` to `saves`, by ``App/index``, then by ``SampleType/index``.
  private var middles: [[[UInt8]]] = []

  init(symbols: Symbols, device: String) {
    self.symbols = symbols
    let name =
      device.isEmpty ? [] : Array("\"device\":".utf8) + JSONWriter.bytes(of: device) + [0x2C]
    head = Array("{".utf8) + name + Array("\"wake\":".utf8)
  }

  /// Appends a line with its end.
  mutating func append(_ wait: borrowing Wait, to bytes: inout [UInt8]) {
    var json = JSONWriter(.line)
    swap(&json.bytes, &bytes)
    json.bytes += head
    json.value(wait.wake)
    json.bytes += Self.time
    json.value(wait.wake == nil ? nil : wait.until)
    switch wait.item {
    case .type(let type):
      appendMiddle(wait.app, type, to: &json.bytes)
      json.value(wait.saves)
    case .push(let id):
      json.bytes += middle(wait.app, item: "push", name: id)
    case .refresh:
      json.bytes += middle(wait.app, item: "refresh", name: nil)
    }
    json.bytes += Self.since
    json.value(wait.since)
    json.bytes += Self.waits
    for (number, stretch) in wait.stretches.enumerated() {
      json.bytes += number == 0 ? Self.firstStretch : Self.nextStretch
      json.value(stretch.nanoseconds)
      json.bytes += Self.why
      var isFirst = true
      for reason in stretch.reasons {
        // Each word has a comma before it.
        json.bytes += Self.words[Int(reason.rawValue)].dropFirst(isFirst ? 1 : 0)
        isFirst = false
      }
      json.bytes += Self.stretchEnd
    }
    json.bytes += Self.end
    swap(&json.bytes, &bytes)
  }

  private mutating func appendMiddle(_ app: App, _ type: SampleType, to bytes: inout [UInt8]) {
    let (place, typePlace) = (Int(app.index), Int(type.index))
    while place >= middles.count { middles.append([]) }
    while typePlace >= middles[place].count { middles[place].append([]) }
    if middles[place][typePlace].isEmpty {
      middles[place][typePlace] =
        middle(app, item: "type", name: symbols.types.name(of: type)) + Array(",\"saves\":".utf8)
    }
    bytes += middles[place][typePlace]
  }

  private func middle(_ app: App, item: String, name: String?) -> [UInt8] {
    var json = JSONWriter(.line)
    // The first member has no comma before it.
    json.bytes += ",".utf8
    json.member("app", symbols.apps.name(of: app))
    json.member("item", item)
    if let name { json.member("name", name) }
    return json.bytes
  }

  private static let time = Array(",\"t\":".utf8)
  private static let since = Array(",\"since\":".utf8)
  private static let waits = Array(",\"waits\":[".utf8)
  private static let firstStretch = Array("{\"ns\":".utf8)
  private static let nextStretch = Array(",{\"ns\":".utf8)
  private static let why = Array(",\"why\":[".utf8)
  private static let stretchEnd = Array("]}".utf8)
  private static let end = Array("]}\n".utf8)
  private static let words = WaitReason.allCases.map { Array(",\"\($0.word)\"".utf8) }
}
