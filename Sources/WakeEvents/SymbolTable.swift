/// Names of one sort, each interned once: name to ``Symbol`` and back.
///
/// The table only grows. Any thread may use it; every call but ``count`` takes a lock, so it is not for a hot path.
public final class SymbolTable<Namespace>: Sendable {
  @usableFromInline package let table = NameTable()

  /// Makes an empty table.
  public init() {}

  /// The number of names; their symbols are `0 ..< count`. O(1).
  @inlinable
  public var count: Int { table.count }

  /// The length of all names in bytes of UTF-8. O(1).
  @inlinable
  public var nameBytes: Int { table.nameBytes }

  /// The symbol of `name`; adds the name if it is new.
  ///
  /// Names are compared as ``ExactName``: a composed and a decomposed accent are two names.
  ///
  /// - Complexity: O(length of the name).
  @inlinable
  public func intern(_ name: String) -> Symbol<Namespace> { Symbol(index: table.intern(name)) }

  /// The symbols of many names under one lock.
  @inlinable
  package func intern(_ names: [String]) -> [Symbol<Namespace>] {
    table.intern(names).map { Symbol(index: UInt32($0)) }
  }

  /// Finds the first name of a list, and compares the bytes of the following ones with the names that follow it in the
  /// table, as where a list comes again; returns the symbols of those that agree, until the first that does not.
  ///
  /// - Parameters:
  ///   - first: The first name.
  ///   - bytes: Where the names are.
  ///   - count: How many names the list has.
  ///   - name: The range of each in `bytes`, by its number from 0.
  package func successors(
    of first: String, in bytes: Span<UInt8>, count: Int, name: (Int) -> Range<Int>
  ) -> some RandomAccessCollection<Symbol<Namespace>> {
    table.successors(of: first, in: bytes, count, name).lazy.map { Symbol(index: UInt32($0)) }
  }

  /// The symbol of `name`, or nil if it was never interned.
  @inlinable
  public func symbol(for name: String) -> Symbol<Namespace>? {
    table.index(of: name).map(Symbol.init(index:))
  }

  /// The name of a symbol of this table.
  ///
  /// - Precondition: `symbol` came from this table.
  @inlinable
  public func name(of symbol: Symbol<Namespace>) -> String { table.name(at: symbol.index) }

  /// All names, in the order of their symbols.
  package var names: [String] { (0..<count).map { name(of: Symbol(index: UInt32($0))) } }

  /// The rank of each name in the order of ``Swift/String/precedes(_:)``, by symbol: from 0, all different.
  ///
  /// - Complexity: O(count log count) if names have come since the last call, else O(1).
  package func ranks() -> [UInt32] { table.ranks() }

  /// The ``NameHash`` of a symbol's name.
  ///
  /// - Precondition: `symbol` came from this table.
  @inlinable
  public func hash(of symbol: Symbol<Namespace>) -> UInt64 { table.hash(at: symbol.index) }
}

/// The tables of all sorts of names, for one run over any number of devices.
public final class Symbols: Sendable {
  /// Identifiers of sample types.
  public let types = SymbolTable<NameOf.SampleType>()
  /// Names of sources.
  public let sources = SymbolTable<NameOf.Source>()
  /// Bundle identifiers of apps.
  public let apps = SymbolTable<NameOf.App>()
  /// Ids of observer queries.
  public let queries = SymbolTable<NameOf.Query>()
  /// Names of devices.
  public let devices = SymbolTable<NameOf.Device>()

  /// Makes empty tables.
  public init() {}

  /// The ``NameHash/device(_:)`` of each device's name, in place of what `hashes` holds.
  ///
  /// - Precondition: `devices` came from these tables.
  package func deviceHashes(of devices: [Device], into hashes: inout [UInt64]) {
    self.devices.table.hashes(at: devices, into: &hashes)
    for place in hashes.indices where hashes[place] == NameHash.of("") {
      hashes[place] = NameHash.device(self.devices.name(of: devices[place]))
    }
  }
}
