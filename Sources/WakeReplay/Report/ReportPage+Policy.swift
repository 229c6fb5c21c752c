import Measurement
import PageDrawing
import WakeEvents
import WakeScheduling

/// What was replayed: the policy, its subscriptions, and who answers wakes.
extension ReportPage {
  private var policy: Policy { report.policy }

  /// The policy in a line: where it is from, how many subscriptions it has, and who answers.
  var source: String {
    let without = result.without.map { ", without \($0.joined(separator: ", "))" } ?? ""
    let subscriptions = policy.subscriptions.count
    let parts = [
      "Policy \(report.heading.policy.shown)\(without)",
      subscriptions == 0
        ? "subscriptions as in the inputs"
        : "\(Self.counted(subscriptions, "subscription")) of its own",
      policy.behaviour.completesAfter.map { "wakes answered after \(Self.duration($0))" }
        ?? "answers as in the inputs",
    ]
    return parts.map { HTML.escaped($0) }.joined(separator: " · ")
      + " · digest <code>\(result.digest)</code>"
  }

  /// Everything about the policy.
  var replayed: String {
    """
    <section id="policy">
    <h2>What was replayed</h2>
    <p>The policy is \(HTML.escaped(report.heading.policy.shown)). \(answers)</p>
    \(changes)\(subscriptions)</section>

    """
  }

  private var answers: String {
    let behaviour = policy.behaviour
    guard let after = behaviour.completesAfter else {
      return
        "It models no answers (<code>behaviour.completesAfter</code> is null): only completions in "
        + "the inputs answer wakes."
    }
    var text = "It models an app that answers a wake after \(Self.duration(after))"
    if behaviour.coldStart > 0 {
      text += ", \(Self.duration(behaviour.coldStart)) later if it has to be launched"
    }
    if behaviour.ignoresEvery > 0 {
      text +=
        ", and leaves every wake unanswered whose number is a multiple of \(behaviour.ignoresEvery)"
    }
    return text + " (<code>behaviour</code>)."
  }

  private var changes: String {
    let changes = report.heading.changes
    guard !changes.isEmpty else { return "" }
    let rows = changes.map {
      [HTML.escaped($0.path), HTML.escaped($0.value), HTML.escaped($0.preset)]
    }
    return Self.table(
      ["Key", "Value", "In the preset"], rows, caption: "Keys other than the preset's")
  }

  private var subscriptions: String {
    guard !policy.subscriptions.isEmpty else {
      return "<p>It has no subscriptions: apps have those that the inputs enable.</p>\n"
    }
    let rows = policy.subscriptions.map { subscription in
      [
        Self.typeName(subscription.type), HTML.escaped(subscription.app.shown),
        subscription.frequency.word,
        policy.frequency(of: subscription.type, asked: subscription.frequency).word,
      ]
    }
    return
      "<p>Every device starts with these subscriptions; those that the inputs enable come beside them. "
      + "A cap may allow less than is asked for (page Rules, 5.2).</p>\n"
      + Self.table(
        ["Type", "App", "Asked", "Allowed"], rows, caption: "Subscriptions of the policy")
  }
}
