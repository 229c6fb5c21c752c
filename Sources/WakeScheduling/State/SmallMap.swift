/// A dictionary that mostly has few keys, which are then searched one after the other in one piece of memory.
struct SmallMap<Key: Hashable, Value> {
  /// Up to this many keys there is no ``index``.
  private static var few: Int { 16 }

  /// By place; keys change by ``append(_:_:)`` and ``remove(at:)`` alone.
  var entries: [(key: Key, value: Value)] = []
  /// The place of each key in ``entries``, once there were more than ``few``.
  private var index: [Key: Int] = [:]

  var count: Int { entries.count }

  /// The values by place. Not by a key path, which the runtime would look up at each call.
  var values: some Sequence<Value> { entries.lazy.map { $0.value } }

  /// Where a key is; nil if it is not in the map.
  ///
  /// - Complexity: O(1).
  func place(of key: Key) -> Int? {
    index.isEmpty ? entries.firstIndex { $0.key == key } : index[key]
  }

  /// Removes the key at a place, to which the last one moves; returns its value.
  @discardableResult
  mutating func remove(at place: Int) -> Value {
    let removed = entries[place]
    let last = entries.removeLast()
    if place < entries.count { entries[place] = last }
    guard !index.isEmpty else { return removed.value }
    index[removed.key] = nil
    if place < entries.count { index[last.key] = place }
    return removed.value
  }

  /// Adds a key that is not in the map, behind all others; returns its place.
  ///
  /// - Complexity: O(1), amortised.
  @discardableResult
  mutating func append(_ key: Key, _ value: Value) -> Int {
    if entries.isEmpty { entries.reserveCapacity(4) }
    entries.append((key, value))
    if !index.isEmpty {
      index[key] = entries.count - 1
    } else if entries.count > Self.few {
      for (place, entry) in entries.enumerated() { index[entry.key] = place }
    }
    return entries.count - 1
  }
}
