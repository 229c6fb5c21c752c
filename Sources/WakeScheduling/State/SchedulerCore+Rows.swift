import WakeEvents

// Inputs in columns, one after the other.
extension SchedulerCore {
  mutating func takeRows(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    for row in rows { takeRow(columns, row: row, &hasher, listener) }
  }

  /// Takes a row as ``take(_:at:_:_:)`` takes an input. What no predicate asks for is not read.
  mutating func takeRow(
    _ columns: borrowing RowColumns, row: Int, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    let time = unsafe Timestamp(nanoseconds: columns.times[row])
    let kind = unsafe columns.kinds[row]
    let type = unsafe Int(columns.types[row])
    // Rules, 11: an observation is no input.
    if kind == InputKind.observed.rawValue { return }
    if kind > InputKind.delete.rawValue {
      enter(time.nanoseconds, &hasher, listener)
      takeOther(columns.other(at: type), &hasher, listener)
    } else {
      let isFiltered = kind == InputKind.save.rawValue && coalescer.isFiltered(type: type)
      takeSample(
        isFiltered ? columns.sample(at: row) : nil, ofType: type,
        isDelete: kind == InputKind.delete.rawValue, at: time, &hasher, listener)
    }
  }
}
