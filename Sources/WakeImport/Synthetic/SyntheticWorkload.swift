public import WakeEvents
public import WakeScheduling

/// Inputs generated from a seed and parameters, for golden traces and benchmarks.
///
/// Types and sources follow Zipf's law. Saves come at random or in the bursts of a wearable's sync; apps, the user and
/// the system act between them. Equal parameters give equal inputs on every machine.
///
///     var workload = SyntheticWorkload()
///     workload.events = 10_000_000
///     try workload.write(to: output)
///
/// All durations are nanoseconds. A device's inputs depend on its number and the parameters, and not on other devices.
public struct SyntheticWorkload: Hashable, Sendable {
  /// The seed of the random numbers.
  public var seed: UInt64 = 1
  /// Inputs of all kinds, to 10^15, over all devices, which have equally many but for the remainder.
  public var events = 10_000
  /// Devices; a single one has no name, several are `device-1` and so on, with as
  /// many digits as the last has, so that names sort as numbers; to 1,000,000.
  public var devices = 1
  /// What the names of devices begin with, so that those of different workloads differ. With it a single device is
  /// `device-1` behind it.
  public var devicePrefix = ""
  /// Sample types: real ones of HealthKit, from the 41st on `com.example.metric.1` and so on, to 100,000.
  public var types = 40
  /// Sources, to 100,000. Each type has a home source, which saves seven in eight of its samples.
  public var sources = 8

  /// When every device begins, within ±3 × 10^18.
  public var start = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
  /// From one save or delete of a device to the next on average, 1 to 10^14.
  public var meanGap: Int64 = 1_000_000_000
  /// Every time is a multiple of this, 1 to 10^12; rounding is towards 1970.
  public var resolution: Int64 = 1_000_000

  /// From one sync of a wearable to the next, 10^6 to 10^14; 0 is no wearable. One sync in eight
  /// fails, and the next has the samples of both.
  public var syncEvery: Int64 = 0
  /// How many in 1,000 saves and deletes come by a sync, 0 to 900.
  public var syncedPerThousand = 500
  /// From one sample of a sync to the next, before ``resolution`` is applied; 0 is all at once. To 10^9.
  public var syncSpacing: Int64 = 0
  /// Whether samples of a sync carry a start and an end, which lie before the sync.
  public var hasMeasuredTimes = false

  /// How many in 1,000 of a device's saves and deletes are deletes.
  public var deletesPerThousand = 0
  /// How many in 1,000 saves and deletes are late (rule 4.1): written with a time before that of an
  /// earlier input. 0 to 500.
  public var latePerThousand = 0
  /// Whether saves carry values.
  public var hasValues = false

  /// Apps, to 64. Each begins with observer queries and subscriptions.
  public var apps = 0
  /// Types that each app subscribes to, popular ones more often; as many as there are at most.
  public var subscriptionsPerApp = 3
  /// The frequency that apps ask for; nil is all of them, mostly `immediate`.
  public var frequency: Frequency?
  /// How many in 1,000 observer queries have a predicate.
  public var predicatesPerThousand = 0
  /// How many in 1,000 wakes an app answers, by an input `complete` shortly after the wake.
  public var answersPerThousand = 1_000
  /// The policy under which the apps are woken that answer; under another one, answers that come when
  /// no wake is in flight are ignored (rule 5.4).
  public var policy: Policy
  /// Whether apps set a refresh interval.
  public var hasRefreshes = false
  /// Whether every second app has an active complication.
  public var hasComplications = false

  /// From one push to a device to the next on average; one in eight is no background notification.
  /// This and the following are 0 for never, else 10^6 to 10^15, and need apps.
  public var pushGap: Int64 = 0
  /// From the user's leaving an app to the opening of one, on average. One app in sixteen is then force-quit.
  public var visitGap: Int64 = 0
  /// From one termination by the system to the next on average.
  public var terminationGap: Int64 = 0

  /// From the device's lock to its unlock by day, on average; it stays unlocked a quarter as long, and
  /// locked from 23 to 7 o'clock (UTC). 0 is never locked, else 10^9 to 10^15.
  public var pickupGap: Int64 = 0
  /// From one restart of the device to the next on average, 10^9 to 10^15; 0 is never. It is unlocked
  /// within a minute or so.
  public var rebootGap: Int64 = 0
}

// In an extension, so that the module has an initializer of all parameters too.
extension SyntheticWorkload {
  /// Makes the default workload: 10,000 saves of one device, under the policy of iOS.
  public init() { self.init(policy: .iOS) }
}

/// A parameter of a ``SyntheticWorkload`` is out of its range.
public struct SyntheticWorkloadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The parameter's name.
  public var parameter: String
  /// What is wrong with it.
  public var message: String

  /// Both, in one line.
  public var description: String { "\(parameter): \(message)" }
}

extension SyntheticWorkload {
  /// The allowed values of a parameter; durations in nanoseconds.
  package struct Bounds: Sendable {
    /// The name of the property.
    package let parameter: String
    package let range: ClosedRange<Int64>
    /// Whether 0 is allowed besides, for never.
    package let allowsZero: Bool
    fileprivate let value: @Sendable (SyntheticWorkload) -> Int64

    fileprivate init(
      _ parameter: String, _ range: ClosedRange<Int64>, orZero allowsZero: Bool = false,
      _ value: @escaping @Sendable (SyntheticWorkload) -> Int64
    ) {
      self.parameter = parameter
      self.range = range
      self.allowsZero = allowsZero
      self.value = value
    }
  }

  /// The bounds of every number but the seed, which may be any.
  package static let bounds = [
    Bounds("events", 1...1_000_000_000_000_000) { Int64($0.events) },
    Bounds("devices", 1...1_000_000) { Int64($0.devices) },
    Bounds("types", 1...100_000) { Int64($0.types) },
    Bounds("sources", 1...100_000) { Int64($0.sources) },
    Bounds("start", -3_000_000_000_000_000_000...3_000_000_000_000_000_000) {
      $0.start.nanoseconds
    },
    Bounds("meanGap", 1...100_000_000_000_000) { $0.meanGap },
    Bounds("resolution", 1...1_000_000_000_000) { $0.resolution },
    Bounds("syncEvery", 1_000_000...100_000_000_000_000, orZero: true) { $0.syncEvery },
    Bounds("syncSpacing", 0...1_000_000_000) { $0.syncSpacing },
    Bounds("apps", 0...64) { Int64($0.apps) },
    Bounds("subscriptionsPerApp", 0...1_000) { Int64($0.subscriptionsPerApp) },
    Bounds("deletesPerThousand", 0...1_000) { Int64($0.deletesPerThousand) },
    Bounds("predicatesPerThousand", 0...1_000) { Int64($0.predicatesPerThousand) },
    Bounds("answersPerThousand", 0...1_000) { Int64($0.answersPerThousand) },
    Bounds("syncedPerThousand", 0...900) { Int64($0.syncedPerThousand) },
    Bounds("latePerThousand", 0...500) { Int64($0.latePerThousand) },
    Bounds("pushGap", 1_000_000...longestGap, orZero: true) { $0.pushGap },
    Bounds("visitGap", 1_000_000...longestGap, orZero: true) { $0.visitGap },
    Bounds("terminationGap", 1_000_000...longestGap, orZero: true) { $0.terminationGap },
    Bounds("pickupGap", 1_000_000_000...longestGap, orZero: true) { $0.pickupGap },
    Bounds("rebootGap", 1_000_000_000...longestGap, orZero: true) { $0.rebootGap },
  ]

  private static let longestGap: Int64 = 1_000_000_000_000_000
  /// About ten years, so that random gaps stay within the bounds of times.
  private static let longestSpan: Int64 = 320_000_000_000_000_000

  /// Checks that every parameter is within its range.
  ///
  /// - Throws: ``SyntheticWorkloadError`` for the first that is not.
  public func validate() throws(SyntheticWorkloadError) {
    for bounds in Self.bounds {
      let (value, range) = (bounds.value(self), bounds.range)
      guard range.contains(value) || bounds.allowsZero && value == 0 else {
        throw SyntheticWorkloadError(
          parameter: bounds.parameter,
          message: "\(value) is not \(bounds.allowsZero ? "0 or " : "")from \(range.lowerBound) to "
            + "\(range.upperBound)")
      }
    }
    for (name, gap) in [
      ("pushGap", pushGap), ("visitGap", visitGap), ("terminationGap", terminationGap),
    ] where gap > 0 && apps == 0 {
      throw SyntheticWorkloadError(parameter: name, message: "needs at least one app")
    }
    let (span, isTooLong) = meanGap.multipliedReportingOverflow(
      by: Int64(events / devices) + 1)
    guard !isTooLong, span <= Self.longestSpan else {
      throw SyntheticWorkloadError(
        parameter: "events", message: "with this mean gap they take longer than ten years")
    }
  }
}
