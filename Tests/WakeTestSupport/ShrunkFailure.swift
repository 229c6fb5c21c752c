@_exported public import WakeCases
package import WakeEvents
package import WakeScheduling

/// Holds inputs against what `difference` says of them, and makes them smaller if it says anything.
///
/// - Parameter seed: What they were made from, for who reads of it.
/// - Returns: nil if there is no difference; else the seed, the difference and the shrunk case, ready to be pasted
///   into files.
package func shrunkFailure(
  _ events: [Event], _ policy: Policy, _ symbols: Symbols, seed: UInt64,
  difference: @escaping ([Event], Policy) -> String?
) -> String? {
  guard difference(events, policy) != nil else { return nil }
  let (fewer, simpler) = shrink(events, policy) { difference($0, $1) != nil }
  return """
    seed \(seed) with \(events.count) inputs; shrunk to \(fewer.count): \
    \(difference(fewer, simpler) ?? "no difference")
    policy.json:
    \(CasePrinter.policyText(simpler))
    input.jsonl:
    \(CasePrinter.inputText(fewer, symbols: symbols))
    """
}
