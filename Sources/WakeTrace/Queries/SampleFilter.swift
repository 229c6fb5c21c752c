public import WakeEvents

/// Selects saves and deletes of a trace; every condition that is set must hold.
///
///     var filter = SampleFilter()
///     filter.types = ["HKQuantityTypeIdentifierHeartRate"]
///     filter.from = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
public struct SampleFilter: Hashable, Sendable {
  /// The types, by identifier; nil is every type. Names are compared by their UTF-8 bytes.
  public var types: [String]?
  /// The devices, by name; nil is every device. The empty name is the device of inputs that name
  /// none.
  public var devices: [String]?
  /// A predicate as of an observer query (page Rules, 2); a delete always matches it (page Rules, 5.1). Its source is a
  /// symbol of the tables that the query is given.
  public var predicate: Predicate?
  /// Saved or deleted at or after this, by the time as written.
  public var from: Timestamp?
  /// Saved or deleted before this, by the time as written.
  public var to: Timestamp?

  /// Makes a filter; without arguments, every save and delete passes.
  public init(
    types: [String]? = nil, devices: [String]? = nil, predicate: Predicate? = nil,
    from: Timestamp? = nil, to: Timestamp? = nil
  ) {
    self.types = types
    self.devices = devices
    self.predicate = predicate
    self.from = from
    self.to = to
  }
}

/// A ``SampleFilter`` with names resolved to hashes and symbols.
struct ResolvedFilter {
  private var types: NameMatcher<NameOf.SampleType>?
  private var devices: NameMatcher<NameOf.Device>?
  private let from: Int64
  /// Exclusive; no valid time reaches the greatest number.
  private let to: Int64
  let predicate: Predicate?

  init(_ filter: SampleFilter, symbols: Symbols) {
    types = filter.types.map { NameMatcher($0.map { ExactName($0) }) { NameHash.of($0) } }
    types?.intern(in: symbols.types)
    devices = filter.devices.map { NameMatcher($0.map { ExactName($0) }) { NameHash.device($0) } }
    devices?.intern(in: symbols.devices)
    from = filter.from?.nanoseconds ?? .min
    to = filter.to?.nanoseconds ?? .max
    predicate = filter.predicate
  }

  /// Whether a block can hold a save or delete that passes, the predicate aside.
  func mayPass(_ header: BlockHeader) -> Bool {
    guard header.latest >= from, header.earliest < to else { return false }
    if !header.flags.contains(.typesUnlisted) {
      guard
        header.types.contains(where: { types?.mayMatch(hash: $0.typeHash) ?? true })
      else { return false }
    }
    guard let devices else { return true }
    return header.runs.contains { devices.mayMatch(hash: $0.deviceHash) }
  }

  /// Whether a block can hold a save that the predicate matches.
  ///
  /// True for blocks with details. In others every sample starts and ends when it was saved, and has no value.
  func mayMatchSave(_ header: BlockHeader) -> Bool {
    guard let predicate, !header.flags.contains(.hasDetails) else { return true }
    if predicate.min != nil || predicate.max != nil { return false }
    if let start = predicate.start, header.latest < start.nanoseconds { return false }
    guard let end = predicate.end?.nanoseconds else { return true }
    return predicate.strictEnd == true ? header.earliest <= end : header.earliest < end
  }

  /// Calls `body` with each row that is a save or delete and passes, the predicate aside, until it
  /// returns false.
  func forEachRow(
    of columns: borrowing InputColumns, runs: [DeviceRun], from first: Int = 0,
    _ body: (_ row: Int, _ device: Device) throws -> Bool
  ) rethrows {
    let kinds = columns.kinds.span
    let rowTypes = columns.types.span
    let times = columns.times.span
    for run in runs where devices?.matches(run.device.index) ?? true {
      for row in max(first, run.rows.lowerBound)..<max(first, run.rows.upperBound) {
        guard kinds[row] <= InputKind.delete.rawValue, times[row] >= from, times[row] < to
        else { continue }
        if let types, !types.matches(rowTypes[row]) { continue }
        guard try body(row, run.device) else { return }
      }
    }
  }
}
