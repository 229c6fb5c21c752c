import Synchronization
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTrace

extension DiffSide {
  /// Adds the wakes of a replay.
  ///
  /// - Returns: Its result.
  @discardableResult
  mutating func append(
    replayOf files: [TraceFile], _ options: ReplayOptions
  ) throws(TraceError) -> ReplayResult {
    let collector = DiffCollector(names)
    let result = try Replayer(files: files, options: options).run(
      observer: collector, progress: nil)
    for place in collector.places {
      if let device = collector.takeDevice(place) { append(device.byApp, device: device.number) }
    }
    return result
  }
}

/// Collects the wakes of a replay by device.
final class DiffCollector: ReplayObserver {
  struct Device: Sendable {
    var number: Int
    /// By the app's number, in the order of their times.
    var byApp: [Int: [DiffWake]]
  }

  let names: DiffNames
  /// By place.
  private let collected = Mutex<[Int: Device]>([:])

  init(_ names: DiffNames) { self.names = names }

  var places: [Int] { collected.withLock { $0.keys.sorted() } }

  func takeDevice(_ place: Int) -> Device? {
    collected.withLock { $0.removeValue(forKey: place) }
  }

  func observer(ofDevice name: String, place: Int, _ symbols: Symbols) -> any DeviceObserver {
    OfDevice(self, names.with { $0.devices.number(of: name) }, place, symbols)
  }

  private final class OfDevice: DeviceObserver {
    private let collector: DiffCollector
    private let number: Int
    private let place: Int
    private let symbols: Symbols
    private var numbers = SymbolNumbers()
    private var wakes: [Int: [DiffWake]] = [:]

    init(_ collector: DiffCollector, _ number: Int, _ place: Int, _ symbols: Symbols) {
      (self.collector, self.number, self.place, self.symbols) = (collector, number, place, symbols)
    }

    func take(_ phase: WaitPhase, _ wait: borrowing Wait) {}

    func end(_ wake: borrowing Wake) {
      var kept = DiffWake(
        time: wake.time.nanoseconds, types: numbers.types(wake.types, symbols, collector.names))
      kept.oldest = wake.oldest?.nanoseconds ?? DiffWake.none
      kept.end = wake.end?.nanoseconds ?? DiffWake.none
      kept.push = wake.push.map { NameHash.of($0) } ?? 0
      kept.saves = Int32(clamping: wake.saves)
      kept.refresh = wake.refresh ? 1 : 0
      kept.outcome = wake.outcome.rawValue
      // An app has one wake at a time, so its wakes end in the order in which they began.
      wakes[numbers.app(wake.app, symbols, collector.names), default: []].append(kept)
    }

    func handOver(isLast: Bool) throws(TraceError) {
      guard isLast else { return }
      let device = Device(number: number, byApp: wakes)
      collector.collected.withLock { $0[place] = device }
    }
  }
}
