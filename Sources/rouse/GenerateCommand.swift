import CommandLineSupport
import Measurement
import WakeEvents
import WakeImport
import WakeTrace

/// `rouse generate`
enum GenerateCommand: Command {
  static let name = "generate"
  static let specification = Specification(
    name: name,
    summary: "Make up a trace: the same events for the same parameters, on every machine.",
    operands: "[PRESET] -o TRACE",
    operandCount: 0...1,
    discussion: """
      PRESET is one of:
      \(SyntheticPreset.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
      Options change what the preset says. DURATION is seconds, such as 60 or 0.5; 0 is never.
      Builds with the same library, zlib or libdeflate, write the same bytes; at level 0 all do.
      """,
    options: [
      .init("--output", short: "-o", value: "TRACE", "The trace to write; '-' is standard output."),
      .init("--level", value: "N", "zlib's level, 0 to 9 (default 6)."),
    ] + parameters.map { .init($0.name, value: $0.value, $0.help) }
      + switches.map {
        .init($0.name, $0.help)
      })

  /// An option that sets a number of the workload.
  private struct Parameter: Sendable {
    var name: String
    /// The workload's name for it.
    var property: String
    var value: String
    /// What a value is, in words.
    var expected: String
    var help: String
    var set: @Sendable (inout SyntheticWorkload, String) -> Bool

    static func count(
      _ name: String, _ path: any WritableKeyPath<SyntheticWorkload, Int> & Sendable, _ help: String
    ) -> Parameter {
      Parameter(
        name: name, property: propertyName(path), value: "N", expected: "whole number", help: help
      ) { workload, text in
        guard let number = Int(text) else { return false }
        workload[keyPath: path] = number
        return true
      }
    }

    static func duration(
      _ name: String, _ path: any WritableKeyPath<SyntheticWorkload, Int64> & Sendable,
      _ help: String
    ) -> Parameter {
      Parameter(
        name: name, property: propertyName(path), value: "DURATION",
        expected: "number of seconds from 0 to 10^9", help: help
      ) { workload, text in
        guard let seconds = Double(text), Seconds.validRange.contains(seconds) else { return false }
        workload[keyPath: path] = Seconds.nanoseconds(seconds)
        return true
      }
    }
  }

  /// The last part of a key path's description: `\\SyntheticWorkload.meanGap`.
  private static func propertyName(_ path: AnyKeyPath) -> String {
    "\(path)".split(separator: ".").last.map(String.init) ?? ""
  }

  /// The properties that are durations.
  private static var durations: Set<String> {
    Set(parameters.filter { $0.value == "DURATION" }.map(\.property))
  }

  private static let parameters: [Parameter] = [
    Parameter(
      name: "--seed", property: "seed", value: "N", expected: "whole number from 0",
      help: "Another seed gives another trace (default 1)."
    ) {
      guard let seed = UInt64($1) else { return false }
      $0.seed = seed
      return true
    },
    .count("--events", \.events, "Events in all."),
    .count("--devices", \.devices, "Devices that share them."),
    .count("--types", \.types, "Sample types."),
    .count("--sources", \.sources, "Sources."),
    Parameter(
      name: "--start", property: "start", value: "T",
      expected: "instant such as 2026-01-01T08:00:00Z", help: "The time of the first events."
    ) {
      guard let start = try? Timestamp(parsing: $1) else { return false }
      $0.start = start
      return true
    },
    .duration("--mean-gap", \.meanGap, "Mean time between a device's events."),
    .duration("--resolution", \.resolution, "All times are multiples of this."),
    .duration("--sync-every", \.syncEvery, "A wearable's samples arrive together so often."),
    .count("--synced", \.syncedPerThousand, "Of 1000 samples so many arrive in syncs."),
    .duration("--sync-spacing", \.syncSpacing, "Time between the samples of a sync."),
    .count("--deletes", \.deletesPerThousand, "Of 1000 saves and deletes so many are deletes."),
    .count("--late", \.latePerThousand, "Of 1000 events so many come late."),
    .count("--apps", \.apps, "Apps that enable background delivery."),
    .count("--subscriptions", \.subscriptionsPerApp, "Types that each app subscribes to."),
    .count("--predicates", \.predicatesPerThousand, "Of 1000 queries so many have predicates."),
    .count("--answers", \.answersPerThousand, "Of 1000 likely wakes so many are answered."),
    .duration("--push-every", \.pushGap, "Mean time between pushes."),
    .duration("--visit-every", \.visitGap, "Mean time between visits of an app."),
    .duration("--terminate-every", \.terminationGap, "Mean time between ends of apps."),
    .duration("--pickup-every", \.pickupGap, "Mean time between unlocks."),
    .duration("--reboot-every", \.rebootGap, "Mean time between reboots."),
  ]

  private static let switches:
    [(
      name: String, help: String,
      path: any WritableKeyPath<SyntheticWorkload, Bool> & Sendable
    )] = [
      ("--values", "Samples have values.", \.hasValues),
      ("--measured-times", "Samples have starts and ends.", \.hasMeasuredTimes),
      ("--refreshes", "Apps ask for background refreshes.", \.hasRefreshes),
      ("--complications", "Apps have complications.", \.hasComplications),
    ]

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    var workload = SyntheticWorkload()
    if let name = arguments.operands.first {
      guard let preset = SyntheticPreset(rawValue: name) else {
        throw arguments.usage("'\(name)' is no preset; 'rouse generate --help' lists them")
      }
      workload = preset.workload
    }
    for parameter in parameters {
      guard let text = arguments.value(parameter.name) else { continue }
      guard parameter.set(&workload, text) else {
        throw arguments.usage("\(parameter.name): '\(text)' is no \(parameter.expected)")
      }
    }
    for (name, _, path) in switches where arguments.has(name) { workload[keyPath: path] = true }
    do {
      try workload.validate()
    } catch let error {
      let option = parameters.first { $0.property == error.parameter }?.name ?? error.parameter
      let unit = durations.contains(error.parameter) ? " (nanoseconds)" : ""
      throw arguments.usage("\(option): \(error.message)\(unit)")
    }
    let level = try arguments.number("--level", in: 0...9) ?? 6
    let output = try FileOutput(path: try arguments.required("--output"))
    let statistics = try workload.write(to: output, level: level)
    try output.commit()
    Console.message(
      """
      \(output.name): \(Console.counted(statistics.events, "event")) in \
      \(Console.counted(statistics.blocks, "block")), \
      \(Quantity.bytes(statistics.bytes))
      """)
    return .success
  }
}
