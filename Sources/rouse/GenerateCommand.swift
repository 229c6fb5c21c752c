import CommandLineSupport
import Measurement
import WakeEvents
import WakeImport
import WakeTrace

enum GenerateCommand: Command {
  static let specification = Specification(
    name: "generate",
    summary: "Generate a synthetic trace; equal parameters give equal events on every machine.",
    operands: "[PRESET] -o TRACE",
    operandCount: 0...1,
    operandValues: [.words(SyntheticPreset.allCases.map(\.rawValue))],
    discussion: """
      PRESET is one of:
      \(SyntheticPreset.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
      Options override the preset. DURATION is a number of seconds or of another unit, such as
      60, 0.5, 250ms, 15m, 1h or 1d; 0 is never.
      Builds with the same library (zlib or libdeflate) write the same bytes; at level 0 all do.
      """,
    options: [
      .output,
      .init(
        "--files", value: "N", "Write N traces into the folder -o, each with a part of the devices."
      ),
      .init("--level", value: "N", "zlib's level, 0 to 9 (default 6)."),
    ] + parameters.map { .init($0.name, value: $0.value, $0.help + ($0.range ?? "") + ".") })

  /// An option that sets a property of the workload.
  private struct Parameter: Sendable {
    var name: String
    /// The name of the property.
    var property: String
    /// The placeholder of the value; nil if the option takes none.
    var value: String?
    /// What a value must be, for messages.
    var expected: String
    /// A phrase; the range and a full stop follow.
    var help: String
    /// Sets the property; false if the text is no value of it.
    var set: @Sendable (inout SyntheticWorkload, String) -> Bool

    /// The allowed values: ` (1 to 64)`; durations in seconds.
    var range: String? {
      guard let bounds = SyntheticWorkload.bounds.first(where: { $0.parameter == property }) else {
        return nil
      }
      func text(_ number: Int64) -> String {
        switch value {
        case "T": Timestamp(nanoseconds: number).iso8601
        case "DURATION": Self.text(number, powerOfUnit: -9)
        default: Self.text(number, powerOfUnit: 0)
        }
      }
      let (low, high) = (text(bounds.range.lowerBound), text(bounds.range.upperBound))
      return " (\(bounds.allowsZero ? "0, or " : "")\(low) to \(high))"
    }

    /// A number times a power of ten: `64`, `0.001`; large and small powers of ten as `10^15`.
    private static func text(_ number: Int64, powerOfUnit: Int) -> String {
      let digits = "\(number)"
      guard digits.hasPrefix("1"), digits.dropFirst().allSatisfy({ $0 == "0" }) else {
        return digits
      }
      let power = digits.count - 1 + powerOfUnit
      return switch power {
      case 0..<6: "1" + String(repeating: "0", count: power)
      case -3..<0: "0." + String(repeating: "0", count: -power - 1) + "1"
      default: "10^\(power)"
      }
    }

    init<Value>(
      _ name: String, _ value: String?, _ expected: String,
      _ path: any WritableKeyPath<SyntheticWorkload, Value> & Sendable, _ help: String,
      parse: @escaping @Sendable (String) -> Value?
    ) {
      self.name = name
      // The description of a key path is `\\SyntheticWorkload.meanGap`.
      property = "\(path)".split(separator: ".").last.map(String.init) ?? ""
      self.value = value
      self.expected = expected
      self.help = help
      set = { workload, text in
        guard let value = parse(text) else { return false }
        workload[keyPath: path] = value
        return true
      }
    }

    static func count(
      _ name: String, _ path: any WritableKeyPath<SyntheticWorkload, Int> & Sendable, _ help: String
    ) -> Parameter {
      Parameter(name, "N", "a whole number", path, help) {
        Arguments.wholeNumber($0)
      }
    }

    static func duration(
      _ name: String, _ path: any WritableKeyPath<SyntheticWorkload, Int64> & Sendable,
      _ help: String
    ) -> Parameter {
      let expected = "\(DurationText.form), from 0 to 10^9 seconds"
      return Parameter(name, "DURATION", expected, path, help) { DurationText.nanoseconds($0) }
    }

    static func flag(
      _ name: String, _ path: any WritableKeyPath<SyntheticWorkload, Bool> & Sendable,
      _ help: String
    ) -> Parameter {
      Parameter(name, nil, "", path, help) { _ in true }
    }
  }

  private static let parameters: [Parameter] = [
    Parameter(
      "--seed", "N", "a whole number from 0", \.seed,
      "The seed of the random numbers, from 0 (default 1)"
    ) { Arguments.wholeNumber($0) },
    .count("--events", \.events, "The number of events"),
    .count("--devices", \.devices, "The number of devices that share the events"),
    Parameter(
      "--device-prefix", "TEXT", "a text", \.devicePrefix,
      "What the names of devices begin with, so that made-up fleets do not collide"
    ) { $0 },
    .count("--types", \.types, "The number of sample types"),
    .count("--sources", \.sources, "The number of sources"),
    Parameter(
      "--start", "T", "a time such as 2026-01-01T08:00:00Z", \.start,
      "Time of the first events"
    ) { try? Timestamp(parsing: $0) },
    .duration("--mean-gap", \.meanGap, "Mean time between a device's events"),
    .duration("--resolution", \.resolution, "All times are multiples of this"),
    .duration("--sync-every", \.syncEvery, "Time between syncs of a wearable"),
    .count("--synced", \.syncedPerThousand, "Samples per 1000 that arrive in syncs"),
    .duration("--sync-spacing", \.syncSpacing, "Time between the samples of a sync"),
    .count("--deletes", \.deletesPerThousand, "Deletes per 1000 saves and deletes"),
    .count("--late", \.latePerThousand, "Late events per 1000"),
    .count("--apps", \.apps, "The number of apps that enable background delivery"),
    .count(
      "--subscriptions", \.subscriptionsPerApp, "The number of types that each app subscribes to"),
    .count("--predicates", \.predicatesPerThousand, "Queries with predicates per 1000"),
    .count("--answers", \.answersPerThousand, "Answered wakes per 1000 likely wakes"),
    .duration("--push-every", \.pushGap, "Mean time between pushes"),
    .duration("--visit-every", \.visitGap, "Mean time between visits of an app"),
    .duration("--terminate-every", \.terminationGap, "Mean time between terminations of apps"),
    .duration("--pickup-every", \.pickupGap, "Mean time between unlocks"),
    .duration("--reboot-every", \.rebootGap, "Mean time between reboots"),
    .flag("--values", \.hasValues, "Samples have values"),
    .flag("--measured-times", \.hasMeasuredTimes, "Samples have starts and ends"),
    .flag("--refreshes", \.hasRefreshes, "Apps request background refreshes"),
    .flag("--complications", \.hasComplications, "Apps have complications"),
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
    for parameter in parameters where arguments.has(parameter.name) {
      let text = arguments.value(parameter.name) ?? ""
      guard parameter.set(&workload, text) else {
        throw arguments.usage("\(parameter.name): '\(text)' is not \(parameter.expected)")
      }
    }
    do {
      try workload.validate()
    } catch let error {
      let parameter = parameters.first { $0.property == error.parameter }
      let unit = parameter?.value == "DURATION" ? " (nanoseconds)" : ""
      throw arguments.usage("\(parameter?.name ?? error.parameter): \(error.message)\(unit)")
    }
    let level = try arguments.level(default: 6)
    if let count = try arguments.number("--files", in: 1...1_000_000) {
      guard arguments.value("--output") != "-" else {
        throw arguments.usage("--files writes a folder; name it in place of '-'")
      }
      return try generate(workload, level, arguments, files: count)
    }
    let output = try FileOutput(path: try arguments.outputTrace())
    let written = try workload.write(to: output, level: level)
    try output.commit()
    Console.message(Console.summary(output.name, written))
    return .success
  }

  /// Writes the devices in equal parts, as `PRESET-1.wtrace` and so on: together what one trace would have.
  private static func generate(
    _ workload: SyntheticWorkload, _ level: Int, _ arguments: Arguments, files count: Int
  ) throws -> ExitStatus {
    let devices = min(workload.devices, workload.events)
    guard count <= devices else {
      throw arguments.usage("--files: \(devices) devices are not enough for \(count) traces")
    }
    let folder = try arguments.required("--output")
    let names = PartNames(folder, (arguments.operands.first ?? "trace") + "-", count)
    try names.makeFolder()
    var (events, bytes) = (0, Int64(0))
    try Progress.during("generating", total: Int64(count), unit: "traces") { progress in
      for number in 1...count {
        let output = try FileOutput(path: names.path(number))
        let part = devices * (number - 1) / count..<devices * number / count
        let written = try workload.write(to: output, level: level, devices: part)
        try output.commit()
        events += written.events
        bytes += written.bytes
        progress.update(Int64(number))
      }
    }
    Console.message(
      "\(folder.shown): \(Quantity.counted(events, "event")) of \(Quantity.counted(devices, "device")) in "
        + "\(Quantity.counted(count, "trace")), \(Quantity.bytes(bytes))")
    return .success
  }
}
