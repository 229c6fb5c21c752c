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
    var workload = SyntheticWorkload()
    switch self {
    case .iPhoneDay:
      workload.events = 8_000
      workload.meanGap = 12 * second
      workload.syncEvery = 20 * minute
      workload.syncedPerThousand = 600
      workload.hasMeasuredTimes = true
      workload.hasValues = true
      workload.deletesPerThousand = 10
      workload.latePerThousand = 5
      workload.apps = 6
      workload.predicatesPerThousand = 250
      workload.answersPerThousand = 950
      workload.hasRefreshes = true
      workload.pushGap = 40 * minute
      workload.visitGap = 50 * minute
      workload.terminationGap = 90 * minute
      workload.pickupGap = 15 * minute
      workload.rebootGap = 1_440 * minute
    case .watchDay:
      workload.seed = 2
      workload.policy = .watchOS
      workload.events = 20_000
      workload.meanGap = 4_400_000_000
      workload.hasValues = true
      workload.apps = 5
      workload.frequency = .hourly
      workload.predicatesPerThousand = 100
      workload.answersPerThousand = 900
      workload.hasRefreshes = true
      workload.hasComplications = true
      workload.terminationGap = 60 * minute
    case .syncBurst:
      workload.seed = 3
      workload.meanGap = 10 * second
      workload.syncEvery = 15 * minute
      workload.syncedPerThousand = 900
      workload.hasMeasuredTimes = true
      workload.apps = 3
    case .threeStrikes:
      workload.seed = 4
      workload.events = 3_000
      workload.meanGap = 30 * second
      workload.apps = 4
      workload.frequency = .immediate
      workload.answersPerThousand = 0
      workload.visitGap = 240 * minute
    case .pushes:
      workload.seed = 5
      workload.events = 4_000
      workload.meanGap = 60 * second
      workload.apps = 3
      workload.subscriptionsPerApp = 1
      workload.pushGap = 4 * minute
      workload.visitGap = 120 * minute
      workload.rebootGap = 600 * minute
    case .fleet:
      workload.seed = 6
      workload.devices = 200
      workload.meanGap = 300 * second
      workload.apps = 2
      workload.deletesPerThousand = 20
      workload.latePerThousand = 10
    case .wearable:
      workload.seed = 7
      workload.events = 10_000_000
      workload.types = 120
      workload.sources = 40
      workload.meanGap = 12_000_000
      workload.resolution = 1_000
      workload.syncEvery = minute
      workload.syncedPerThousand = 200
      workload.syncSpacing = 1_000
      workload.deletesPerThousand = 10
    }
    return workload
  }
}
