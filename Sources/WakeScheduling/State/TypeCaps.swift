import WakeEvents

/// The fastest frequencies of types by ``SampleType/index`` (rules, 3 and 5.2): the policy has them by name, and a type's name
/// is looked at once.
struct TypeCaps: ~Copyable {
  /// 0 if the name was not looked at, ``correlation``, or the raw value of the frequency plus 1.
  private var known = UncheckedArray<UInt8>()
  private static let correlation = UInt8.max

  /// Whether a type was looked at.
  @inline(__always)
  func has(_ type: SampleType) -> Bool {
    Int(type.index) < known.count && known[Int(type.index)] != 0
  }

  /// The fastest frequency of a type that was looked at; nil for a correlation, on which no subscription is allowed.
  @inline(__always)
  func cap(of type: SampleType) -> Frequency? {
    let cap = known[Int(type.index)]
    return cap == Self.correlation ? nil : Frequency(rawValue: cap &- 1)
  }

  /// Looks at a type.
  mutating func look(at type: SampleType, _ policy: borrowing Policy, _ symbols: Symbols) {
    let name = symbols.types.name(of: type)
    known.fill(to: Int(type.index) + 1, with: 0)
    known[Int(type.index)] =
      Policy.isCorrelation(name) ? Self.correlation : policy.cap(of: name).rawValue + 1
  }

  /// Forgets them: few devices enable anything, and each looks by itself.
  mutating func removeAll() { known.removeAll() }
}

extension SchedulerCore {
  /// The fastest frequency of a type; nil for a correlation, on which no subscription is allowed.
  @inline(__always)
  mutating func fastestFrequency(of type: SampleType) -> Frequency? {
    if !typeCaps.has(type) { lookAtName(of: type) }
    return typeCaps.cap(of: type)
  }

  /// Not inlined, as it happens once for each type.
  @inline(never)
  private mutating func lookAtName(of type: SampleType) {
    typeCaps.look(at: type, policy, symbols)
  }
}
