import Testing
import WakeEvents
import WakeImport
import WakeScheduling

@Suite("Policies")
struct PolicyReaderTests {
  private func read(_ text: String) throws -> Policy {
    try PolicyReader(file: "policy.json").read(Array(text.utf8))
  }

  private func errorText(_ text: String) -> String {
    do {
      _ = try read(text)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  /// A change of the preset `ios`, as text and as code.
  struct Change: CustomTestStringConvertible, Sendable {
    let text: String
    let change: @Sendable (inout Policy) -> Void

    init(_ text: String, _ change: @escaping @Sendable (inout Policy) -> Void) {
      self.text = text
      self.change = change
    }

    var testDescription: String { text }
  }

  @Test(
    "a policy that answers no wake, or none that launches the app, is told",
    arguments: [
      (#"{}"#, "wakes", #""behaviour.completesAfter" is null"#),
      (
        #"{"behaviour":{"completesAfter":1,"ignoresEvery":1}}"#, "wakes",
        #""behaviour.ignoresEvery" is 1"#
      ),
      (
        #"{"behaviour":{"completesAfter":5},"completionTimeout":5}"#, "wakes",
        #""behaviour.completesAfter" is not less than "completionTimeout""#
      ),
      (
        #"{"behaviour":{"completesAfter":20,"coldStart":10}}"#, "wakes that launch the app",
        #"the sum of "behaviour.completesAfter" and "behaviour.coldStart" is not less than "#
          + #""completionTimeout""#
      ),
      (#"{"behaviour":{"completesAfter":20,"coldStart":9,"ignoresEvery":2}}"#, nil, nil),
    ])
  func unanswered(policy: String, wakes: String?, cause: String?) throws {
    let told = try PolicyReader(file: "p").read(Array(policy.utf8)).unanswered
    #expect(told?.wakes == wakes)
    #expect(told?.cause == cause)
  }

  @Test("start from a preset, wherever it is named")
  func presets() throws {
    #expect(try read("{}") == .iOS)
    #expect(try read("\u{FEFF} {}\r\n") == .iOS)
    #expect(try read(#"{"preset":"ios"}"#) == .iOS)
    #expect(try read(#"{"preset":"watchos"}"#) == .watchOS)
    var expected = Policy.watchOS
    expected.maxStrikes = 7
    expected.caps[ExactName("HKQuantityTypeIdentifierVO2Max")] = .weekly
    expected.caps[ExactName("e\u{301}")] = .daily
    expected.budget?.limitWithoutComplication = 2
    #expect(
      try read(
        #"{"maxStrikes":7,"budget":{"limitWithoutComplication":2},"caps":{"e\u0301":"daily","#
          + #""HKQuantityTypeIdentifierVO2Max":"weekly"},"preset":"watchos"}"#) == expected)
    expected = .watchOS
    expected.budget = nil
    #expect(try read(#"{"preset":"watchos","budget":null}"#) == expected)
    #expect(Policy.named("ios") == .iOS)
    #expect(Policy.named("watchos") == .watchOS)
    #expect(Policy.named("iOS") == nil)
  }

  static let changes: [Change] = [
    Change(#""caps":{}"#) { _ in },
    Change(#""caps":{"default":"weekly","T":"immediate","":"daily"}"#) {
      $0.defaultCap = .weekly
      $0.caps[ExactName("T")] = .immediate
      $0.caps[ExactName("")] = .daily
    },
    Change(#""budget":null"#) { $0.budget = nil },
    Change(#""budget":{"window":0.5,"limit":0,"limitWithoutComplication":1000}"#) {
      $0.budget = Policy.Budget(window: 500_000_000, limit: 0, limitWithoutComplication: 1000)
    },
    Change(#""completionTimeout":1"#) { $0.completionTimeout = 1_000_000_000 },
    Change(#""maxStrikes":1000"#) { $0.maxStrikes = 1000 },
    Change(#""backoffBase":0"#) { $0.backoffBase = 0 },
    Change(#""backoffFactor":1.37"#) { $0.backoffFactor = 1.37 },
    Change(#""backoffMax":1e9"#) { $0.backoffMax = 1_000_000_000_000_000_000 },
    Change(#""pushLimit":0"#) { $0.pushLimit = 0 },
    Change(#""pushWindow":1e-9"#) { $0.pushWindow = 1 },
    Change(#""minimumRefreshInterval":1.0000000005"#) {
      $0.minimumRefreshInterval = 1_000_000_000
    },
    Change(#""carry":"due""#) { $0.carry = .due },
    Change(#""carry":"always""#) { $0.carry = .always },
    Change(#""forceQuitBlocksHealth":false"#) { $0.forceQuitBlocksHealth = false },
    Change(#""lockBlocksHealth":false"#) { $0.lockBlocksHealth = false },
    Change(#""subscriptions":[ ]"#) { _ in },
    Change(
      #""subscriptions":[{"app":"A","type":"T","frequency":"daily"} , "#
        + #"{"frequency":"immediate","type":"","app":"A"}]"#
    ) {
      $0.subscriptions = [
        Policy.Subscription(app: "A", type: "T", frequency: .daily),
        Policy.Subscription(app: "A", type: "", frequency: .immediate),
      ]
    },
    Change(#""behaviour":{"completesAfter":29.999,"coldStart":0.8,"ignoresEvery":2}"#) {
      $0.behaviour = Policy.Behaviour(
        completesAfter: 29_999_000_000, coldStart: 800_000_000, ignoresEvery: 2)
    },
    Change(#""behaviour":{"completesAfter":null}"#) { _ in },
    Change(#""behaviour":{"coldStart":1}"#) { $0.behaviour.coldStart = 1_000_000_000 },
  ]

  @Test("are changed key by key", arguments: changes)
  func overrides(change: Change) throws {
    var expected = Policy.iOS
    change.change(&expected)
    #expect(try read("{\(change.text)}") == expected)
  }

  static let policyKeys = """
    preset, caps, budget, completionTimeout, maxStrikes, backoffBase, backoffFactor, backoffMax, \
    pushLimit, pushWindow, minimumRefreshInterval, carry, forceQuitBlocksHealth, \
    lockBlocksHealth, subscriptions, behaviour
    """

  @Test(
    "that are wrong name the key",
    arguments: [
      (#"[]"#, "expected an object, found an array"),
      (#""#, "invalid JSON at byte 1: expected a value, found the end"),
      (#"{} {}"#, "invalid JSON at byte 4: expected nothing more"),
      // Unknown keys.
      (#"{"carries":"due"}"#, #"field "carries": unknown key; use \#(policyKeys)"#),
      (#"{"Budget":null}"#, #"field "Budget": unknown key; use \#(policyKeys)"#),
      (
        #"{"budget":{"windows":1}}"#,
        #"field "budget.windows": unknown key; use window, limit, limitWithoutComplication"#
      ),
      (
        #"{"behaviour":{"default":1}}"#,
        #"field "behaviour.default": unknown key; use completesAfter, coldStart, ignoresEvery"#
      ),
      (
        #"{"subscriptions":[{"app":"A","type":"T","frequency":"daily","x":0}]}"#,
        #"field "subscriptions[0].x": unknown key; use app, type, frequency"#
      ),
      // Twice.
      (#"{"carry":"due","carry":"due"}"#, #"field "carry": stands twice in one object"#),
      (
        #"{"caps":{"T":"daily","\u0054":"daily"}}"#, #"field "caps.T": stands twice in one object"#
      ),
      // Null where it means nothing.
      (#"{"preset":null}"#, #"field "preset": expected a string, found null"#),
      (#"{"caps":null}"#, #"field "caps": expected an object, found null"#),
      (#"{"caps":{"T":null}}"#, #"field "caps.T": expected a string, found null"#),
      (#"{"maxStrikes":null}"#, #"field "maxStrikes": expected a whole number, found null"#),
      (#"{"pushWindow":null}"#, #"field "pushWindow": expected a number, found null"#),
      (#"{"carry":null}"#, #"field "carry": expected a string, found null"#),
      (#"{"subscriptions":null}"#, #"field "subscriptions": expected an array, found null"#),
      (#"{"behaviour":null}"#, #"field "behaviour": expected an object, found null"#),
      (
        #"{"behaviour":{"coldStart":null}}"#,
        #"field "behaviour.coldStart": expected a number, found null"#
      ),
      (
        #"{"preset":"watchos","budget":{"limit":null}}"#,
        #"field "budget.limit": expected a whole number, found null"#
      ),
      // Wrong types.
      (#"{"budget":4}"#, #"field "budget": expected an object or null, found a number"#),
      (
        #"{"lockBlocksHealth":1}"#, #"field "lockBlocksHealth": expected a boolean, found a number"#
      ),
      (
        #"{"completionTimeout":"30"}"#,
        #"field "completionTimeout": expected a number, found a string"#
      ),
      (
        #"{"pushLimit":3.0}"#,
        #"field "pushLimit": 3.0 is not a whole number written without fraction and exponent"#
      ),
      (
        #"{"behaviour":{"ignoresEvery":1e1}}"#,
        #"field "behaviour.ignoresEvery": 1e1 is not a whole number written without fraction "#
          + "and exponent"
      ),
      (
        #"{"subscriptions":[[]]}"#, #"field "subscriptions[0]": expected an object, found an array"#
      ),
      // Out of range, or not listed.
      (#"{"preset":"macos"}"#, #"field "preset": "macos" is not one of ios, watchos"#),
      (#"{"carry":"never"}"#, #"field "carry": "never" is not one of launch, due, always"#),
      (
        #"{"caps":{"default":"yearly"}}"#,
        #"field "caps.default": "yearly" is not one of immediate, hourly, daily, weekly"#
      ),
      (
        #"{"completionTimeout":0.999}"#,
        #"field "completionTimeout": 0.999 is not from 1 to 1000000000"#
      ),
      (
        #"{"minimumRefreshInterval":0}"#,
        #"field "minimumRefreshInterval": 0 is not from 1 to 1000000000"#
      ),
      (#"{"backoffFactor":0.5}"#, #"field "backoffFactor": 0.5 is not from 1 to 1000"#),
      (#"{"backoffFactor":1000.1}"#, #"field "backoffFactor": 1000.1 is not from 1 to 1000"#),
      (
        #"{"backoffMax":1000000001}"#,
        #"field "backoffMax": 1000000001 is not from 0 to 1000000000"#
      ),
      (#"{"backoffBase":1e999}"#, #"field "backoffBase": 1e999 is not from 0 to 1000000000"#),
      (
        #"{"behaviour":{"completesAfter":-1}}"#,
        #"field "behaviour.completesAfter": -1 is not from 0 to 1000000000"#
      ),
      (#"{"maxStrikes":0}"#, #"field "maxStrikes": 0 is not from 1 to 1000"#),
      (#"{"pushLimit":1001}"#, #"field "pushLimit": 1001 is not from 0 to 1000"#),
      (#"{"pushLimit":-1}"#, #"field "pushLimit": -1 is not from 0 to 1000"#),
      // Missing.
      (
        #"{"budget":{"window":1,"limit":1}}"#,
        #"field "budget.limitWithoutComplication": is missing"#
      ),
      (#"{"budget":{}}"#, #"field "budget.window": is missing"#),
      (
        #"{"subscriptions":[{"app":"A","type":"T"}]}"#,
        #"field "subscriptions[0].frequency": is missing"#
      ),
    ])
  func errors(text: String, expected: String) {
    #expect(errorText(text) == "policy.json:1: " + expected)
  }

  @Test("name the line of the key that is wrong")
  func lines() {
    let text = """
      {
        "preset": "watchos",\r
        "subscriptions": [
          {"app": "A", "type": "T", "frequency": "daily"},

          {"app": "A", "type": "T",
           "frequency": "hourly"},
          {
            "app": "A",
            "type": "T",
            "frequency": "fortnightly"
          }
        ],
        "behaviour": {
          "coldStart": 1,
          "completesAfter": null
        }
      }
      """
    #expect(
      errorText(text) == #"policy.json:11: field "subscriptions[2].frequency": "#
        + #""fortnightly" is not one of immediate, hourly, daily, weekly"#)
    let right = text.replacing("fortnightly", with: "weekly")
    #expect(errorText(right) == "no error")
    #expect(
      errorText(right.replacing(#""type": "T","#, with: ""))
        == #"policy.json:4: field "subscriptions[0].type": is missing"#)
    #expect(
      errorText(right.replacing("null", with: "1;"))
        == #"policy.json:16: field "behaviour": invalid JSON at byte 24: expected "," or "}""#)
    #expect(
      errorText(right.replacing("completesAfter", with: "completes"))
        == #"policy.json:16: field "behaviour.completes": unknown key; use completesAfter, coldStart, "#
        + "ignoresEvery"
    )
  }
}
