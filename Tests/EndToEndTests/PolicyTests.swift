import Testing
import WakeEvents
import WakeTestSupport

@Suite("policy")
struct PolicyTests {
  @Test("lists every key with defaults, values, source and meaning")
  func keys() throws {
    let result = try RouseCommand.run(["policy", "keys"])
    #expect(result.output == Self.table)
    #expect(result.status == .exited(0) && result.errors == "")
  }

  @Test("tells the same as JSON")
  func keysAsJSON() throws {
    let keys = try RouseCommand.run(["policy", "keys", "--json"]).json().elements
    let lines = Self.table.split(separator: "\n").prefix { !$0.hasPrefix("caps of") }
    #expect(keys.count == lines.count - 1)
    for (key, line) in zip(keys, lines.dropFirst()) {
      guard case .string(let name)? = key["key"], case .string(let meaning)? = key["meaning"] else {
        Issue.record("\(key)")
        continue
      }
      #expect(line.hasPrefix("\(name.string) ") && line.hasSuffix("  \(meaning.string)"))
    }
    #expect(keys.first { $0["key"] == .string("budget.limit") }?["watchos"] == .integer(4))
    let budget = keys.first { $0["key"] == .string("budget") }
    #expect(budget?["ios"] == .null)
    #expect(
      budget?["watchos"]
        == (try JSONValue.parsing(
          #"{"window": 3600, "limit": 4, "limitWithoutComplication": 1}"#)))
    let behaviour = keys.first { $0["key"] == .string("behaviour") }
    #expect(
      behaviour?["ios"]
        == (try JSONValue.parsing(#"{"completesAfter": null, "coldStart": 0, "ignoresEvery": 0}"#)))
    #expect(keys.first { $0["key"] == .string("pushWindow") }?["unit"] == .string("s"))
  }

  @Test("knows no other verb")
  func otherVerbs() throws {
    let result = try RouseCommand.run(["policy", "values"])
    #expect(result.errors == "rouse: 'values' is not keys\nTry 'rouse policy --help'.\n")
    #expect(result.status == .exited(64) && result.output == "")
  }

  private static let table = """
    KEY                              IOS        WATCHOS  VALUES                            SOURCE  MEANING
    preset                           ios        watchos  ios, watchos                      P       The policy whose keys the other keys override.
    caps                             {…}        {…}      object                            D       The fastest frequency of each type.
    caps.default                     immediate  hourly   immediate, hourly, daily, weekly  D       The cap of every type that caps does not name.
    caps.TYPE                        -          -        immediate, hourly, daily, weekly  D       The cap of one type.
    budget                           null       {…}      object or null                    D       How often an app may be woken for health data or a refresh; null is no budget.
    budget.window                    -          3600     0 to 1000000000 s                 D       The length of the sliding window in which wakes count.
    budget.limit                     -          4        whole, 0 to 1000                  D       Wakes in a window for an app with an active complication.
    budget.limitWithoutComplication  -          1        whole, 0 to 1000                  P       Wakes in a window for any other app.
    completionTimeout                30         30       1 to 1000000000 s                 D, P    The time from a wake to its deadline, when it expires.
    maxStrikes                       3          3        whole, 1 to 1000                  D       Unanswered wakes in a row after which an app is stopped.
    backoffBase                      60         60       0 to 1000000000 s                 P       The backoff after the first strike.
    backoffFactor                    2          2        1 to 1000                         P       The backoff grows by this factor at each further strike.
    backoffMax                       86400      86400    0 to 1000000000 s                 P       The longest backoff.
    pushLimit                        3          3        whole, 0 to 1000                  D       Wakes with a push in a push window, for each app.
    pushWindow                       3600       3600     0 to 1000000000 s                 D       The length of the sliding window in which wakes with a push count.
    minimumRefreshInterval           900        900      1 to 1000000000 s                 R       The least time between two refreshes of an app.
    carry                            launch     launch   launch, due, always               D       Pending types in a wake: all (always), those due (due), all if it launches the app (launch).
    forceQuitBlocksHealth            true       true     true, false                       D       Whether a force-quit app is not woken for health data.
    lockBlocksHealth                 true       true     true, false                       R       Whether no app is woken for health data while the device is locked.
    subscriptions                    []         []       array of objects                  P       Subscriptions that every device has before its first input, in this order.
    subscriptions[].app              -          -        string                            P       The bundle identifier.
    subscriptions[].type             -          -        string                            P       The sample type.
    subscriptions[].frequency        -          -        immediate, hourly, daily, weekly  P       The frequency that the app asks for.
    behaviour                        {…}        {…}      object                            P       How a modelled app answers, for traces without completions.
    behaviour.completesAfter         null       null     null, or 0 to 1000000000 s        P       The time from a wake to its completion; null is none.
    behaviour.coldStart              0          0        0 to 1000000000 s                 P       The time added to completesAfter where the app was terminated.
    behaviour.ignoresEvery           0          0        whole, 0 to 1000                  P       Every n-th wake of an app is not answered; 0: all are.

    caps of ios:
      HKQuantityTypeIdentifierStepCount  hourly

    caps of watchos:
      HKCategoryTypeIdentifierAudioExposureEvent  immediate
      HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent  immediate
      HKCategoryTypeIdentifierHandwashingEvent  immediate
      HKCategoryTypeIdentifierHeadphoneAudioExposureEvent  immediate
      HKCategoryTypeIdentifierHighHeartRateEvent  immediate
      HKCategoryTypeIdentifierIrregularHeartRhythmEvent  immediate
      HKCategoryTypeIdentifierLowCardioFitnessEvent  immediate
      HKCategoryTypeIdentifierLowHeartRateEvent  immediate
      HKCategoryTypeIdentifierToothbrushingEvent  immediate
      HKQuantityTypeIdentifierNumberOfTimesFallen  immediate
      HKQuantityTypeIdentifierVO2Max  immediate

    """
}
