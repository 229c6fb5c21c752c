/// What whoever filled in the rows of a batch is sure of, so that nobody need look at them again: that they
/// are saves and deletes, and that within a run none is before its predecessor.
package struct Orderliness: Sendable, Equatable {
  /// What every ``SampleType/index`` among them is below.
  package let typeEnd: Int
  /// Whether some may be deletes.
  package let hasDeletes: Bool

  package init(typeEnd: Int, hasDeletes: Bool) {
    self.typeEnd = typeEnd
    self.hasDeletes = hasDeletes
  }
}
