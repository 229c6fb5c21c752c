import Synchronization
package import WakeEvents
import WakeScheduling

/// Collects a table of wakes or waits in memory as a replay goes, device by device.
package final class ColumnObserver: ReplayObserver {
  /// The rows of a device that may not be added yet, as the devices before it are not finished.
  private struct Held {
    var rows = DeviceRows()
    var isFinished = false
  }

  private struct State: ~Copyable {
    var builder: TableBuilder?
    var symbols: Symbols?
    /// The first unfinished device.
    var current = 0
    var held: [Int: Held] = [:]
  }

  private let table: ReplayTable
  private let state = Mutex(State())

  /// - Parameter table: One of wakes, items and waits.
  package init(_ table: ReplayTable) { self.table = table }

  package var seesWaits: Bool { table != .wakes }

  package func observer(
    ofDevice name: String, place: Int, _ symbols: Symbols
  ) -> any DeviceObserver {
    state.withLock { state in
      if state.builder == nil {
        state.symbols = symbols
        state.builder = TableBuilder(table.fields ?? []) { table.names(of: $0, symbols) }
      }
    }
    return DeviceColumns(
      of: self, table, DeviceRows(device: name.isEmpty ? nil : symbols.devices.intern(name)),
      place: place)
  }

  fileprivate func add(_ rows: DeviceRows, place: Int, isLast: Bool) {
    state.withLock { state in
      guard place == state.current else {
        state.held[place, default: Held(rows: DeviceRows(device: rows.device))].rows.append(rows)
        if isLast { state.held[place]?.isFinished = true }
        return
      }
      Self.write(rows, &state)
      guard isLast else { return }
      state.current += 1
      while let held = state.held.removeValue(forKey: state.current) {
        Self.write(held.rows, &state)
        guard held.isFinished else { return }
        state.current += 1
      }
    }
  }

  /// The table, after the replay.
  package func finish() -> [TableBatch] {
    state.withLock { state in
      // A device of which nothing was selected does not finish.
      for (_, held) in state.held.sorted(by: { $0.key < $1.key }) { Self.write(held.rows, &state) }
      state.held = [:]
      return state.builder?.finish() ?? []
    }
  }

  private static func write(_ rows: DeviceRows, _ state: inout State) {
    guard let builder = state.builder, let symbols = state.symbols else { return }
    rows.write(to: builder, symbols)
  }
}

/// Rows of one device as the scheduler tells them.
private struct DeviceRows {
  var device: Device?
  var wakes: [Wake] = []
  /// For the table of items or of waits.
  var waits: [Wait] = []
  var isItems = false

  var count: Int { wakes.count + waits.count }

  mutating func append(_ other: DeviceRows) {
    isItems = other.isItems
    wakes += other.wakes
    waits += other.waits
  }

  func write(to builder: TableBuilder, _ symbols: Symbols) {
    for wake in wakes { append(wake, to: builder) }
    for wait in waits {
      if isItems {
        appendItem(wait, to: builder, symbols)
      } else {
        appendStretches(wait, to: builder, symbols)
      }
    }
  }

  private func append(_ wake: Wake, to builder: TableBuilder) {
    let columns = builder.columns
    columns[0].append(place: device?.index)
    columns[1].append(wake.number)
    columns[2].append(wake.time.nanoseconds)
    columns[3].append(place: wake.app.index)
    columns[4].append { list in for type in wake.types { list.append(place: type.index) } }
    columns[5].append(wake.saves)
    columns[6].append(wake.oldest?.nanoseconds)
    columns[7].append(wake.push)
    columns[8].append(wake.refresh)
    columns[9].append(place: UInt32(wake.outcome.rawValue - 1))
    columns[10].append(wake.end?.nanoseconds)
    builder.endRow()
  }

  private func appendItem(_ wait: Wait, to builder: TableBuilder, _ symbols: Symbols) {
    let columns = builder.columns
    columns[0].append(place: device?.index)
    columns[1].append(wait.wake)
    columns[2].append(wait.until)
    columns[3].append(place: wait.app.index)
    columns[4].append(place: wait.item.kind.placeOfWord)
    columns[5].append(wait.item.name(symbols))
    columns[6].append(wait.savesOfType)
    columns[7].append(wait.since)
    builder.endRow()
  }

  private func appendStretches(_ wait: Wait, to builder: TableBuilder, _ symbols: Symbols) {
    let columns = builder.columns
    let (kind, name) = (wait.item.kind.placeOfWord, wait.item.name(symbols))
    // What a wake carried has ended with it, whatever came before its answer.
    let ending = wait.wake == nil ? wait.ending?.place : nil
    var time = wait.since
    for stretch in wait.stretches {
      columns[0].append(place: device?.index)
      columns[1].append(wait.wake)
      columns[2].append(place: wait.app.index)
      columns[3].append(place: kind)
      columns[4].append(name)
      columns[5].append(wait.since)
      columns[6].append(time)
      time += stretch.nanoseconds
      columns[7].append(time)
      columns[8].append(stretch.nanoseconds)
      columns[9].append { list in
        for reason in stretch.reasons { list.append(place: UInt32(reason.rawValue)) }
      }
      columns[10].append(place: ending)
      builder.endRow()
    }
  }
}

extension WaitKind {
  /// Its place in ``words``.
  fileprivate var placeOfWord: UInt32 {
    switch self {
    case .type: 0
    case .push: 1
    case .refresh: 2
    }
  }
}

extension Wait.Ending {
  fileprivate var place: UInt32? { Self.allCases.firstIndex(of: self).map { UInt32($0) } }
}

/// The rows of one device, handed over now and then.
private final class DeviceColumns: DeviceObserver {
  private let whole: ColumnObserver
  private let table: ReplayTable
  private let place: Int
  private var rows: DeviceRows
  private var order = WakeOrder<Wake>()

  init(of whole: ColumnObserver, _ table: ReplayTable, _ rows: DeviceRows, place: Int) {
    self.whole = whole
    self.table = table
    self.rows = rows
    self.place = place
    self.rows.isItems = table == .items
  }

  func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
    switch (table, phase) {
    case (.items, .logged): if wait.wake != nil { rows.waits.append(copy wait) }
    case (.waits, .over): rows.waits.append(copy wait)
    default: break
    }
    handOver(isLast: false)
  }

  func end(_ wake: borrowing Wake) {
    guard table == .wakes else { return }
    order.add(wake) {
      rows.wakes.append(copy $0)
      handOver(isLast: false)
    }
  }

  func handOver(isLast: Bool) {
    guard isLast || rows.count >= 1_024 else { return }
    whole.add(rows, place: place, isLast: isLast)
    rows.wakes.removeAll(keepingCapacity: true)
    rows.waits.removeAll(keepingCapacity: true)
  }
}
