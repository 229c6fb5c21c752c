import Synchronization

/// What a ``SymbolTable`` holds, whatever the names are of: one code for all sorts, with nothing in it
/// that is found out at run time.
@usableFromInline
final class NameTable: Sendable {
  private struct Storage {
    var places = HashedPlaces()
    var names: [String] = []
    var hashes: [UInt64] = []
    var nameBytes = 0

    func find(_ name: String, _ probe: inout HashedPlaces.Probe) -> Int? {
      while let place = places.next(&probe) {
        if ExactName(names[place]) == ExactName(name) { return place }
      }
      return nil
    }
  }

  private let storage = Mutex(Storage())

  @usableFromInline
  init() {}

  @usableFromInline
  var count: Int { storage.withLock { $0.names.count } }

  @usableFromInline
  var nameBytes: Int { storage.withLock { $0.nameBytes } }

  @usableFromInline
  func intern(_ name: String) -> UInt32 {
    let hash = Self.hash(name)
    return storage.withLock { storage in
      var probe = storage.places.probe(for: hash)
      if let known = storage.find(name, &probe) { return UInt32(known) }
      storage.places.append(at: probe)
      storage.names.append(name)
      storage.hashes.append(NameHash.of(name))
      storage.nameBytes += name.utf8.count
      return UInt32(storage.names.count - 1)
    }
  }

  @usableFromInline
  func index(of name: String) -> UInt32? {
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

  /// Not the ``NameHash``: names with the same one are easily made up.
  private static func hash(_ name: String) -> UInt64 {
    var hasher = Hasher()
    ExactName(name).hash(into: &hasher)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
