/// What a wake carries at its start (rule 6.2).
struct WakeContents {
  var hasRefresh = false
  var hasPush = false
  /// The number of types.
  var types = 0
  /// The sum of the hashes of their names.
  var typesHash: UInt64 = 0
  /// Pending saves and deletes of the types.
  var saves = 0
  /// The time of the first of these.
  var oldest = Int64.max

  /// Adds a type with its pending saves.
  @inline(__always)
  mutating func add(_ saves: Int, oldest: Int64, typeHash: UInt64) {
    types &+= 1
    typesHash &+= typeHash
    self.saves &+= saves
    self.oldest = min(self.oldest, oldest)
  }
}
