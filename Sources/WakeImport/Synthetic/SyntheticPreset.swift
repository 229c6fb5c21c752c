import WakeEvents
import WakeScheduling

/// Workloads with names, for golden traces and benchmarks; ``summary`` says what each is.
///
/// What a preset's name stands for does not change; a workload that should be another gets a new name.
public enum SyntheticPreset: String, CaseIterable, Sendable {
  case iPhoneDay = "iphone-day"
  case watchDay = "watch-day"
  case syncBurst = "sync-burst"
  case threeStrikes = "three-strikes"
  case pushes
  case fleet
  case wearable

  /// What it is, in a line.
  public var summary: String {
    switch self {
    case .iPhoneDay: "a day of a phone with a watch: apps, visits, pushes, locked at night"
    case .watchDay: "a day of a watch: many samples, hourly subscriptions, complications"
    case .syncBurst: "a wearable that syncs every 15 minutes, all samples of a sync at once"
    case .threeStrikes: "apps that never answer, until they are stopped"
    case .pushes: "more pushes than are delivered at once"
    case .fleet: "200 devices with 50 inputs each"
    case .wearable: "10 million samples of a wearable at microseconds, 120 types, 40 sources"
    }
  }

  /// The parameters, among them the policy to replay it under.
  public var workload: SyntheticWorkload {
    let second: Int64 = 1_000_000_000
    let minute = 60 * second
    switch self {
    case .iPhoneDay:
      return SyntheticWorkload(
        events: 8_000, meanGap: 12 * second, syncEvery: 20 * minute, syncedPerThousand: 600,
        hasMeasuredTimes: true, deletesPerThousand: 10, latePerThousand: 5, hasValues: true,
        apps: 6,
        predicatesPerThousand: 250, answersPerThousand: 950, policy: .iOS, hasRefreshes: true,
        pushGap: 40 * minute, visitGap: 50 * minute, terminationGap: 90 * minute,
        pickupGap: 15 * minute, rebootGap: 1_440 * minute)
    case .watchDay:
      return SyntheticWorkload(
        seed: 2, events: 20_000, meanGap: 4_400_000_000, hasValues: true, apps: 5,
        frequency: .hourly, predicatesPerThousand: 100, answersPerThousand: 900, policy: .watchOS,
        hasRefreshes: true, hasComplications: true, terminationGap: 60 * minute)
    case .syncBurst:
      return SyntheticWorkload(
        seed: 3, meanGap: 10 * second, syncEvery: 15 * minute, syncedPerThousand: 900,
        hasMeasuredTimes: true, apps: 3, policy: .iOS)
    case .threeStrikes:
      return SyntheticWorkload(
        seed: 4, events: 3_000, meanGap: 30 * second, apps: 4, frequency: .immediate,
        answersPerThousand: 0, policy: .iOS, visitGap: 240 * minute)
    case .pushes:
      return SyntheticWorkload(
        seed: 5, events: 4_000, meanGap: 60 * second, apps: 3, subscriptionsPerApp: 1,
        policy: .iOS, pushGap: 4 * minute, visitGap: 120 * minute, rebootGap: 600 * minute)
    case .fleet:
      return SyntheticWorkload(
        seed: 6, devices: 200, meanGap: 300 * second, deletesPerThousand: 20, latePerThousand: 10,
        apps: 2, policy: .iOS)
    case .wearable:
      return SyntheticWorkload(
        seed: 7, events: 10_000_000, types: 120, sources: 40, meanGap: 12_000_000,
        resolution: 1_000, syncEvery: minute, syncedPerThousand: 200, syncSpacing: 1_000,
        deletesPerThousand: 10, policy: .iOS)
    }
  }
}
