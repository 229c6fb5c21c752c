/// What the producer of a batch guarantees: all rows are saves or deletes, sorted by time within each run.
package struct Orderliness: Sendable, Equatable {
  /// An upper bound (exclusive) of every `SampleType.index`.
  package let typeEnd: Int
  /// Whether there may be deletes.
  package let hasDeletes: Bool

  package init(typeEnd: Int, hasDeletes: Bool) {
    self.typeEnd = typeEnd
    self.hasDeletes = hasDeletes
  }
}
