/// The optional fields of a batch's saves, as columns beside ``InputColumns``.
///
/// The columns end at the last row that has a field.
public struct SampleDetails: Sendable {
  /// The fields that a row has.
  public struct Fields: OptionSet, Sendable {
    public let rawValue: UInt8
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The sample's start was given.
    @inlinable
    public static var start: Fields { Fields(rawValue: 1) }
    /// The sample's end was given.
    @inlinable
    public static var end: Fields { Fields(rawValue: 2) }
    /// The sample has a value.
    @inlinable
    public static var value: Fields { Fields(rawValue: 4) }
  }

  /// The fields of each row; empty if no row has any.
  public var fields: [Fields] = []
  /// Starts in nanoseconds since the Unix epoch, 0 where absent.
  public var starts: [Int64] = []
  /// Ends in nanoseconds since the Unix epoch, 0 where absent.
  public var ends: [Int64] = []
  /// Values, 0 where absent.
  public var values: [Double] = []

  /// Makes columns without rows.
  public init() {}

  /// Whether no row has a field.
  public var isEmpty: Bool { fields.isEmpty }

  /// Drops all rows and keeps the memory.
  public mutating func removeAll() {
    fields.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  /// Makes `count` rows without fields, for a reader that fills them in.
  package mutating func reset(to count: Int) {
    removeAll()
    fields.resize(to: count, filler: [])
    starts.resize(to: count, filler: 0)
    ends.resize(to: count, filler: 0)
    values.resize(to: count, filler: 0)
  }

  private mutating func append(
    _ has: Fields = [], start: Int64 = 0, end: Int64 = 0, value: Double = 0
  ) {
    fields.append(has)
    starts.append(start)
    ends.append(end)
    values.append(value)
  }

  /// Sets the optional fields of a row; rows are set in ascending order.
  mutating func set(_ sample: Sample, row: Int) {
    var has: Fields = []
    if sample.start != nil { has.insert(.start) }
    if sample.end != nil { has.insert(.end) }
    if sample.value != nil { has.insert(.value) }
    guard !has.isEmpty else { return }
    while fields.count < row { append() }
    append(
      has, start: sample.start?.nanoseconds ?? 0, end: sample.end?.nanoseconds ?? 0,
      value: sample.value ?? 0)
  }

  /// Appends rows of other details, the first as row `behind`.
  mutating func append(
    contentsOf other: borrowing SampleDetails, rows: Range<Int>, behind: Int
  ) {
    let rows = rows.clamped(to: 0..<max(rows.lowerBound, other.fields.count))
    guard !rows.isEmpty else { return }
    while fields.count < behind { append() }
    fields.append(contentsOf: other.fields[rows])
    starts.append(contentsOf: other.starts[rows])
    ends.append(contentsOf: other.ends[rows])
    values.append(contentsOf: other.values[rows])
  }

  /// The details with row `order[i]` as row `i`.
  func permuted(_ order: [Int]) -> SampleDetails {
    var result = SampleDetails()
    for row in order {
      if row < fields.count {
        result.append(fields[row], start: starts[row], end: ends[row], value: values[row])
      } else {
        result.append()
      }
    }
    return result
  }

  /// Fills in the optional fields of a row.
  func read(row: Int, into sample: inout Sample) {
    guard row < fields.count else { return }
    let has = fields[row]
    if has.contains(.start) { sample.start = Timestamp(nanoseconds: starts[row]) }
    if has.contains(.end) { sample.end = Timestamp(nanoseconds: ends[row]) }
    if has.contains(.value) { sample.value = values[row] }
  }
}
