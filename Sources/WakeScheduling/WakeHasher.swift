/// Adds up the hashes of ended wakes (SPEC 7).
///
/// The hash of a wake is a chain of twenty multiplications, each of which waits for the one before. So
/// ended wakes are kept until there are eight, whose chains are then worked out side by side.
struct WakeHasher: ~Copyable {
  /// The fields of a wake that its hash is made of, but for its device.
  static let fields = 10
  private static let wakes = 8

  /// What the hashes of all the device's wakes begin with.
  private var start: WakeHash
  private var sum: UInt64 = 0
  /// The fields of the wakes that wait, field by field.
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
    waiting[count] = UInt64(number)
    waiting[Self.wakes + count] = UInt64(bitPattern: time)
    waiting[2 * Self.wakes + count] = app
    waiting[3 * Self.wakes + count] = types
    waiting[4 * Self.wakes + count] = UInt64(saves)
    waiting[5 * Self.wakes + count] = UInt64(bitPattern: oldest)
    waiting[6 * Self.wakes + count] = push
    waiting[7 * Self.wakes + count] = refresh ? 1 : 0
    waiting[8 * Self.wakes + count] = UInt64(outcome.rawValue)
    waiting[9 * Self.wakes + count] = UInt64(bitPattern: end)
    count += 1
    if count == Self.wakes { hashAll() }
  }

  /// The sum modulo 2^64 of the hashes of all wakes so far.
  mutating func digest() -> UInt64 {
    for wake in 0..<count {
      var hash = start
      for field in 0..<Self.fields { hash.combine(waiting[field * Self.wakes + wake]) }
      sum &+= hash.value
    }
    count = 0
    return sum
  }

  @inline(never)
  private mutating func hashAll() {
    var (one, other) = (Quartet(start), Quartet(start))
    for field in 0..<Self.fields {
      one.combine(waiting, from: field * Self.wakes)
      other.combine(waiting, from: field * Self.wakes + 4)
    }
    sum &+= one.sum &+ other.sum
    count = 0
  }

  /// Four hashes side by side.
  private struct Quartet {
    var (first, second, third, fourth): (WakeHash, WakeHash, WakeHash, WakeHash)

    init(_ start: WakeHash) {
      (first, second, third, fourth) = (start, start, start, start)
    }

    @inline(__always)
    mutating func combine(_ fields: borrowing Table<UInt64>, from place: Int) {
      first.combine(fields[place])
      second.combine(fields[place + 1])
      third.combine(fields[place + 2])
      fourth.combine(fields[place + 3])
    }

    var sum: UInt64 { first.value &+ second.value &+ third.value &+ fourth.value }
  }
}
