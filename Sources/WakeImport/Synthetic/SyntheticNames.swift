import WakeEvents

/// The names of a ``SyntheticWorkload``, interned.
struct SyntheticNames {
  /// Most popular first.
  let types: [SampleType]
  let sources: [Source]
  let apps: [App]
  /// The observer query of each type.
  let queries: [Query]

  init(_ workload: SyntheticWorkload, symbols: Symbols) {
    types = Self.names(Self.typeNames, workload.types, further: "com.example.metric.")
      .map(symbols.types.intern)
    sources = Self.names(Self.sourceNames, workload.sources, further: "com.example.source.")
      .map(symbols.sources.intern)
    apps = Self.names(Self.appNames, workload.apps, further: "com.example.app.")
      .map(symbols.apps.intern)
    queries = (0..<(workload.apps > 0 ? workload.types : 0))
      .map { symbols.queries.intern("observer-\($0 + 1)") }
  }

  /// The name of a device by its number from 0, padded so that names sort as numbers.
  static func device(_ number: Int, of count: Int, prefix: String) -> String {
    guard count > 1 || !prefix.isEmpty else { return "" }
    let digits = String(number + 1)
    return prefix + "device-"
      + String(repeating: "0", count: String(count).utf8.count - digits.utf8.count) + digits
  }

  private static func names(_ known: [String], _ count: Int, further: String) -> [String] {
    known.prefix(count) + (0..<max(0, count - known.count)).map { further + String($0 + 1) }
  }

  private static let sourceNames = ["Apple Watch", "iPhone"]

  private static let appNames =
    ["run", "heart", "sleep", "diary", "coach", "diet", "clinic", "family"]
    .map { "com.example.\($0)" }

  /// HealthKit identifiers, most frequent first.
  private static let typeNames =
    [
      "ActiveEnergyBurned", "HeartRate", "BasalEnergyBurned", "StepCount",
      "DistanceWalkingRunning", "PhysicalEffort", "AppleStandTime", "AppleExerciseTime",
      "RespiratoryRate", "OxygenSaturation", "HeartRateVariabilitySDNN",
      "EnvironmentalAudioExposure", "WalkingSpeed", "WalkingStepLength",
      "WalkingDoubleSupportPercentage", "WalkingAsymmetryPercentage", "FlightsClimbed",
      "HeadphoneAudioExposure", "StairAscentSpeed", "StairDescentSpeed", "TimeInDaylight",
      "AppleSleepingWristTemperature", "RestingHeartRate", "WalkingHeartRateAverage",
      "RunningSpeed", "RunningPower", "DistanceCycling", "DietaryWater", "BodyMass",
      "BloodGlucose", "VO2Max", "SixMinuteWalkTestDistance", "BodyTemperature",
    ].map { "HKQuantityTypeIdentifier\($0)" }
    + [
      "AppleStandHour", "SleepAnalysis", "HandwashingEvent", "ToothbrushingEvent",
      "MindfulSession", "HighHeartRateEvent",
    ].map { "HKCategoryTypeIdentifier\($0)" }
    + ["HKWorkoutTypeIdentifier"]
}
