import CEmbedded
public import WakeEvents
import WakeImport
public import WakeScheduling

/// A worked case of the rules: a policy and inputs. What they give is in `Tests/WakeSchedulingTests/Cases`.
public struct WorkedCase: Sendable {
  /// The name of its folder.
  public let name: String
  /// The policy.
  public let policy: Policy
  /// The inputs.
  public let events: [Event]
  /// The names in ``events``.
  public let symbols: Symbols

  /// All cases but the random ones, in the order of their names; `cases.txt` has their text.
  public static func all() throws -> [WorkedCase] {
    let text = unsafe String(cString: embedded_cases())
    var cases: [WorkedCase] = []
    for part in text.split(separator: "# ", omittingEmptySubsequences: true) {
      let lines = part.split(separator: "\n")
      guard lines.count > 1 else { continue }
      let name = String(lines[0])
      let symbols = Symbols()
      var events: [Event] = []
      var reader = JSONLinesReader(file: name, symbols: symbols)
      var rest = Array(lines[2...].joined(separator: "\n").utf8)[...]
      try reader.read { span in
        let count = min(span.count, rest.count)
        for place in 0..<count { span[place] = rest.removeFirst() }
        return count
      } onEvent: { event, _ in
        events.append(event)
      }
      cases.append(
        WorkedCase(
          name: name, policy: try PolicyReader(file: name).read(Array(lines[1].utf8)),
          events: events, symbols: symbols))
    }
    return cases
  }
}
