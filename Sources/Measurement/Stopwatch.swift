/// The time that a stage (decoding, scheduling, reporting) took, over any number of turns.
///
/// Where one stage follows another, one reading of the clock serves both:
///
/// ```swift
/// let now = MonotonicClock.now()
/// decoding.end(at: now)
/// scheduling.begin(at: now)
/// ```
public struct Stopwatch: Hashable, Sendable {
  /// The stage, as reports name it.
  public let name: String

  /// The time in turns that have ended, in nanoseconds.
  public private(set) var elapsed: UInt64 = 0

  /// How many turns have ended.
  public private(set) var turns = 0

  /// When the present turn began.
  private var began: UInt64?

  /// Makes a stopwatch that stands at zero.
  public init(_ name: String) {
    self.name = name
  }

  /// Begins a turn. One that had not ended is forgotten.
  public mutating func begin(at now: UInt64 = MonotonicClock.now()) {
    began = now
  }

  /// Ends the turn and adds its time; nothing if none had begun. A time before the beginning counts
  /// as no time.
  public mutating func end(at now: UInt64 = MonotonicClock.now()) {
    guard let began else { return }
    elapsed &+= now > began ? now - began : 0
    turns += 1
    self.began = nil
  }

  /// Times `body` as one turn, also if it throws.
  public mutating func measure<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    begin()
    defer { end() }
    return try body()
  }

  /// Adds the turns of another stopwatch, for example of the same stage on another thread.
  public mutating func add(_ other: Stopwatch) {
    elapsed &+= other.elapsed
    turns += other.turns
  }
}
