/// What of a device's state holds apps back (rule 6.1): a bit for each, as most inputs that change one change nothing else,
/// and whether they do is hard to predict.
struct DeviceHolds: OptionSet {
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The device is locked.
  static let lock = Self(rawValue: 1 << 0)
  /// The network is not good.
  static let network = Self(rawValue: 1 << 1)
  /// The power is not good.
  static let power = Self(rawValue: 1 << 2)
  /// Network or power.
  static let conditions = network.union(power)
  /// The refresh status that every app was given last is not available.
  static let status = Self(rawValue: 1 << 3)

  /// Sets one of them, without a branch.
  @inline(__always)
  mutating func set(_ hold: DeviceHolds, if isHeld: Bool) {
    let bits = hold.rawValue & (0 &- (isHeld ? 1 : 0))
    self = Self(rawValue: rawValue & ~hold.rawValue | bits)
  }
}

extension SchedulerCore {
  @inline(__always)
  var isLocked: Bool { holds.contains(.lock) }
  @inline(__always)
  var isNetworkGood: Bool { !holds.contains(.network) }
  @inline(__always)
  var isPowerGood: Bool { !holds.contains(.power) }
}
