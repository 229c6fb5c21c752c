import WakeEvents

/// The fastest frequencies of types by ``SampleType/index`` (rules, 3 and 5.2): the policy has them by name, and a type's name
/// is looked at once.
struct TypeCaps: ~Copyable {
  /// 0 if the name was not looked at, ``correlation``, or the raw value of the frequency plus 1.
  private var known = UncheckedArray<UInt8>()
  private static let correlation = UInt8.max

  /// The fastest frequency of a type; nil for a correlation, on which no subscription is allowed.
  mutating func cap(of type: SampleType, _ policy: borrowing Policy, _ symbols: Symbols)
    -> Frequency?
  {
    let place = Int(type.index)
    if place >= known.count || known[place] == 0 { look(at: type, policy, symbols) }
    return known[place] == Self.correlation ? nil : Frequency(rawValue: known[place] &- 1)
  }

  @inline(never)
  private mutating func look(at type: SampleType, _ policy: borrowing Policy, _ symbols: Symbols) {
    let name = symbols.types.name(of: type)
    known.fill(to: Int(type.index) + 1, with: 0)
    known[Int(type.index)] =
      Policy.isCorrelation(name) ? Self.correlation : policy.cap(of: name).rawValue + 1
  }

  /// Becomes a copy of others of the same policy.
  mutating func copy(_ other: borrowing TypeCaps) { known.copy(other.known) }
}
