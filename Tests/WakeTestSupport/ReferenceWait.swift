public import WakeEvents

/// A line of the wait log (rules, 9.3), as the reference scheduler finds it.
public struct ReferenceWait {
  /// What waited.
  enum Item {
    case type(SampleType, saves: Int)
    case push(String)
    case refresh
  }

  /// A part of the waiting with the same reasons throughout.
  struct Stretch {
    var nanoseconds: Int64
    var why: [String]
  }

  /// The number of the wake that carries it and its time; nil after the last input.
  var wake: (number: Int, time: Int64)?
  var app: App
  var item: Item
  var since: Int64
  var stretches: [Stretch]
  /// Whether the wake carried it in vain, so that it waits on (rule 9.4).
  public internal(set) var cameBack = false
  /// What ended it, if it is not in the wait log.
  public internal(set) var ending: String?

  /// The line as JSON.
  public func line(device: Device, symbols: Symbols) -> JSONValue {
    var line: [String: JSONValue] = [
      "wake": wake.map { .integer($0.number) } ?? .null,
      "t": wake.map { .integer($0.time) } ?? .null,
      "app": .string(symbols.apps.name(of: app)),
      "since": .integer(since),
      "waits": .array(
        stretches.map {
          .object(["ns": .integer($0.nanoseconds), "why": .array($0.why.map { .string($0) })])
        }),
    ]
    switch item {
    case .type(let type, let saves):
      line["item"] = .string("type")
      line["name"] = .string(symbols.types.name(of: type))
      line["saves"] = .integer(saves)
    case .push(let id):
      line["item"] = .string("push")
      line["name"] = .string(id)
    case .refresh:
      line["item"] = .string("refresh")
    }
    let name = symbols.devices.name(of: device)
    if !name.isEmpty { line["device"] = .string(name) }
    return .object(line)
  }
}

extension [ReferenceWait.Stretch] {
  /// Adds the time between two instants, joined with what is before it if the reasons are the same.
  mutating func append(from start: Int64, to end: Int64, _ why: [String]) {
    if start >= end { return }
    if last?.why == why {
      self[count - 1].nanoseconds += end - start
    } else {
      append(ReferenceWait.Stretch(nanoseconds: end - start, why: why))
    }
  }
}
