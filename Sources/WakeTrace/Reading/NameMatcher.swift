package import WakeEvents

/// Decides which names a selection asks for. Replay, queries and the pruning of blocks all ask it.
///
/// Names are equal if their UTF-8 bytes are (``ExactName``): a composed and a decomposed é differ. A block header
/// holds only hashes of names, so a block may be read for a name that has the hash of a wanted one; its rows are
/// then matched by name.
package struct NameMatcher<Namespace> {
  private let names: Set<ExactName>
  private let hashes: Set<UInt64>
  /// Whether a name is wanted, by ``Symbol/index``; shorter than the table if names were added since ``learn(_:)``.
  private var wanted: [Bool] = []

  /// - Parameter hash: The hash by which block headers list such names.
  package init(_ names: some Sequence<ExactName>, hash: (String) -> UInt64) {
    self.names = Set(names)
    hashes = Set(self.names.map { hash($0.string) })
  }

  /// Whether a name that a block header lists by its hash may be wanted.
  package func mayMatch(hash: UInt64) -> Bool { hashes.contains(hash) }

  /// Looks at the names that were added to a table since the last call, which must be for the same table.
  package mutating func learn(_ table: SymbolTable<Namespace>) {
    for index in wanted.count..<max(wanted.count, table.count) {
      let name = table.name(of: Symbol(index: UInt32(index)))
      wanted.append(names.contains(ExactName(name)))
    }
  }

  /// Adds the wanted names to a table and looks at all of its names. Names that are added later are not wanted.
  mutating func intern(in table: SymbolTable<Namespace>) {
    for name in names { _ = table.intern(name.string) }
    learn(table)
  }

  @inline(__always)
  package func matches(_ index: UInt32) -> Bool {
    Int(index) < wanted.count && wanted[Int(index)]
  }
}
