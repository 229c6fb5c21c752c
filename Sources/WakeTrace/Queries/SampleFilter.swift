public import WakeEvents

/// Which saves and deletes of a trace a query is about; every part that is given must hold.
///
///     var filter = SampleFilter()
///     filter.types = ["HKQuantityTypeIdentifierHeartRate"]
///     filter.from = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
public struct SampleFilter: Hashable, Sendable {
  /// The types, by identifier; nil is every type. Names are compared byte by byte.
  public var types: [String]?
  /// The devices, by name; nil is every device. The empty name is the device of inputs that name
  /// none.
  public var devices: [String]?
  /// What the sample must be like (SPEC 2), as for an observer query; a delete always matches it
  /// (SPEC 5.1). Its source is a symbol of the tables that the query is given.
  public var predicate: Predicate?
  /// Saved or deleted at or after this, by the time as written.
  public var from: Timestamp?
  /// Saved or deleted before this, by the time as written.
  public var to: Timestamp?

  /// Makes a filter that every save and delete passes, beyond what is given.
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

/// A ``SampleFilter`` with names turned into what headers and columns hold.
struct ResolvedFilter {
  private let typeHashes: Set<UInt64>?
  private let deviceHashes: Set<UInt64>?
  private let types: SymbolMembers?
  private let devices: SymbolMembers?
  private let from: Int64
  /// Inclusive, so that it can be the greatest number.
  private let upTo: Int64
  let predicate: Predicate?

  init(_ filter: SampleFilter, symbols: Symbols) {
    typeHashes = filter.types.map { Set($0.map { NameHash.of($0) }) }
    deviceHashes = filter.devices.map { Set($0.map { NameHash.device($0) }) }
    types = filter.types.map { SymbolMembers($0.map { symbols.types.intern($0).index }) }
    devices = filter.devices.map { SymbolMembers($0.map { symbols.devices.intern($0).index }) }
    from = filter.from?.nanoseconds ?? .min
    let (last, isBeforeAll) = (filter.to?.nanoseconds ?? .max).subtractingReportingOverflow(
      filter.to == nil ? 0 : 1)
    // Nothing lies before the least number; valid times do not reach either bound.
    upTo = isBeforeAll ? .min : last
    predicate = filter.predicate
  }

  /// Whether a block can hold a save or delete that passes, the predicate aside.
  ///
  /// - Complexity: O(types and runs of the block).
  func mayPass(_ header: BlockHeader) -> Bool {
    guard header.latest >= from, header.earliest <= upTo else { return false }
    if !header.flags.contains(.typesUnlisted) {
      guard
        header.types.contains(where: { type in
          typeHashes.map { $0.contains(type.typeHash) } ?? true
        })
      else { return false }
    }
    guard let deviceHashes else { return true }
    return header.runs.contains { deviceHashes.contains($0.deviceHash) }
  }

  /// Whether a block can hold a save that the predicate matches.
  ///
  /// Where a block has details only they can tell; without them every sample starts and ends when it
  /// was saved, and has no value.
  func mayMatchSave(_ header: BlockHeader) -> Bool {
    guard let predicate, !header.flags.contains(.hasDetails) else { return true }
    if predicate.min != nil || predicate.max != nil { return false }
    if let start = predicate.start, header.latest < start.nanoseconds { return false }
    guard let end = predicate.end?.nanoseconds else { return true }
    return predicate.strictEnd == true ? header.earliest <= end : header.earliest < end
  }

  /// Calls `body` with each row that is a save or delete and passes, the predicate aside, until it
  /// returns false.
  ///
  /// - Complexity: O(rows).
  func forEachRow(
    of columns: borrowing InputColumns, runs: [DeviceRun], from first: Int = 0,
    _ body: (_ row: Int, _ device: Device) throws -> Bool
  ) rethrows {
    let kinds = columns.kinds.span
    let rowTypes = columns.types.span
    let times = columns.times.span
    for run in runs where devices.map({ $0.contains(run.device.index) }) ?? true {
      for row in max(first, run.rows.lowerBound)..<max(first, run.rows.upperBound) {
        guard kinds[row] <= InputKind.delete.rawValue, times[row] >= from, times[row] <= upTo
        else { continue }
        if let types, !types.contains(rowTypes[row]) { continue }
        guard try body(row, run.device) else { return }
      }
    }
  }
}

/// A set of symbols that is asked once an event.
private struct SymbolMembers {
  private var members: [Bool] = []

  init(_ indices: [UInt32]) {
    for index in indices {
      while members.count <= Int(index) { members.append(false) }
      members[Int(index)] = true
    }
  }

  func contains(_ index: UInt32) -> Bool {
    Int(index) < members.count && members[Int(index)]
  }
}
