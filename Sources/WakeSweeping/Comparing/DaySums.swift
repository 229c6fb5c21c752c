/// What a capture holds of an app on each device and day, in bounded memory: beyond 8,192 days, sums over runs of 2, 4, 8 …
/// that follow each other.
///
/// Runs can be drawn again like days (block bootstrap; Künsch, 1989): the variance of a sum of runs is that of the sum
/// of their days.
struct DaySums: Sendable {
  typealias Day = SubscribedDays.Day

  static let mostRuns = 8_192

  /// In the order of the trace.
  private(set) var runs: [Day] = []
  /// The days in all.
  private(set) var days = 0
  private var runLength = 1

  mutating func append(_ day: Day) {
    if days % runLength == 0 {
      if runs.count == Self.mostRuns { mergePairs() }
      runs.append(day)
    } else {
      runs[runs.count - 1].add(day)
    }
    days += 1
  }

  private mutating func mergePairs() {
    for place in 0..<Self.mostRuns / 2 {
      runs[place] = runs[2 * place]
      runs[place].add(runs[2 * place + 1])
    }
    runs.removeLast(Self.mostRuns / 2)
    runLength *= 2
  }
}

extension SubscribedDays.Day {
  fileprivate mutating func add(_ other: Self) {
    subscribed += other.subscribed
    wakes += other.wakes
    expired += other.expired
    saves += other.saves
  }
}
