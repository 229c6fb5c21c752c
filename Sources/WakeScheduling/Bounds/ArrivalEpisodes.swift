/// An app's episodes of arrivals (rules, 10.2 to 10.5), in the order of time.
struct ArrivalEpisodes {
  /// Whether anything has arrived.
  private(set) var hasArrivals = false
  /// The sum of all gaps so far in nanoseconds.
  private(set) var gaps: Int64 = 0
  private(set) var covers: DeadlineCovers
  /// The latest arrival of the episode; `Int64.max` before its first.
  private var latest = Int64.max
  /// The first allowed instant from ``latest`` on; `Int64.max` while it is not known.
  private var reachable = Int64.max
  /// Since when wakes are forbidden; `Int64.max` if they are allowed. That instant itself is allowed (rule 10.3).
  private var blockedSince: Int64

  /// - Parameter lengths: The deadlines of rule 10.5 in nanoseconds.
  init(deadlines lengths: [Int64], blockedSince: Int64?) {
    covers = DeadlineCovers(lengths: lengths)
    self.blockedSince = blockedSince ?? .max
  }

  /// Takes an arrival.
  ///
  /// - Returns: What a wake right after the arrival before would have gained (rule 10.4); 0 if nothing.
  @inline(__always)
  mutating func arrive(at time: Int64) -> Int64 {
    // Arrivals of the same instant have no gap.
    guard time != latest else { return 0 }
    let gain = endGap(at: time)
    hasArrivals = true
    latest = time
    reachable = time <= blockedSince ? time : .max
    covers.arrive(at: time, blockedSince: blockedSince)
    return gain
  }

  /// Ends the episode; returns the gain of its last arrival.
  mutating func end(at time: Int64) -> Int64 {
    guard latest != .max else { return 0 }
    let gain = endGap(at: time)
    latest = .max
    covers.end(at: time, blockedSince: blockedSince)
    return gain
  }

  /// Notes whether wakes are forbidden after an input at `time`.
  mutating func setBlocked(_ isBlocked: Bool, at time: Int64) {
    guard isBlocked != (blockedSince != .max) else { return }
    if isBlocked {
      covers.settle(before: time, blockedSince: blockedSince)
      blockedSince = time
    } else {
      covers.unblock(at: time, blockedSince: blockedSince)
      if reachable == .max { reachable = time }
      blockedSince = .max
    }
  }

  @inline(__always)
  private mutating func endGap(at time: Int64) -> Int64 {
    guard latest != .max else { return 0 }
    gaps += time - latest
    return reachable < time ? time - reachable : 0
  }
}

/// The fewest wakes within each of some deadlines (rules, 10.5).
struct DeadlineCovers {
  private struct Cover {
    let length: Int64
    var wakes = 0
    /// The first arrival that no wake has carried, or `Int64.max`.
    var first = Int64.max
    /// Its deadline; `Int64.max` while it is not known, as the end of a forbidden time is not.
    var due = Int64.max
    /// The first arrival within the forbidden time that began after ``first``: not carried, if the wake must come before
    /// that time.
    var afterBlock = Int64.max
  }

  private var covers: [Cover]
  /// The earliest known deadline.
  private var soonest = Int64.max
  /// Whether some cover waits for its first arrival.
  private var lacksFirst = true

  init(lengths: [Int64]) {
    covers = lengths.map { Cover(length: $0) }
  }

  /// The wakes so far, by deadline.
  var wakes: [Int] { covers.map(\.wakes) }

  @inline(__always)
  mutating func arrive(at time: Int64, blockedSince: Int64) {
    if soonest < time || lacksFirst || blockedSince < time {
      arriveAnew(at: time, blockedSince: blockedSince)
    }
  }

  /// ``arrive(at:blockedSince:)`` where that changes a cover.
  private mutating func arriveAnew(at time: Int64, blockedSince: Int64) {
    settle(before: time, blockedSince: blockedSince)
    guard lacksFirst || blockedSince < time else { return }
    var soonest = soonest
    // A span, so that Swift checks once whether the array is shared.
    var span = covers.mutableSpan
    for place in span.indices {
      if span[place].first == .max {
        span[place].first = time
        guard time <= blockedSince else { continue }
        span[place].due = time + span[place].length
        soonest = min(soonest, span[place].due)
      } else if blockedSince < time {
        span[place].afterBlock = min(span[place].afterBlock, time)
      }
    }
    self.soonest = soonest
    lacksFirst = false
  }

  /// Counts the wakes for deadlines before a time up to which nothing else has happened.
  mutating func settle(before time: Int64, blockedSince: Int64) {
    guard soonest < time else { return }
    var (soonest, lacksFirst) = (Int64.max, lacksFirst)
    var span = covers.mutableSpan
    for place in span.indices {
      let due = span[place].due
      if due < time {
        span[place].wakes += 1
        // If the deadline is forbidden, the wake comes when that time begins, and carries nothing that arrives in it.
        span[place].first = blockedSince < due ? span[place].afterBlock : .max
        span[place].afterBlock = .max
        span[place].due = .max
        if span[place].first == .max { lacksFirst = true }
      }
      soonest = min(soonest, span[place].due)
    }
    (self.soonest, self.lacksFirst) = (soonest, lacksFirst)
  }

  /// Wakes are allowed again.
  mutating func unblock(at time: Int64, blockedSince: Int64) {
    settle(before: time, blockedSince: blockedSince)
    for place in covers.indices {
      covers[place].afterBlock = .max
      guard covers[place].first != .max, covers[place].due == .max else { continue }
      setDue(place, max(covers[place].first + covers[place].length, time))
    }
  }

  /// Ends the episode: what is due at its end or later needs no wake.
  mutating func end(at time: Int64, blockedSince: Int64) {
    settle(before: time, blockedSince: blockedSince)
    for place in covers.indices {
      covers[place].first = .max
      covers[place].due = .max
      covers[place].afterBlock = .max
    }
    soonest = .max
    lacksFirst = true
  }

  private mutating func setDue(_ place: Int, _ due: Int64) {
    covers[place].due = due
    soonest = min(soonest, due)
  }
}
