/// The names that random inputs use: few enough to meet often, odd enough to be mistaken.
struct RandomNames {
  let apps: [String]
  let types: [String]
  let sources: [String]
  let queries: [String]
  let devices: [String]

  init(using random: inout SplitMix64) {
    // The last two of the apps look alike and are two by their bytes (rules, 7).
    let allApps = [
      "com.example.run", "com.example", "app0", "b", "a", "com.example.\u{E9}",
      "com.example.e\u{301}",
    ]
    let allTypes = [
      "HKQuantityTypeIdentifierStepCount", "HKQuantityTypeIdentifierHeartRate",
      "HKWorkoutTypeIdentifier", "HKCategoryTypeIdentifierHighHeartRateEvent",
      "HKQuantityTypeIdentifierVO2Max", "HKCategoryTypeIdentifierSleepAnalysis",
      "com.example.custom", "Z", "\u{FF5E}", "\u{1F3C3}", "a \"quoted\\ type\"\n",
    ]
    let correlations = ["HKCorrelationTypeIdentifierFood", "HKCorrelationTypeIdentifier"]
    apps = Self.some(of: allApps, 1 + random.below(5), using: &random)
    types =
      Self.some(of: allTypes, 1 + random.below(7), using: &random)
      + (random.chance(40) ? [random.pick(correlations)] : [])
    sources = Self.some(of: ["Watch", "phone", "scale", ""], 1 + random.below(3), using: &random)
    queries = Self.some(of: ["q", "r", "s", "t"], 1 + random.below(4), using: &random)
    devices =
      random.chance(80)
      ? [random.pick(["", "", "watch"])]
      : Self.some(of: ["", "watch", "phone", "pad/2"], 2 + random.below(2), using: &random)
  }

  private static func some(
    of names: [String], _ count: Int, using random: inout SplitMix64
  ) -> [String] {
    var (rest, chosen) = (names, [String]())
    for _ in 0..<min(count, names.count) {
      chosen.append(rest.remove(at: random.below(rest.count)))
    }
    return chosen
  }
}
