import WakeEvents
import WakeScheduling

// The words of a timeline.

extension Wake {
  var timelineValues: [(key: StaticString, value: TimelineSlice.Value)] {
    var values: [(key: StaticString, value: TimelineSlice.Value)] = [
      ("wake", .number(number)), ("types", .number(types.count)), ("saves", .number(saves)),
    ]
    if let push { values.append(("push", .text(push))) }
    if refresh { values.append(("refresh", .number(1))) }
    return values
  }
}

extension TimelineTrack {
  /// A type's name without the beginning that HealthKit's have in common, which a viewer would show instead of what
  /// differs: `StepCount` for `HKQuantityTypeIdentifierStepCount`.
  static func shortened(type name: String) -> String {
    guard name.hasPrefix("HK"), let end = name.firstRange(of: "TypeIdentifier")?.upperBound,
      end < name.endIndex
    else { return name }
    return String(name[end...])
  }
}

/// What keeps wakes from a device; none of it holds at first.
enum DeviceCondition: CaseIterable {
  case locked
  case poorPower
  case poorNetwork

  func holds(in conditions: DeviceConditions) -> Bool {
    switch self {
    case .locked: conditions.isLocked
    case .poorPower: !conditions.isPowerGood
    case .poorNetwork: !conditions.isNetworkGood
    }
  }

  var trackName: String {
    switch self {
    case .locked: "lock"
    case .poorPower: "power"
    case .poorNetwork: "network"
    }
  }

  var sliceName: String {
    switch self {
    case .locked: "locked"
    case .poorPower, .poorNetwork: "not good"
    }
  }
}

/// What an app is doing (rules, 1), as a timeline shows it: its wakes have a track of their own.
enum AppPhase {
  /// The user ended it, and has not opened it since.
  case forceQuit
  /// Not running.
  case terminated
  /// In memory: suspended, or awake.
  case background
  /// On the screen.
  case foreground

  init(_ condition: AppCondition) {
    self =
      switch condition.activity {
      case .foreground: .foreground
      case _ where condition.isForceQuit: .forceQuit
      case .terminated: .terminated
      case .suspended, .awake: .background
      }
  }

  /// Nil for what is not shown.
  var sliceName: String? {
    switch self {
    case .forceQuit: "force-quit"
    case .terminated: "terminated"
    case .background: nil
    case .foreground: "foreground"
    }
  }
}
