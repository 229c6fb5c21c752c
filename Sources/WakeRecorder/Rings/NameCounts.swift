import WakeEvents
import WakeTrace

/// How many names of each sort there were at a time, so that damaged numbers are refused.
final class NameCounts {
  private let counts: [UInt32]
  /// Decodes the inputs that have these names.
  private(set) lazy var codec = InputCodec(
    types: self[.type], sources: self[.source], apps: self[.app], queries: self[.query])

  init(_ symbols: Symbols) { counts = NameSort.allCases.map { symbols.count(of: $0) } }

  subscript(sort: NameSort) -> UInt32 { counts[Int(sort.rawValue)] }
}

extension UInt64 {
  /// The number whose bytes are given, the lowest first; missing ones are 0.
  init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Predicate {
  /// Whether its numbers are finite.
  var hasFiniteNumbers: Bool { (min ?? 0).isFinite && (max ?? 0).isFinite }
}

extension Push {
  /// Whether its numbers are finite.
  var hasFiniteNumbers: Bool { (priority ?? 0).isFinite && (aps?.contentAvailable ?? 0).isFinite }
}

extension Timestamp {
  /// Whether it is in ``validRange``.
  @inline(__always)
  var isValid: Bool { Self.validRange.contains(nanoseconds) }
}
