import WakeEvents
import WakeScheduling

/// What a comparison keeps of a wake: 48 bytes.
struct ComparedWake: Hashable {
  var time: Int64
  /// The time of the first save or delete that it carries; its own time if it carries none.
  var oldest: Int64
  var end: Int64
  /// A hash of the types, the push and the refresh that it carries.
  var contents: UInt64
  var saves: Int32
  var app: Int32
  var outcome: UInt8

  init(_ wake: borrowing Wake, app: Int, _ symbols: Symbols) {
    time = wake.time.nanoseconds
    oldest = wake.oldest?.nanoseconds ?? time
    end = wake.end?.nanoseconds ?? .max
    var hash = WakeHash()
    for type in wake.types { hash.combine(symbols.types.hash(of: type)) }
    hash.combine(wake.push.map(NameHash.of) ?? 0)
    hash.combine(UInt64(wake.refresh ? 1 : 0))
    contents = hash.value
    saves = Int32(clamping: wake.saves)
    self.app = Int32(app)
    outcome = wake.outcome.rawValue
  }

  /// Whether something may have waited for both.
  func overlaps(_ other: Self) -> Bool { oldest <= other.time && other.oldest <= time }
}
