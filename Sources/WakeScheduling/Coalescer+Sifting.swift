// Types whose rows are held against a sieve, and are counts beside that.
//
// That is so where one subscription alone is attentive, and for the sake of one predicate. The rows that
// match are counted by its sieve until they are accounted for: as pending if something was, and else as
// live deliveries.
extension Coalescer {
  /// Whether its type is sifted for a subscription.
  @inline(__always)
  func isSifted(_ slot: Int) -> Bool {
    tallies[subscriptions[slot].typeIndex].sieve == Int32(Sieve.place(of: slot))
  }

  /// Sifts the type of a filtered subscription from the next row on, which is not before a time, if that is
  /// all it takes.
  mutating func sift(_ slot: Int, from time: Int64, isLive: Bool) {
    let type = subscriptions[slot].typeIndex
    let place = Sieve.place(of: slot)
    guard tallies[type].attention.count == 1, sieves[place].isWhole else { return }
    sieves[place].stops = subscriptions[slot].oldest == .max && !isLive ? 1 : 0
    tallies[type].sieve = Int32(place)
    tallies[type].attention.sift(sieves[place], from: time)
  }

  /// Accounts for what was sifted for a subscription, if its type was, and leaves its rows to be looked at
  /// one by one.
  mutating func stopSifting(_ slot: Int) {
    guard isSifted(slot) else { return }
    let type = subscriptions[slot].typeIndex
    let place = Sieve.place(of: slot)
    if subscriptions[slot].oldest == .max {
      liveDeliveries += sieves[place].matched
    } else {
      subscriptions[slot].counted += sieves[place].matched
    }
    sieves[place].matched = 0
    tallies[type].sieve = Sieve.idle
    tallies[type].attention.stopSifting()
  }
}
