public import WakeEvents

/// The parameters of the rules (rules, 3).
///
/// Start from a preset and change what differs:
///
///     var policy = Policy.watchOS
///     policy.carry = .due
///     policy.subscriptions = [.init(app: "com.example.run", type: "HKWorkoutTypeIdentifier")]
///
/// All durations are nanoseconds, from 0 to 10^18; `Seconds.nanoseconds(_:)` converts.
public struct Policy: Hashable, Sendable {
  /// How often an app may be charged for wakes (rule 6.1).
  public struct Budget: Hashable, Sendable {
    /// The length of the window that counts, in nanoseconds.
    public var window: Int64
    /// Charged wakes within a window for an app with an active complication, 0 to 1000.
    public var limit: Int
    /// Charged wakes within a window for any other app, 0 to 1000.
    public var limitWithoutComplication: Int

    /// Makes a budget.
    public init(window: Int64, limit: Int, limitWithoutComplication: Int) {
      self.window = window
      self.limit = limit
      self.limitWithoutComplication = limitWithoutComplication
    }
  }

  /// Which pending types a wake carries (rule 6.2).
  public enum Carry: String, CaseIterable, Sendable {
    /// As `always` if the app was terminated, else as `due`.
    case launch
    /// The types that are due by themselves.
    case due
    /// Every type with pending saves.
    case always
  }

  /// A subscription that every device starts with (rules, 3, `subscriptions`).
  public struct Subscription: Hashable, Sendable {
    /// The bundle identifier of the app.
    public var app: String
    /// The identifier of the sample type.
    public var type: String
    /// The frequency asked for.
    public var frequency: Frequency

    /// Makes a subscription.
    public init(app: String, type: String, frequency: Frequency = .immediate) {
      self.app = app
      self.type = type
      self.frequency = frequency
    }
  }

  /// How a modelled app answers its wakes (rule 6.4).
  public struct Behaviour: Hashable, Sendable {
    /// Nanoseconds from the wake to the answer; nil is no modelled answer.
    public var completesAfter: Int64?
    /// Nanoseconds more when the app was terminated.
    public var coldStart: Int64
    /// Wakes whose number is a multiple of this stay unanswered; 0 is none. 0 to 1000.
    public var ignoresEvery: Int

    /// Makes a behaviour.
    public init(completesAfter: Int64? = nil, coldStart: Int64 = 0, ignoresEvery: Int = 0) {
      self.completesAfter = completesAfter
      self.coldStart = coldStart
      self.ignoresEvery = ignoresEvery
    }
  }

  /// The fastest frequency of a type, by identifier.
  public var caps: [ExactName: Frequency]
  /// The fastest frequency of every other type (`caps.default`).
  public var defaultCap: Frequency
  /// The budget; nil is none.
  public var budget: Budget?
  /// Nanoseconds that a wake may stay in flight, at least 10^9.
  public var completionTimeout: Int64 = 30_000_000_000
  /// Strikes at which an app is stopped, 1 to 1000.
  public var maxStrikes = 3
  /// Nanoseconds of backoff after the first strike.
  public var backoffBase: Int64 = 60_000_000_000
  /// What the delay is multiplied with at each further strike, 1 to 1000.
  public var backoffFactor: Double = 2
  /// The longest delay in nanoseconds.
  public var backoffMax: Int64 = 86_400_000_000_000
  /// Wakes with a push within ``pushWindow``, 0 to 1000.
  public var pushLimit = 3
  /// The length of the window that counts wakes with a push, in nanoseconds.
  public var pushWindow: Int64 = 3_600_000_000_000
  /// The least refresh interval in nanoseconds, at least 10^9.
  public var minimumRefreshInterval: Int64 = 900_000_000_000
  /// Which pending types a wake carries.
  public var carry = Carry.launch
  /// Whether a force-quit app is not woken for health data.
  public var forceQuitBlocksHealth = true
  /// Whether a locked device wakes no app for health data.
  public var lockBlocksHealth = true
  /// What is enabled on every device, in this order, before its first input.
  public var subscriptions: [Subscription] = []
  /// How modelled apps answer.
  public var behaviour = Behaviour()
  /// The reasons that never hold (rules, 9.5); only ``without(_:)`` sets it.
  package internal(set) var lifted = WaitReasons()

  private init(caps: [String: Frequency], defaultCap: Frequency, budget: Budget?) {
    self.caps = Dictionary(uniqueKeysWithValues: caps.map { (ExactName($0), $1) })
    self.defaultCap = defaultCap
    self.budget = budget
  }

  /// The version of the rules, raised by each change that gives some trace other wakes: results of different versions
  /// are not added.
  public static let rulesVersion = 1

  /// The fastest frequency that `type` may have.
  public func cap(of type: String) -> Frequency {
    caps[ExactName(type)] ?? defaultCap
  }

  /// The frequency that a subscription gets: the one asked for, or the cap of its type if that is slower (rule 5.2).
  public func frequency(of type: String, asked: Frequency) -> Frequency {
    Self.slower(asked, cap(of: type))
  }

  /// The frequency asked for, or the cap if that is slower.
  static func slower(_ asked: Frequency, _ cap: Frequency) -> Frequency {
    asked.period < cap.period ? cap : asked
  }

  /// Whether a type is a correlation, on which no subscription is allowed (rule 5.2).
  package static func isCorrelation(_ type: String) -> Bool {
    type.utf8.starts(with: "HKCorrelationTypeIdentifier".utf8)
  }
}

extension Policy {
  /// The preset `ios`, the default.
  public static let iOS = Policy(
    caps: ["HKQuantityTypeIdentifierStepCount": .hourly], defaultCap: .immediate, budget: nil)

  /// The preset `watchos`.
  public static let watchOS = Policy(
    caps: [
      "HKCategoryTypeIdentifierHighHeartRateEvent": .immediate,
      "HKCategoryTypeIdentifierLowHeartRateEvent": .immediate,
      "HKCategoryTypeIdentifierIrregularHeartRhythmEvent": .immediate,
      "HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent": .immediate,
      "HKCategoryTypeIdentifierAudioExposureEvent": .immediate,
      "HKCategoryTypeIdentifierHeadphoneAudioExposureEvent": .immediate,
      "HKCategoryTypeIdentifierLowCardioFitnessEvent": .immediate,
      "HKCategoryTypeIdentifierHandwashingEvent": .immediate,
      "HKCategoryTypeIdentifierToothbrushingEvent": .immediate,
      "HKQuantityTypeIdentifierNumberOfTimesFallen": .immediate,
      "HKQuantityTypeIdentifierVO2Max": .immediate,
    ],
    defaultCap: .hourly,
    budget: Budget(window: 3_600_000_000_000, limit: 4, limitWithoutComplication: 1))
}
