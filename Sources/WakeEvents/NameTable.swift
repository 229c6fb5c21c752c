import Synchronization

/// The storage of a ``SymbolTable``; not generic, so all namespaces share its code.
@usableFromInline
package final class NameTable: Sendable {
  private struct Storage {
    var places = HashedPlaces()
    var names: [String] = []
    var hashes: [UInt64] = []
    /// The ranks by ``NameTable/ranks()`` of the names that there were at its last call.
    var ranks: [UInt32] = []
    var nameBytes = 0

    func find(_ name: String, _ probe: inout HashedPlaces.Probe) -> Int? {
      while let place = places.next(&probe) {
        if has(name, at: place) { return place }
      }
      return nil
    }

    func has(_ name: String, at place: Int) -> Bool { ExactName(names[place]) == ExactName(name) }

    /// How many names of a list agree with those of the table from a place on, until the first that does not.
    func countSuccessors(
      from start: Int, in bytes: Span<UInt8>, _ count: Int, _ name: (Int) -> Range<Int>
    ) -> Int {
      let most = min(count, names.count - start)
      var agreeing = 0
      while agreeing < most {
        let given = bytes.extracting(name(agreeing))
        guard given.isSameName(as: names[start + agreeing].utf8.span) else { break }
        agreeing += 1
      }
      return agreeing
    }

    /// The index of a name; adds it if it is new.
    mutating func place(of name: String, hash: UInt64) -> Int {
      var probe = places.probe(for: hash)
      if let known = find(name, &probe) { return known }
      places.append(at: probe)
      names.append(name)
      hashes.append(NameHash.ofMany(name))
      nameBytes += name.utf8.count
      return names.count - 1
    }
  }

  private let storage = Mutex(Storage())
  /// The number of names, readable without the lock.
  private let interned = Atomic(0)

  @usableFromInline
  init() {}

  @usableFromInline
  package var count: Int { interned.load(ordering: .acquiring) }

  @usableFromInline
  var nameBytes: Int { storage.withLock { $0.nameBytes } }

  @usableFromInline
  package func intern(_ name: String) -> UInt32 {
    let hash = Self.hash(name)
    return storage.withLock { storage in
      defer { interned.store(storage.names.count, ordering: .releasing) }
      return UInt32(storage.place(of: name, hash: hash))
    }
  }

  @usableFromInline
  func intern(_ names: [String]) -> [Int] {
    let hashes = names.map(Self.hash)
    return storage.withLock { storage in
      defer { interned.store(storage.names.count, ordering: .releasing) }
      let guesses = storage.places.firstPlaces(for: hashes)
      return names.indices.map { number in
        let isKnown = guesses[number] >= 0 && storage.has(names[number], at: guesses[number])
        return isKnown ? guesses[number] : storage.place(of: names[number], hash: hashes[number])
      }
    }
  }

  /// Finds the first name of a list, and compares the following ones with those that follow it in the table; returns the
  /// indices of those that agree, until the first that does not.
  ///
  /// - Parameters:
  ///   - first: The first name.
  ///   - bytes: Where the names are.
  ///   - count: How many names the list has.
  ///   - name: The range of each in `bytes`, by its number from 0.
  func successors(
    of first: String, in bytes: Span<UInt8>, _ count: Int, _ name: (Int) -> Range<Int>
  ) -> Range<Int> {
    let hash = Self.hash(first)
    return storage.withLock { storage in
      var probe = storage.places.probe(for: hash)
      guard let start = storage.find(first, &probe) else { return 0..<0 }
      return start..<start + storage.countSuccessors(from: start, in: bytes, count, name)
    }
  }

  @usableFromInline
  package func index(of name: String) -> UInt32? {
    let hash = Self.hash(name)
    return storage.withLock { storage in
      var probe = storage.places.probe(for: hash)
      return storage.find(name, &probe).map { UInt32($0) }
    }
  }

  @usableFromInline
  func name(at index: UInt32) -> String { storage.withLock { $0.names[Int(index)] } }

  @usableFromInline
  func hash(at index: UInt32) -> UInt64 { storage.withLock { $0.hashes[Int(index)] } }

  /// The rank of each name by its bytes, by index.
  func ranks() -> [UInt32] {
    let (known, names) = storage.withLock { ($0.ranks, $0.names) }
    guard known.count < names.count else { return known }
    // Without the lock, as other threads may need it meanwhile. A name that comes now copies the others.
    var ranks = [UInt32](repeating: 0, count: names.count)
    let byName = names.indices.sorted { names[$0].precedes(names[$1]) }
    for (rank, index) in byName.enumerated() { ranks[index] = UInt32(rank) }
    return storage.withLock { storage in
      if storage.ranks.count < ranks.count { storage.ranks = ranks }
      return storage.ranks
    }
  }

  /// Replaces `hashes` with the hashes of many names, under one lock.
  func hashes<Namespace>(at symbols: [Symbol<Namespace>], into hashes: inout [UInt64]) {
    hashes.removeAll(keepingCapacity: true)
    storage.withLock { storage in
      // Given up before the lock, so that the next name that comes copies nothing.
      let all = storage.hashes
      hashes.append(contentsOf: symbols.lazy.map { all[Int($0.index)] })
    }
  }

  /// Seeded (`Hasher`): collisions of the ``NameHash`` are easy to construct.
  private static func hash(_ name: String) -> UInt64 {
    var hasher = Hasher()
    ExactName(name).hash(into: &hasher)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
