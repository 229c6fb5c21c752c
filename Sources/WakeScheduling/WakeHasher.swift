import CScheduling

/// Adds up the hashes of wakes whose end is known (SPEC 7).
///
/// The hash of a wake is a chain of twenty multiplications, each of which waits for the one before. So
/// eight chains are worked out side by side: of wakes that are the same but for app and number, or of
/// wakes that were kept until there were three times as many. Where the processor can, they share instructions.
///
/// Each wake that waits has the hash of its device with it, so devices that take turns may share one.
package struct WakeHasher: ~Copyable {
  /// The fields of a wake that its hash is made of, in their order; the first is the hash of its device.
  typealias Fields = InlineArray<11, UInt64>
  /// One field of wakes side by side.
  typealias Lanes = InlineArray<8, UInt64>
  // A length is written as a number; tests hold both against these.
  static let fieldCount = HASHING_FIELDS
  static let lanes = Int(HASHING_LANES)
  static let room = Int(HASHING_ROOM)

  /// What the hashes of the device's wakes begin with.
  private var start: UInt64 = 0
  private var sum: UInt64 = 0
  /// Each field of eight of the wakes that wait, side by side, and then those of the next eight.
  private var waiting: Table<UInt64>
  /// How many they are.
  private var waitingCount = 0
  /// Whether the processor hashes eight wakes at once.
  var usesEights = scheduling_is_supported()

  /// Makes the sum of no wakes, for devices that share it.
  package init() {
    self.init(holdsWakes: true)
  }

  /// Makes the sum of no wakes of a device.
  ///
  /// - Parameter holdsWakes: Whether wakes are added; if not, there is no room for them.
  init(device: UInt64, holdsWakes: Bool = true) {
    self.init(holdsWakes: holdsWakes)
    begin(device: device)
  }

  private init(holdsWakes: Bool) {
    let length = holdsWakes ? Self.fieldCount * Self.room : 0
    waiting = Table(capacity: length)
    waiting.fill(to: length, with: 0)
  }

  /// Starts the sum of another device.
  mutating func begin(device: UInt64) {
    var hash = WakeHash()
    hash.combine(device)
    start = hash.value
    sum = 0
    waitingCount = 0
  }

  /// Gives its place to another one, which goes on for the same device.
  mutating func exchange(for other: inout WakeHasher) {
    let start = start
    swap(&self, &other)
    self.start = start
  }

  /// Adds wakes that are the same but that their numbers follow each other and their apps differ.
  ///
  /// - Parameters:
  ///   - leader: The place of the first app, whose wake it is.
  ///   - count: How many apps there are, side by side; the names' hashes of the others are taken.
  @inline(__always)
  mutating func add(_ apps: borrowing Table<AppState>, leader: Int, count: Int) {
    assert(waiting.count > 0, "a wake that nobody holds")
    if count == 1 {
      let first = firstFieldOfNext
      waiting[first &+ HASHING_START &* Self.lanes] = start
      apps[leader].tellWake { waiting[first &+ $0 &* Self.lanes] = $1 }
      countWaiting()
    } else {
      addCohort(apps, leader: leader, count: count)
    }
  }

  @inline(never)
  private mutating func addCohort(
    _ apps: borrowing Table<AppState>, leader: Int, count: Int
  ) {
    var wake = Fields(repeating: start)
    apps[leader].tellWake { wake[$0] = $1 }
    var added = 0
    while added + Self.lanes <= count {
      sum &+= sumOfHashes(wake, of: apps, from: leader + added)
      wake[HASHING_NUMBER] &+= UInt64(Self.lanes)
      added += Self.lanes
    }
    while added < count {
      wake[HASHING_APP] = apps[leader + added].nameHash
      let first = firstFieldOfNext
      for field in 0..<Self.fieldCount { waiting[first + field * Self.lanes] = wake[field] }
      countWaiting()
      wake[HASHING_NUMBER] &+= 1
      added += 1
    }
  }

  /// Takes back wakes that ``add(_:leader:count:)`` took in, and that have not changed since.
  mutating func remove(_ apps: borrowing Table<AppState>, leader: Int, count: Int) {
    var wake = Fields(repeating: 0)
    apps[leader].tellWake { wake[$0] = $1 }
    for app in leader..<leader + count {
      wake[HASHING_APP] = apps[app].nameHash
      var hash = WakeHash(value: start)
      for field in HASHING_START + 1..<Self.fieldCount { hash.combine(wake[field]) }
      sum &-= hash.value
      wake[HASHING_NUMBER] &+= 1
    }
  }

  /// Where the first field of the next wake that waits belongs.
  @inline(__always)
  private var firstFieldOfNext: Int {
    // The next eight begin behind all fields of eight.
    waitingCount &+ (waitingCount & ~(Self.lanes - 1)) &* (Self.fieldCount - 1)
  }

  /// Counts one more wake that waits.
  @inline(__always)
  private mutating func countWaiting() {
    waitingCount &+= 1
    if waitingCount == Self.room { hashWaiting() }
  }

  /// The sum modulo 2^64 of the hashes of all wakes so far.
  mutating func digest() -> UInt64 {
    if waitingCount > 0 { hashWaiting() }
    return sum
  }

  /// ``digest()``, from which a new sum begins.
  package mutating func takeDigest() -> UInt64 {
    defer { sum = 0 }
    return digest()
  }

  @inline(never)
  private mutating func hashWaiting() {
    if usesEights {
      sum &+= unsafe hashing_sum(waiting.address(of: 0), waitingCount)
    } else {
      // Idle lanes cost nothing, as chains wait for themselves.
      for added in stride(from: 0, to: waitingCount, by: Self.lanes) {
        let starts = added * Self.fieldCount
        var hashes = Octet(
          waiting[starts], waiting[starts + 1], waiting[starts + 2], waiting[starts + 3],
          waiting[starts + 4], waiting[starts + 5], waiting[starts + 6], waiting[starts + 7])
        for field in HASHING_START + 1..<Self.fieldCount {
          let first = starts + field * Self.lanes
          hashes.combine(
            waiting[first], waiting[first + 1], waiting[first + 2], waiting[first + 3],
            waiting[first + 4], waiting[first + 5], waiting[first + 6], waiting[first + 7])
        }
        sum &+= hashes.sum(ofFirst: waitingCount - added)
      }
    }
    waitingCount = 0
  }

  /// The sum of the hashes of eight wakes, of which the first is given but for its app.
  @inline(__always)
  private func sumOfHashes(
    _ first: borrowing Fields, of apps: borrowing Table<AppState>, from app: Int
  ) -> UInt64 {
    if usesEights {
      let names: Lanes = [
        apps[app].nameHash, apps[app + 1].nameHash, apps[app + 2].nameHash,
        apps[app + 3].nameHash, apps[app + 4].nameHash, apps[app + 5].nameHash,
        apps[app + 6].nameHash, apps[app + 7].nameHash,
      ]
      return unsafe first.span.withUnsafeBufferPointer { wake in
        unsafe names.span.withUnsafeBufferPointer { names in
          unsafe hashing_sum_of_cohort(wake.baseAddress, names.baseAddress)
        }
      }
    }
    var hashes = Octet(start, start, start, start, start, start, start, start)
    let number = first[HASHING_NUMBER]
    hashes.combine(
      number, number &+ 1, number &+ 2, number &+ 3, number &+ 4, number &+ 5, number &+ 6,
      number &+ 7)
    for field in HASHING_NUMBER + 1..<HASHING_APP { hashes.combineAll(first[field]) }
    hashes.combine(
      apps[app].nameHash, apps[app + 1].nameHash, apps[app + 2].nameHash, apps[app + 3].nameHash,
      apps[app + 4].nameHash, apps[app + 5].nameHash, apps[app + 6].nameHash,
      apps[app + 7].nameHash)
    for field in HASHING_APP + 1..<Self.fieldCount { hashes.combineAll(first[field]) }
    return hashes.sum(ofFirst: Self.lanes)
  }

  /// Eight hashes side by side.
  private struct Octet {
    private var (a, b, c, d): (WakeHash, WakeHash, WakeHash, WakeHash)
    private var (e, f, g, h): (WakeHash, WakeHash, WakeHash, WakeHash)

    init(
      _ one: UInt64, _ two: UInt64, _ three: UInt64, _ four: UInt64,
      _ five: UInt64, _ six: UInt64, _ seven: UInt64, _ eight: UInt64
    ) {
      (a, b) = (WakeHash(value: one), WakeHash(value: two))
      (c, d) = (WakeHash(value: three), WakeHash(value: four))
      (e, f) = (WakeHash(value: five), WakeHash(value: six))
      (g, h) = (WakeHash(value: seven), WakeHash(value: eight))
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
