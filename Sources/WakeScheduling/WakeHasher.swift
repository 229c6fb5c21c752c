/// Adds up the hashes of ended wakes (SPEC 7).
///
/// The hash of a wake is a chain of twenty multiplications, each of which waits for the one before. So
/// ended wakes are kept until there are four, whose chains are then worked out side by side.
struct WakeHasher: ~Copyable {
  /// The fields of a wake that its hash is made of, but for its device.
  static let fields = 10
  private static let wakes = 4

  /// What the hashes of all the device's wakes begin with.
  private var start: WakeHash
  private var sum: UInt64 = 0
  /// The fields of the wakes that wait, wake by wake.
  private var waiting = Table<UInt64>(capacity: fields * wakes)
  private var count = 0

  /// Makes the sum of no wakes of a device.
  init(device: UInt64) {
    start = WakeHash()
    start.combine(device)
    waiting.fill(to: Self.fields * Self.wakes, with: 0)
  }

  /// Starts the sum of another device.
  mutating func begin(device: UInt64) {
    start = WakeHash()
    start.combine(device)
    sum = 0
    count = 0
  }

  /// Adds a wake.
  @inline(__always)
  mutating func add(
    number: Int, time: Int64, app: UInt64, types: UInt64, saves: Int, oldest: Int64, push: UInt64,
    refresh: Bool, outcome: WakeOutcome, end: Int64
  ) {
    let place = count * Self.fields
    waiting[place] = UInt64(number)
    waiting[place + 1] = UInt64(bitPattern: time)
    waiting[place + 2] = app
    waiting[place + 3] = types
    waiting[place + 4] = UInt64(saves)
    waiting[place + 5] = UInt64(bitPattern: oldest)
    waiting[place + 6] = push
    waiting[place + 7] = refresh ? 1 : 0
    waiting[place + 8] = UInt64(outcome.rawValue)
    waiting[place + 9] = UInt64(bitPattern: end)
    count += 1
    if count == Self.wakes { hashAll() }
  }

  /// The sum modulo 2^64 of the hashes of all wakes so far.
  mutating func digest() -> UInt64 {
    for wake in 0..<count {
      var hash = start
      for field in 0..<Self.fields { hash.combine(waiting[wake * Self.fields + field]) }
      sum &+= hash.value
    }
    count = 0
    return sum
  }

  @inline(never)
  private mutating func hashAll() {
    var (first, second, third, fourth) = (start, start, start, start)
    for field in 0..<Self.fields {
      first.combine(waiting[field])
      second.combine(waiting[Self.fields + field])
      third.combine(waiting[2 * Self.fields + field])
      fourth.combine(waiting[3 * Self.fields + field])
    }
    sum &+= first.value &+ second.value &+ third.value &+ fourth.value
    count = 0
  }
}
