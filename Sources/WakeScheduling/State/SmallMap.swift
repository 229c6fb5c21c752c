/// A dictionary that mostly has few keys, which are then searched one after the other in one piece of memory.
struct SmallMap<Key: Hashable, Value> {
  /// Up to this many keys there is no ``index``.
  private static var few: Int { 16 }

  private var entries: [(key: Key, value: Value)] = []
  /// The place of each key in ``entries``, once there were more than ``few``.
  private var index: [Key: Int] = [:]

  var count: Int { entries.count }

  /// The values by place. Not by a key path, which the runtime would look up at each call.
  var values: some Sequence<Value> { entries.lazy.map { $0.value } }

  /// The value of a key; nil if there is none.
  ///
  /// - Complexity: O(1), for setting amortised.
  subscript(key: Key) -> Value? {
    get { place(of: key).map { entries[$0].value } }
    set {
      switch (place(of: key), newValue) {
      case (let place?, let value?): entries[place].value = value
      case (let place?, nil): remove(at: place)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// Removes a key; returns its value, nil if there was none.
  mutating func removeValue(forKey key: Key) -> Value? {
    place(of: key).map { remove(at: $0) }
  }

  /// Where a key is: a new one comes behind all others.
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

  private mutating func append(_ key: Key, _ value: Value) {
    if entries.isEmpty { entries.reserveCapacity(4) }
    entries.append((key, value))
    if !index.isEmpty {
      index[key] = entries.count - 1
    } else if entries.count > Self.few {
      for (place, entry) in entries.enumerated() { index[entry.key] = place }
    }
  }
}
