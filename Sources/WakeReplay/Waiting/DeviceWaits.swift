import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTrace

/// What waits on one device: its part of the wait log, and the sums that it adds to a tally.
final class DeviceWaits {
  /// One property, so that Swift checks exclusive access once for each wait.
  private var parts: Parts

  private struct Parts {
    /// Nil where only sums are asked for.
    var line: WaitLine?
    /// Of the thread that uses the device.
    var tally: WaitTally?
    var bytes: [UInt8] = []
    /// Where the lines go, and the device's place there; nil where there is none.
    let log: WakeLog?
    var place = 0
    /// What kept the log from taking lines amid a call of the scheduler.
    var failure: TraceError?

    mutating func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
      switch phase {
      case .logged:
        line?.append(wait, to: &bytes)
        if bytes.count >= DeviceWaits.mostBytes { handOverEarly() }
      case .over: tally?.count(wait)
      }
    }

    /// Hands lines over though a call of the scheduler is under way: after one input there may be a million wakes.
    private mutating func handOverEarly() {
      do throws(TraceError) {
        if failure == nil { try log?.append(bytes, device: place) }
      } catch {
        failure = error
      }
      bytes.removeAll(keepingCapacity: true)
    }
  }

  /// With so many bytes of lines, they are handed over amid a call.
  private static let mostBytes = 1 << 20

  /// - Parameters:
  ///   - line: Writes the lines of the wait log; nil where there is none.
  ///   - log: The wait log.
  init(line: WaitLine?, log: WakeLog?) {
    parts = Parts(line: line, log: log)
  }

  /// Starts with the waits of a device, which has a place in the log.
  func start(device: String, place: Int) {
    parts.line?.start(device: device)
    parts.place = place
  }

  /// Adds the waits that are over to the sums of a thread from now on.
  func addSums(to tally: WaitTally) { parts.tally = tally }

  func take(_ phase: WaitPhase, _ wait: borrowing Wait) { parts.take(phase, wait) }

  /// Whether the lines are enough to be handed over, 64 KiB, or some could not be.
  var isLarge: Bool { parts.bytes.count >= 64 << 10 || parts.failure != nil }

  /// Hands the lines so far over and keeps their memory for the next ones.
  ///
  /// - Throws: What keeps the log from taking them, or kept it from taking earlier ones.
  func handOver() throws(TraceError) {
    if let failure = parts.failure { throw failure }
    try parts.log?.append(parts.bytes, device: parts.place)
    parts.bytes.removeAll(keepingCapacity: true)
  }
}

/// Writes waits as lines of the wait log (page Rules, 9.3).
///
/// A wake with ten types has ten lines. So what is the same in all lines of an app and type is written once.
struct WaitLine {
  private let symbols: Symbols
  private let times: JSONTimeForm
  /// What a line begins with: up to the key `wake`.
  private var head: [UInt8] = []
  /// From the key `app` to `saves`, by ``App/index``, then by ``SampleType/index``.
  private var middles: [[[UInt8]]] = []
  private let words = WaitReason.allCases.map { Array("\"\($0.word)\"".utf8) }

  init(symbols: Symbols, times: JSONTimeForm) {
    self.symbols = symbols
    self.times = times
  }

  /// Starts with the lines of a device.
  mutating func start(device: String) {
    let name =
      device.isEmpty ? [] : Array("\"device\":".utf8) + JSONWriter.bytes(of: device) + [0x2C]
    head = Array("{".utf8) + name + Array("\"wake\":".utf8)
  }

  /// Appends a line with its end.
  mutating func append(_ wait: borrowing Wait, to bytes: inout [UInt8]) {
    var json = JSONWriter(.line, times: times)
    swap(&json.bytes, &bytes)
    json.bytes += head
    json.value(wait.wake)
    json.literal(",\"t\":")
    json.time(wait.wake == nil ? nil : Timestamp(nanoseconds: wait.until))
    switch wait.item {
    case .type(let type):
      appendMiddle(wait.app, type, to: &json.bytes)
      json.value(wait.saves)
    case .push(let id):
      json.bytes += middle(wait.app, .push, name: id)
    case .refresh:
      json.bytes += middle(wait.app, .refresh, name: nil)
    }
    json.literal(",\"since\":")
    json.time(Timestamp(nanoseconds: wait.since))
    json.literal(",\"waits\":[")
    for place in wait.stretches.indices {
      json.literal(place == 0 ? "{\"ns\":" : ",{\"ns\":")
      json.value(wait.stretches[place].nanoseconds)
      json.literal(",\"why\":[")
      var isFirst = true
      for reason in wait.stretches[place].reasons {
        if !isFirst { json.literal(",") }
        json.bytes += words[Int(reason.rawValue)]
        isFirst = false
      }
      json.literal("]}")
    }
    json.literal("]}\n")
    swap(&json.bytes, &bytes)
  }

  private mutating func appendMiddle(_ app: App, _ type: SampleType, to bytes: inout [UInt8]) {
    let (place, typePlace) = (Int(app.index), Int(type.index))
    while place >= middles.count { middles.append([]) }
    while typePlace >= middles[place].count { middles[place].append([]) }
    if middles[place][typePlace].isEmpty {
      middles[place][typePlace] =
        middle(app, .type(type), name: symbols.types.name(of: type)) + Array(",\"saves\":".utf8)
    }
    bytes += middles[place][typePlace]
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
