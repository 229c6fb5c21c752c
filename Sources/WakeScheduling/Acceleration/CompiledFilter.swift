import WakeEvents

/// The few predicates of a subscription (rules, 2), of which a sample must match one, in a form that is quick to ask. Part
/// of the acceleration `sparseRows` (`SparseRows.swift`).
struct CompiledFilter {
  private var predicates: [CompiledPredicate] = []
  /// A bit for each source below 64 that matches, while all predicates ask for nothing but one of these sources.
  private var sources: UInt64 = 0
  private var asksForSourcesOnly = false

  var isEmpty: Bool { predicates.isEmpty }

  mutating func removeAll() {
    predicates.removeAll(keepingCapacity: true)
    sources = 0
    asksForSourcesOnly = false
  }

  mutating func add(_ predicate: Predicate) {
    let compiled = CompiledPredicate(predicate, isOnlyOne: false)
    if predicates.isEmpty { asksForSourcesOnly = true }
    predicates.append(compiled)
    if compiled.question == .source, let source = predicate.source, source.index < 64 {
      sources |= 1 << source.index
    } else {
      asksForSourcesOnly = false
    }
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
  func matches(source: UInt32, start: Int64, end: Int64, value: Double?) -> Bool {
    predicates.contains {
      $0.matches(
        source: source, start: start, end: end, value: value ?? 0, hasValue: value == nil ? 0 : 1)
        != 0
    }
  }
}
