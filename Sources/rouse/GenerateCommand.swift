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
    summary: "Generate a synthetic trace; equal parameters give equal events on every machine.",
    operands: "[PRESET] -o TRACE",
    operandCount: 0...1,
    discussion: """
      PRESET is one of:
      \(SyntheticPreset.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
      Options override the preset. DURATION is a number of seconds such as 60 or 0.5; 0 is never.
      Builds with the same library (zlib or libdeflate) write the same bytes; at level 0 all do.
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
    /// The name of the workload's property.
    var property: String
    var value: String
    /// What a value must be, for messages.
    var expected: String
    var help: String
    var set: @Sendable (inout SyntheticWorkload, String) -> Bool

    static func count(
      _ name: String, _ path: any WritableKeyPath<SyntheticWorkload, Int> & Sendable, _ help: String
    ) -> Parameter {
      Parameter(
        name: name, property: propertyName(path), value: "N", expected: "a whole number", help: help
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
        expected: "a number of seconds from 0 to 10^9", help: help
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
      name: "--seed", property: "seed", value: "N", expected: "a whole number from 0",
      help: "The seed of the random numbers (default 1)."
    ) {
      guard let seed = UInt64($1) else { return false }
      $0.seed = seed
      return true
    },
    .count("--events", \.events, "The number of events."),
    .count("--devices", \.devices, "The number of devices that share the events."),
    .count("--types", \.types, "The number of sample types."),
    .count("--sources", \.sources, "The number of sources."),
    Parameter(
      name: "--start", property: "start", value: "T",
      expected: "a time such as 2026-01-01T08:00:00Z", help: "The time of the first events."
    ) {
      guard let start = try? Timestamp(parsing: $1) else { return false }
      $0.start = start
      return true
    },
    .duration("--mean-gap", \.meanGap, "Mean time between a device's events."),
    .duration("--resolution", \.resolution, "All times are multiples of this."),
    .duration("--sync-every", \.syncEvery, "Time between syncs, in which samples arrive together."),
    .count("--synced", \.syncedPerThousand, "Samples per 1000 that arrive in syncs."),
    .duration("--sync-spacing", \.syncSpacing, "Time between the samples of a sync."),
    .count("--deletes", \.deletesPerThousand, "Deletes per 1000 saves and deletes."),
    .count("--late", \.latePerThousand, "Late events per 1000."),
    .count("--apps", \.apps, "The number of apps that enable background delivery."),
    .count(
      "--subscriptions", \.subscriptionsPerApp, "The number of types that each app subscribes to."),
    .count("--predicates", \.predicatesPerThousand, "Queries with predicates per 1000."),
    .count("--answers", \.answersPerThousand, "Answered wakes per 1000 likely wakes."),
    .duration("--push-every", \.pushGap, "Mean time between pushes."),
    .duration("--visit-every", \.visitGap, "Mean time between visits of an app."),
    .duration("--terminate-every", \.terminationGap, "Mean time between terminations of apps."),
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
      ("--refreshes", "Apps request background refreshes.", \.hasRefreshes),
      ("--complications", "Apps have complications.", \.hasComplications),
    ]

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    var workload = SyntheticWorkload()
    if let name = arguments.operands.first {
      guard let preset = SyntheticPreset(rawValue: name) else {
        throw arguments.usage(
          "'\(name)' is not a preset; 'rouse generate --help' lists the presets")
      }
      workload = preset.workload
    }
    for parameter in parameters {
      guard let text = arguments.value(parameter.name) else { continue }
      guard parameter.set(&workload, text) else {
        throw arguments.usage("\(parameter.name): '\(text)' is not \(parameter.expected)")
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
