import WakeEvents
import WakeScheduling

/// The times of random inputs.
///
/// Many are a duration of the policy after an input a little before, to the nanosecond or one beside
/// it, so that timers run out at the very instant of an input.
struct RandomClock {
  /// The time of the latest input; late ones are written before it.
  private var now: Int64
  /// Latest times, of which something may run out.
  private var latest: [Int64]
  /// After how long things run out under the policy.
  private let durations: [Int64]
  /// The longest that the next step may be. Each input adds to it and each step takes from it, as
  /// each least refresh interval that passes may bring a wake of every app.
  private var longestStep: Int64
  private let earnedByInput: Int64
  /// How often a step is: none, tiny, seconds, a duration, hours, days, late.
  private var weights: [Int] = []
  private var late: Int64 = 0

  init(policy: Policy, refreshes: Bool, using random: inout SplitMix64) {
    let second: Int64 = 1_000_000_000
    let latestStart = Timestamp.validRange.upperBound - 20_000 * second
    now = random.pick([
      0, 1_767_225_600 * second, 1_767_225_600 * second, -3 * 86400 * second,
      random.chance(20) ? Timestamp.validRange.lowerBound : 0, random.chance(20) ? latestStart : 0,
    ])
    latest = [now]
    earnedByInput = refreshes ? min(policy.minimumRefreshInterval, 7200 * second) : 7200 * second
    longestStep = 100 * earnedByInput
    var durations = [
      policy.completionTimeout, policy.completionTimeout, policy.completionTimeout * 2,
      policy.pushWindow, policy.minimumRefreshInterval, Frequency.hourly.period,
      Frequency.daily.period,
    ]
    if let completesAfter = policy.behaviour.completesAfter {
      durations += [completesAfter, completesAfter + policy.behaviour.coldStart]
    }
    if let budget = policy.budget { durations += [budget.window, budget.window] }
    var delay = min(policy.backoffBase, policy.backoffMax)
    for _ in 0..<3 {
      durations += [delay, delay + policy.completionTimeout]
      delay = Int64(min(Double(delay) * policy.backoffFactor, Double(policy.backoffMax)))
    }
    self.durations = durations
  }

  mutating func changeFlavour(using random: inout SplitMix64) {
    weights = random.pick([
      [30, 10, 25, 30, 3, 1, 2],
      [60, 20, 15, 5, 0, 0, 2],
      [5, 2, 80, 10, 1, 0, 2],
      [10, 5, 5, 75, 3, 1, 1],
      [10, 2, 20, 30, 30, 8, 2],
      [20, 5, 20, 30, 5, 1, 20],
    ])
  }

  /// Keeps the times close together from now on.
  mutating func huddle() {
    weights = [70, 10, 20, 0, 0, 0, 0]
  }

  /// Steps to the time of the next input.
  mutating func advance(using random: inout SplitMix64) {
    let second: Int64 = 1_000_000_000
    late = 0
    var step: Int64 = 0
    switch random.weighted(weights) {
    case 0: break
    case 1: step = random.within(1...1_000_000)
    case 2 where random.chance(50): step = random.within(1...10) * second
    case 2: step = random.within(0...9 * second)
    case 3: step = stepToDuration(using: &random)
    case 4: step = random.within(600 * second...4 * 3600 * second)
    case 5: step = random.within(20...200) * 3600 * second
    default: late = random.pick([1, second, 60 * second, 3600 * second, 86400 * second])
    }
    step = min(step, longestStep, Timestamp.validRange.upperBound - now)
    longestStep += earnedByInput - step
    now += step
    if step > 0 {
      latest.append(now)
      if latest.count > 6 { latest.removeFirst() }
    }
  }

  private func stepToDuration(using random: inout SplitMix64) -> Int64 {
    let time = random.pick(latest) + random.pick(durations) + random.pick([0, 0, 0, -1, 1])
    return time >= now ? time - now : random.pick(durations)
  }

  /// The time to write on the next input.
  mutating func written(using random: inout SplitMix64) -> Timestamp {
    Timestamp(nanoseconds: max(now - late, Timestamp.validRange.lowerBound))
  }

  /// A time near the present, as samples and predicates have.
  func near(using random: inout SplitMix64) -> Timestamp {
    let second: Int64 = 1_000_000_000
    let shift = random.pick([
      0, 0, 1, -1, second, -second, -60 * second, -3600 * second, 3600 * second,
    ])
    let time = random.pick(latest) + shift
    let range = Timestamp.validRange
    return Timestamp(nanoseconds: min(max(time, range.lowerBound), range.upperBound))
  }
}
