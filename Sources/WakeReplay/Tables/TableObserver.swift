package import WakeEvents
import WakeScheduling
package import WakeTrace

/// Writes a table of wakes or waits as a replay goes, device by device.
package final class TableObserver: ReplayObserver {
  fileprivate let table: ReplayTable
  fileprivate let output: WakeLog

  /// Starts a file with its header; ``commit()`` puts it in place.
  ///
  /// - Parameter table: One of wakes, items and waits.
  package init(_ table: ReplayTable, path: String, isPrivate: Bool) throws(TraceError) {
    self.table = table
    output = try WakeLog(path: path, isPrivate: isPrivate)
    try output.append(table.header.bytes, device: 0)
  }

  package var seesWaits: Bool { table != .wakes }

  package func observer(
    ofDevice name: String, place: Int, _ symbols: Symbols
  ) -> any DeviceObserver {
    DeviceRows(of: self, device: name, place: place, symbols)
  }

  /// Puts the file in place, after the replay.
  package func commit() throws(TraceError) { try output.commit() }
}

/// The rows of one device.
private final class DeviceRows: DeviceObserver {
  private let whole: TableObserver
  private let device: String
  private let place: Int
  private let symbols: Symbols
  private var rows = CSVWriter()
  private var order = WakeOrder<Wake>()
  private var part: LogPart

  init(of whole: TableObserver, device: String, place: Int, _ symbols: Symbols) {
    self.whole = whole
    self.device = device
    self.place = place
    self.symbols = symbols
    part = LogPart(of: whole.output, place: place)
  }

  func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
    switch (whole.table, phase) {
    case (.items, .logged): if wait.wake != nil { appendItem(wait) }
    case (.waits, .over): appendStretches(wait)
    default: break
    }
    rows.handOverAmidCall(to: &part)
  }

  private func appendItem(_ wait: borrowing Wait) {
    rows.field(device: device)
    rows.field(wait.wake)
    rows.field(Timestamp(nanoseconds: wait.until))
    rows.field(symbols.apps.name(of: wait.app))
    rows.field(wait.item.kind.word)
    rows.field(wait.item.name(symbols))
    rows.field(wait.savesOfType)
    rows.field(Timestamp(nanoseconds: wait.since))
    rows.endRow()
  }

  private func appendStretches(_ wait: borrowing Wait) {
    let (app, item) = (symbols.apps.name(of: wait.app), wait.item.kind.word)
    let name = wait.item.name(symbols)
    // What a wake carried has ended with it, whatever came before its answer.
    let ending = wait.wake == nil ? wait.ending : nil
    var time = wait.since
    for stretch in wait.stretches {
      rows.field(device: device)
      rows.field(wait.wake)
      rows.field(app)
      rows.field(item)
      rows.field(name)
      rows.field(Timestamp(nanoseconds: wait.since))
      rows.field(Timestamp(nanoseconds: time))
      time += stretch.nanoseconds
      rows.field(Timestamp(nanoseconds: time))
      rows.field(stretch.nanoseconds)
      rows.field(stretch.reasons.map(\.word).joined(separator: "+"))
      rows.field(ending?.word)
      rows.endRow()
    }
  }

  func end(_ wake: borrowing Wake) {
    guard whole.table == .wakes else { return }
    order.add(wake) {
      append($0)
      rows.handOverAmidCall(to: &part)
    }
  }

  private func append(_ wake: borrowing Wake) {
    rows.field(device: device)
    rows.field(wake.number)
    rows.field(wake.time)
    rows.field(symbols.apps.name(of: wake.app))
    rows.field(wake.types.count)
    rows.field(wake.saves)
    rows.field(wake.oldest)
    rows.field(wake.push)
    rows.field(wake.refresh)
    rows.field(wake.outcome.word)
    rows.field(wake.end)
    rows.endRow()
  }

  func handOver(isLast: Bool) throws(TraceError) {
    try rows.handOver(to: &part, all: isLast)
    if isLast { try whole.output.finish(device: place) }
  }
}
