/// Adds up the hashes of ended wakes (SPEC 7).
///
/// The hash of a wake is a chain of twenty multiplications, each of which waits for the one before. So
/// eight chains are worked out side by side: of wakes that are the same but for app and number, or of
/// ended wakes that were kept until there were eight.
struct WakeHasher: ~Copyable {
  /// The fields of a wake that its hash is made of, but for its device, in their order.
  typealias Fields = InlineArray<10, UInt64>
  /// The places of those in which wakes of a cohort differ.
  private static let number = 0
  private static let app = 2
  private static let lanes = 8

  /// What the hashes of all the device's wakes begin with.
  private var start: WakeHash
  private var sum: UInt64 = 0
  /// The wakes that wait.
  private var waiting = Table<Fields>(capacity: lanes)

  /// Makes the sum of no wakes of a device.
  init(device: UInt64) {
    start = WakeHash()
    start.combine(device)
  }

  /// Starts the sum of another device.
  mutating func begin(device: UInt64) {
    start = WakeHash()
    start.combine(device)
    sum = 0
    waiting.removeAll()
  }

  /// Adds wakes that are the same but that their numbers follow each other and their apps differ.
  ///
  /// - Parameters:
  ///   - first: The fields of the first.
  ///   - woken: The places of the apps, whose names' hashes are taken.
  @inline(__always)
  mutating func add(_ first: Fields, of apps: borrowing Table<AppState>, woken: Range<Int>) {
    var app = woken.lowerBound
    while app + Self.lanes <= woken.upperBound {
      sum &+= sumOfHashes(first, app - woken.lowerBound, of: apps, from: app)
      app += Self.lanes
    }
    while app < woken.upperBound {
      waiting.append(first)
      waiting[waiting.count - 1][Self.number] &+= UInt64(app - woken.lowerBound)
      waiting[waiting.count - 1][Self.app] = apps[app].nameHash
      if waiting.count == Self.lanes { hashWaiting() }
      app += 1
    }
  }

  /// The sum modulo 2^64 of the hashes of all wakes so far.
  mutating func digest() -> UInt64 {
    if waiting.count > 0 { hashWaiting() }
    return sum
  }

  @inline(never)
  private mutating func hashWaiting() {
    let count = waiting.count
    // Idle lanes cost nothing, as chains wait for themselves.
    while waiting.count < Self.lanes { waiting.append(waiting[0]) }
    var hashes = Octet(start)
    for field in 0..<Fields.count {
      hashes.combine(
        waiting[0][field], waiting[1][field], waiting[2][field], waiting[3][field],
        waiting[4][field], waiting[5][field], waiting[6][field], waiting[7][field])
    }
    sum &+= hashes.sum(ofFirst: count)
    waiting.removeAll()
  }

  /// The sum of the hashes of eight wakes, the first of which is so many behind `first`.
  @inline(never)
  private func sumOfHashes(
    _ first: Fields, _ place: Int, of apps: borrowing Table<AppState>, from app: Int
  ) -> UInt64 {
    var hashes = Octet(start)
    let number = first[Self.number] &+ UInt64(place)
    hashes.combine(
      number, number &+ 1, number &+ 2, number &+ 3, number &+ 4, number &+ 5, number &+ 6,
      number &+ 7)
    for field in Self.number + 1..<Self.app { hashes.combineAll(first[field]) }
    hashes.combine(
      apps[app].nameHash, apps[app + 1].nameHash, apps[app + 2].nameHash, apps[app + 3].nameHash,
      apps[app + 4].nameHash, apps[app + 5].nameHash, apps[app + 6].nameHash,
      apps[app + 7].nameHash)
    for field in Self.app + 1..<Fields.count { hashes.combineAll(first[field]) }
    return hashes.sum(ofFirst: Self.lanes)
  }

  /// Eight hashes side by side.
  private struct Octet {
    private var (a, b, c, d): (WakeHash, WakeHash, WakeHash, WakeHash)
    private var (e, f, g, h): (WakeHash, WakeHash, WakeHash, WakeHash)

    init(_ start: WakeHash) {
      (a, b, c, d) = (start, start, start, start)
      (e, f, g, h) = (start, start, start, start)
    }

    @inline(__always)
    mutating func combineAll(_ field: UInt64) {
      combine(field, field, field, field, field, field, field, field)
    }

    @inline(__always)
    mutating func combine(
      _ one: UInt64, _ two: UInt64, _ three: UInt64, _ four: UInt64,
      _ five: UInt64, _ six: UInt64, _ seven: UInt64, _ eight: UInt64
    ) {
      a.combine(one)
      b.combine(two)
      c.combine(three)
      d.combine(four)
      e.combine(five)
      f.combine(six)
      g.combine(seven)
      h.combine(eight)
    }

    @inline(__always)
    func sum(ofFirst count: Int) -> UInt64 {
      var sum = a.value
      if count > 1 { sum &+= b.value }
      if count > 2 { sum &+= c.value }
      if count > 3 { sum &+= d.value }
      if count > 4 { sum &+= e.value }
      if count > 5 { sum &+= f.value }
      if count > 6 { sum &+= g.value }
      if count > 7 { sum &+= h.value }
      return sum
    }
  }
}
