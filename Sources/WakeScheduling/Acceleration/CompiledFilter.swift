import WakeEvents

/// The few predicates of a subscription (rules, 2), of which a sample must match one, in a form that is quick to ask. Part
/// of the acceleration `sparseRows` (`SparseRows.swift`).
struct CompiledFilter {
  private var predicates: [CompiledPredicate] = []
  /// A bit for each source below 64 that matches, while all predicates ask for nothing but one of these sources.
  private var sources: UInt64 = 0
  private var asksForSourcesOnly = false

  /// Compiles other predicates.
  mutating func set(_ few: [Predicate]) {
    if !predicates.isEmpty { predicates.removeAll(keepingCapacity: true) }
    sources = 0
    asksForSourcesOnly = true
    for predicate in few {
      guard let source = predicate.onlySource, source.index < 64 else {
        asksForSourcesOnly = false
        break
      }
      sources |= 1 &<< UInt64(source.index)
    }
    if !asksForSourcesOnly { predicates += few.lazy.map { CompiledPredicate($0) } }
  }

  /// Whether a sample of a source matches; nil if more must be known of it.
  @inline(__always)
  func matches(source: UInt32) -> Bool? {
    // A shift of 64 or more gives 0.
    asksForSourcesOnly ? sources >> UInt64(source) & 1 != 0 : nil
  }

  /// Whether a sample without start, end and value matches.
  func matches(source: UInt32, time: Int64) -> Bool {
    predicates.contains { $0.matches(source: source, time: time) != 0 }
  }

  /// Whether a sample matches.
  ///
  /// - Parameter hasValue: 1 if it has a value, else 0.
  func matches(
    source: UInt32, start: Int64, end: Int64, value: Double, hasValue: Int
  ) -> Bool {
    predicates.contains {
      $0.matches(source: source, start: start, end: end, value: value, hasValue: hasValue) != 0
    }
  }
}

extension Predicate {
  /// The source that a sample must have, if that is all that a predicate asks for.
  fileprivate var onlySource: Source? {
    start == nil && end == nil && min == nil && max == nil ? source : nil
  }
}
