/// What a wake carries at its start (SPEC 6.2).
struct WakeCargo {
  var refresh = false
  var push = false
  /// How many types.
  var types = 0
  /// The sum of the hashes of their names.
  var typesHash: UInt64 = 0
  /// Pending saves and deletes of them.
  var saves = 0
  /// The time of the first of these.
  var oldest = Int64.max

  /// What the app is to answer.
  @inline(__always)
  var items: Int { types &+ (refresh ? 1 : 0) &+ (push ? 1 : 0) }

  /// Adds what was pending on a subscription.
  @inline(__always)
  mutating func add(_ saves: Int, oldest: Int64, typeHash: UInt64) {
    types &+= 1
    typesHash &+= typeHash
    self.saves += saves
    self.oldest = min(self.oldest, oldest)
  }
}
