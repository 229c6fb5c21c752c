import Testing
import WakeTestSupport

@Suite("Commands tell whose wakes cannot come")
struct RemarkTests {
  private static let save = #"{"t":9,"k":"save","type":"T","source":"S"}"#
  private static let enable =
    #"{"t":1,"k":"enable","app":"a","type":"T","frequency":"immediate"}"#
  private static let nothing =
    "no app has a subscription, so nothing is woken; 'rouse policy new' writes a policy with "
    + "\"subscriptions\""
  private static let noSave =
    "no app has a subscription, so no save wakes an app; 'rouse policy new' writes a policy with "
    + "\"subscriptions\""
  private static let rejected =
    "no app has a subscription, as every registration was rejected: it takes the "
    + "background-delivery entitlement, and a type that is no correlation; so "

  private func errors(
    _ shop: Workshop, _ arguments: String..., at place: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let result = try RouseCommand.run(arguments, folder: shop.path)
    #expect(result.status == .exited(0), "\(result.errors)", sourceLocation: place)
    return result.errors.split(separator: "\n").map { String($0.dropFirst("rouse: ".count)) }
  }

  @Test(
    "where nobody ever has a subscription, whatever else the inputs name",
    arguments: [
      ([save], nothing),
      ([#"{"t":1,"k":"launch","app":"a"}"#, save], nothing),
      ([#"{"t":1,"k":"execute","app":"a","query":"q","type":"T"}"#, save], nothing),
      // Rejected, as the app may not (page Rules, 5.2).
      (
        [#"{"t":0,"k":"entitlement","app":"a","granted":false}"#, enable, save],
        rejected + "nothing is woken"
      ),
      (
        [enable.replacing("\"T\"", with: "\"HKCorrelationTypeIdentifierFood\""), save],
        rejected + "nothing is woken"
      ),
      (
        [
          #"{"t":0,"k":"entitlement","app":"a","granted":false}"#, enable,
          #"{"t":1,"k":"push","app":"a","id":"p"}"#, save,
          #"{"t":10,"k":"complete","app":"a"}"#,
        ], rejected + "no save wakes an app"
      ),
      (
        [
          #"{"t":1,"k":"push","app":"a","id":"p"}"#, save,
          #"{"t":10,"k":"complete","app":"a"}"#,
        ], noSave
      ),
      ([enable, save, #"{"t":10,"k":"complete","app":"a"}"#], nil),
      // What nobody saves is a subscription all the same, also one that ends.
      ([enable.replacing("\"T\"", with: "\"U\""), save], nil),
      ([enable, #"{"t":2,"k":"disable","app":"a","type":"T"}"#, save], nil),
    ] as [([String], String?)])
  func subscriptions(lines: [String], remark: String?) throws {
    let shop = try Workshop()
    try shop.importing(lines.joined(separator: "\n") + "\n", as: "in")
    for arguments in [["replay"], ["replay", "--threads", "2"], ["optimum"]] {
      let result = try RouseCommand.run(arguments + ["in.wtrace"], folder: shop.path)
      #expect(result.status == .exited(0), "\(result.errors)")
      let told = result.errors.contains("no app has a subscription")
      #expect(told == (remark != nil), "\(arguments): \(result.errors)")
      if let remark { #expect(result.errors.contains("rouse: \(remark)\n"), "\(result.errors)") }
    }
    // Inputs before --from are not applied.
    let late = try errors(shop, "replay", "in.wtrace", "--from", "3")
    #expect(late.contains { $0.hasPrefix("no app has a subscription") }, "\(late)")
    try shop.write(
      #"{"subscriptions":[{"app":"a","type":"T","frequency":"hourly"}]}"#, to: "policy.json")
    let subscribed = try errors(shop, "replay", "in.wtrace", "--policy", "policy.json")
    #expect(!subscribed.contains { $0.hasPrefix("no app has a subscription") }, "\(subscribed)")
  }

  @Test("and an import, where only queries are there, or only observations")
  func imports() throws {
    let shop = try Workshop()
    try shop.write(
      #"{"t":1,"k":"execute","app":"a","query":"q","type":"T"}"# + "\n", to: "query.jsonl")
    try shop.write(Self.enable + "\n", to: "enable.jsonl")
    let observed = #"{"t":1,"device":"d","k":"observed","app":"a","types":["T"]}"# + "\n"
    try shop.write(observed, to: "observed.jsonl")
    for (name, advice) in [
      ("query", "the inputs have neither subscriptions nor completions: a replay needs a policy"),
      ("enable", "the inputs have no completions: by a policy"),
      (
        "observed",
        "the lines hold only observations, which a replay ignores: it needs the inputs of their "
          + "devices, too"
      ),
    ] {
      let told = try errors(shop, "import", "jsonl", "\(name).jsonl", "-o", "\(name).wtrace")
      #expect(told.last?.hasPrefix(advice) == true, "\(told)")
    }
    #expect(
      try shop.rouse("info", "observed.wtrace").output.contains("\n  inputs: none\n"))
    #expect(
      try shop.rouse("info", "enable.wtrace").output.contains("\n  inputs: enable 1\n"))
    let alone =
      "the traces hold only observations, which a replay ignores: it needs the inputs of their "
      + "devices, too; 'rouse query --observed' prints observations"
    try shop.write(Workshop.policy, to: "policy.json")
    for arguments in [[], ["--from", "2026-01-01"], ["--policy", "policy.json"]] {
      let result = try RouseCommand.run(
        ["replay", "observed.wtrace"] + arguments, folder: shop.path)
      #expect(result.errors == "rouse: \(alone)\n", "\(arguments)")
      #expect(result.status == .exited(0))
    }
  }
}
