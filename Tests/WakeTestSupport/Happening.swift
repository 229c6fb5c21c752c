/// A situation in which schedulers go wrong, so that random tests must come to it often.
///
/// Wakes and their outcomes are not among them, as the summary counts those.
public enum Happening: String, CaseIterable, Sendable {
  /// Something was due at the very instant of an input (rule 4.2).
  case dueAtInputsInstant
  /// A subscription of an app with a wake in flight took a save or delete.
  case savedWhileAwake
  /// All of an app's queries on a type had predicates and none matched (rule 5.1).
  case filteredByPredicates
  /// A type of a wake in flight was disabled while outstanding (rule 5.3).
  case disabledInFlight
  /// That ended the wake.
  case completedByDisabling
  /// A wake carried two items or more (rule 6.2).
  case severalItems
  /// Some of a wake's items were answered, and not all (rule 5.4).
  case answeredInPart
  /// The user opened an app with a wake in flight (rule 5.5).
  case launchedWhileAwake
  /// A wake ended with types outstanding (rule 6.5).
  case strike
  /// An app came to its last strike (rule 6.5).
  case stopped
  /// An answer cleared strikes (rule 6.6).
  case strikesCleared
  /// A stopped app enabled and was let go on (rule 5.2).
  case rearmedByEnabling
  /// A stopped app enabled in the background and stayed stopped (rule 5.2).
  case enabledWhileStopped
  /// An evaluation found saves pending and the budget used up.
  case healthWaitsForBudget
  /// An evaluation found saves pending and health blocked.
  case healthIsBlocked
  /// An evaluation found saves pending before the end of the backoff.
  case healthIsBackedOff
  /// An evaluation found a push held that its window or a force-quit kept back.
  case pushWaits
  /// A wake carried a type that was not due by itself (rule 6.2).
  case carriedBeforeDue
}

extension ReferenceScheduler {
  mutating func reach(_ happening: Happening) {
    reached[happening, default: 0] += 1
  }
}
