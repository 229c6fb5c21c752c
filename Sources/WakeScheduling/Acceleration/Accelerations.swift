/// The accelerations of a scheduler. Each stands for rules that `Rules/` holds in plain form, gives the same
/// wakes and counts, and can be switched off; `[]` runs the rules alone.
///
/// A file of this folder describes each one: the rule it stands for, when it may be used, the test that holds it
/// and what it gains. The page Performance has the measurements. Tests of all of them draw a subset per seed
/// (`DifferentialTests`, `CountedWakesTests`).
package struct Accelerations: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Counts saves per type instead of per subscription (`SaveCounting.swift`).
  package static let saveCounting = Self(rawValue: 1 << 0)
  /// Takes rows of columns in batches (`RowBatches.swift`).
  package static let rowBatches = Self(rawValue: 1 << 1)
  /// Evaluates predicates over rows without branches (`PredicateScan.swift`).
  package static let predicateScan = Self(rawValue: 1 << 2)
  /// Schedules apps with equal subscriptions as one (`Cohorts.swift`).
  package static let cohorts = Self(rawValue: 1 << 3)
  /// Ends a wake that is only counted when it begins (`AnswersAhead.swift`).
  package static let answersAhead = Self(rawValue: 1 << 4)
  /// Wakes an app for one save without a look at anything else (`DirectWakes.swift`).
  package static let directWakes = Self(rawValue: 1 << 5)
  /// Hashes several wakes side by side (`WakeHasher.swift`).
  package static let hashLanes = Self(rawValue: 1 << 6)
  /// Takes blocks by the counts in their headers, where a replay asks for that (`QuietRuns.swift`).
  package static let quietRuns = Self(rawValue: 1 << 7)
  /// Evaluates only the app that an input names (`NamedApps.swift`).
  package static let namedApps = Self(rawValue: 1 << 8)

  /// Evaluates only the apps that an input which names none concerns (`HeldApps.swift`).
  package static let heldApps = Self(rawValue: 1 << 9)

  /// Finds a predicate among many in a tree (`PredicateTrees.swift`).
  package static let predicateTrees = Self(rawValue: 1 << 10)
  /// Takes rows that are more than a count one after the other (`SparseRows.swift`).
  package static let sparseRows = Self(rawValue: 1 << 11)
  /// Notes the arrivals of a run of rows together (`ArrivalRuns.swift`).
  package static let arrivalRuns = Self(rawValue: 1 << 12)
  /// Counts rows of few types side by side (`TypeLanes.swift`).
  package static let typeLanes = Self(rawValue: 1 << 13)

  /// Skips rows of types to which nobody subscribes (`SubscribedRows.swift`).
  package static let subscribedRows = Self(rawValue: 1 << 14)

  /// All of them, by the names that `ROUSE_ACCELERATIONS` takes.
  package static let byName: [(name: String, acceleration: Accelerations)] = [
    ("saveCounting", .saveCounting), ("rowBatches", .rowBatches),
    ("predicateScan", .predicateScan), ("cohorts", .cohorts), ("answersAhead", .answersAhead),
    ("hashLanes", .hashLanes), ("directWakes", .directWakes),
    ("quietRuns", .quietRuns), ("namedApps", .namedApps),
    ("heldApps", .heldApps), ("predicateTrees", .predicateTrees), ("sparseRows", .sparseRows),
    ("arrivalRuns", .arrivalRuns), ("typeLanes", .typeLanes), ("subscribedRows", .subscribedRows),
  ]

  /// Every acceleration.
  package static let all = byName.reduce(into: Accelerations()) { $0.insert($1.acceleration) }

  /// Reads `all`, `none`, or a list of words separated by commas, from the left: `NAME` adds an acceleration, `-NAME`
  /// removes one, `all` and `none` start anew. A list that begins with `-NAME` starts with all.
  ///
  /// - Throws: ``UnknownAcceleration`` for a name that is none of ``byName``.
  package init(_ text: String) throws(UnknownAcceleration) {
    var chosen: Accelerations = text.hasPrefix("-") ? .all : []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "all": chosen = .all
      case "none": chosen = []
      default:
        let isLeftOut = word.hasPrefix("-")
        let name = isLeftOut ? word.dropFirst() : word
        guard let found = Self.byName.first(where: { $0.name == name }) else {
          let isNegated = isLeftOut && (name == "all" || name == "none")
          throw UnknownAcceleration(name: String(isNegated ? word : name))
        }
        if isLeftOut {
          chosen.remove(found.acceleration)
        } else {
          chosen.insert(found.acceleration)
        }
      }
    }
    self.init(rawValue: chosen.rawValue)
  }

  /// The names of those that are on, separated by commas; `none` if there are none.
  package var names: String {
    let names = Self.byName.filter { contains($0.acceleration) }.map(\.name)
    return names.isEmpty ? "none" : names.joined(separator: ",")
  }
}

/// A name in ``Accelerations/init(_:)`` that no acceleration has.
package struct UnknownAcceleration: Error, CustomStringConvertible {
  package let name: String

  package var description: String {
    let names = Accelerations.byName.map(\.name).joined(separator: ", ")
    return "no acceleration is named '\(name)': use all, none, or NAME or -NAME (all but NAME), "
      + "separated by commas, of \(names)"
  }
}
