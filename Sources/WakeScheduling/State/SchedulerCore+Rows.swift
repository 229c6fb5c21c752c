import WakeEvents

// Inputs in columns, one after the other.
extension SchedulerCore {
  mutating func takeRows(
    _ columns: borrowing InputColumns, rows: Range<Int>, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    for row in rows { takeRow(columns, row: row, &hasher, listener) }
  }

  /// Takes a row as ``take(_:at:_:_:)`` takes an input. What no predicate asks for is not read.
  mutating func takeRow(
    _ columns: borrowing InputColumns, row: Int, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    let time = Timestamp(nanoseconds: columns.times[row])
    let kind = columns.kinds[row]
    let type = Int(columns.types[row])
    // Rules, 11: an observation is no input.
    if kind == InputKind.observed.rawValue { return }
    if kind > InputKind.delete.rawValue {
      _ = takeOther(columns.others.span[type], at: time, &hasher, listener)
    } else {
      let isFiltered = kind == InputKind.save.rawValue && coalescer.isFiltered(type: type)
      takeSample(
        isFiltered ? columns.sample(at: row) : nil, ofType: type,
        isDelete: kind == InputKind.delete.rawValue, at: time, &hasher, listener)
    }
  }
}
