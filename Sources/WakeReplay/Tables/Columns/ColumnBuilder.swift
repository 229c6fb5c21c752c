/// Collects the values of a column.
///
/// The caller appends what fits the column's ``TableField/Values``; another value traps.
package final class ColumnBuilder {
  let values: TableField.Values
  private let names: ColumnNames?
  package private(set) var count = 0
  private var nulls = 0
  /// A byte for each row; empty as long as there is no null.
  private var validity = GrowingBytes()
  /// Numbers, places, a byte for each boolean, or offsets, of which there is one more than rows.
  private var data = GrowingBytes()
  /// The bytes of texts.
  private var text = GrowingBytes()
  /// The elements of lists.
  private var elements: ColumnBuilder?

  /// - Parameter names: Of `names` and `nameLists` alone.
  package init(_ values: TableField.Values, names: ColumnNames? = nil) {
    self.values = values
    switch values {
    case .nameLists:
      self.names = nil
      elements = ColumnBuilder(.names, names: names)
    case .textLists:
      self.names = nil
      elements = ColumnBuilder(.texts)
    default: self.names = names
    }
    if hasOffsets { data.append(0 as Int32) }
  }

  private var hasOffsets: Bool {
    switch values {
    case .texts, .nameLists, .textLists: true
    case .wholeNumbers, .numbers, .booleans, .times, .names: false
    }
  }

  /// Bytes of texts, and elements of lists, which have 32-bit offsets.
  package var weight: Int { max(text.count, elements.map { max($0.count, $0.weight) } ?? 0) }

  private var width: Int {
    switch values {
    case .wholeNumbers, .times, .numbers: 8
    case .names, .texts, .nameLists, .textLists: 4
    case .booleans: 1
    }
  }

  /// Writes down the nulls that are only counted, before the first value.
  private func willAppend() {
    guard nulls == count, nulls > 0, validity.count == 0 else { return }
    validity.append(0 as UInt8, times: nulls)
    data.append(0 as UInt8, times: nulls * width)
  }

  private func didAppend(_ rows: Int = 1) {
    if validity.count > 0 { validity.append(1 as UInt8, times: rows) }
    count += rows
  }

  package func appendNull(times: Int = 1) {
    defer {
      count += times
      nulls += times
    }
    // As long as there is nothing else, nulls are only counted: a column without any value takes no memory.
    if nulls == count, validity.count == 0, !hasOffsets { return }
    if validity.count == 0 { validity.append(1 as UInt8, times: count) }
    validity.append(0 as UInt8, times: times)
    if hasOffsets {
      data.append(Int32(elements?.count ?? text.count), times: times)
    } else {
      data.append(0 as UInt8, times: times * width)
    }
  }

  package func append(_ number: Int64?) {
    guard let number else { return appendNull() }
    willAppend()
    data.append(number)
    didAppend()
  }

  package func append(_ number: Int?) { append(number.map(Int64.init)) }

  package func append(_ number: Double?) {
    guard let number else { return appendNull() }
    willAppend()
    data.append(number)
    didAppend()
  }

  package func append(_ value: Bool) {
    willAppend()
    data.append(value ? 1 : 0 as UInt8)
    didAppend()
  }

  package func append(_ text: String?) {
    guard let text else { return appendNull() }
    willAppend()
    self.text.append(utf8: text)
    data.append(Int32(self.text.count))
    didAppend()
  }

  /// Appends a place in the column's names.
  package func append(place: UInt32?) {
    guard let place else { return appendNull() }
    willAppend()
    data.append(Int32(place))
    didAppend()
  }

  /// Appends a list of places, or of texts.
  package func append(list: (ColumnBuilder) -> Void) {
    willAppend()
    guard let elements else { preconditionFailure("no column of lists") }
    list(elements)
    data.append(Int32(elements.count))
    didAppend()
  }

  // Many rows at once.

  package func append(numbers: ArraySlice<Int64>) {
    guard !numbers.isEmpty else { return }
    willAppend()
    data.append(contentsOf: numbers)
    didAppend(numbers.count)
  }

  package func append(places: ArraySlice<UInt32>) {
    guard !places.isEmpty else { return }
    willAppend()
    data.append(contentsOf: places)
    didAppend(places.count)
  }

  package func append(places: ArraySlice<UInt8>) {
    guard !places.isEmpty else { return }
    willAppend()
    data.append(widening: places)
    didAppend(places.count)
  }

  package func append(place: UInt32?, times: Int) {
    guard let place else { return appendNull(times: times) }
    willAppend()
    data.append(Int32(place), times: times)
    didAppend(times)
  }

  /// The column so far, after which the builder is empty.
  package func take() -> ColumnArray {
    defer {
      (count, nulls) = (0, 0)
      (validity, data, text) = (GrowingBytes(), GrowingBytes(), GrowingBytes())
      if hasOffsets { data.append(0 as Int32) }
    }
    let isEmpty = nulls == count && validity.count == 0 && !hasOffsets
    if isEmpty { data = GrowingBytes(zeros: count * width) }
    let valid =
      nulls == 0 ? nil : isEmpty ? GrowingBytes(zeros: (count + 7) / 8) : Self.bits(validity)
    switch values {
    case .texts:
      return ColumnArray(count: count, nulls: nulls, buffers: [valid, data, text])
    case .nameLists, .textLists:
      return ColumnArray(
        count: count, nulls: nulls, buffers: [valid, data],
        children: elements.map { [$0.take()] } ?? [])
    case .booleans:
      return ColumnArray(count: count, nulls: nulls, buffers: [valid, Self.bits(data)])
    case .wholeNumbers, .numbers, .times, .names:
      return ColumnArray(
        count: count, nulls: nulls, buffers: [valid, data], names: names?.array)
    }
  }

  /// A bit for each byte that is 1.
  private static func bits(_ bytes: GrowingBytes) -> GrowingBytes {
    let bits = GrowingBytes()
    var (word, filled) = (UInt8(0), 0)
    for place in 0..<bytes.count {
      word |= bytes.byte(at: place) << filled
      filled += 1
      if filled == 8 {
        bits.append(word)
        (word, filled) = (0, 0)
      }
    }
    if filled > 0 { bits.append(word) }
    return bits
  }
}

/// The names of whose places a column is; they may grow between two batches.
package final class ColumnNames {
  private let known: () -> Int
  private let all: () -> [String]
  private var latest: ColumnArray?

  /// - Parameters:
  ///   - known: How many names there are.
  ///   - all: The names.
  package init(known: @escaping () -> Int, all: @escaping () -> [String]) {
    self.known = known
    self.all = all
  }

  /// Names that do not grow.
  package convenience init(_ names: [String]) {
    self.init(known: { names.count }, all: { names })
  }

  /// The names as a column; the same one as long as there are no more.
  package var array: ColumnArray {
    if let latest, latest.count == known() { return latest }
    let array = ColumnArray.texts(all())
    latest = array
    return array
  }
}
