import CommandLineSupport

/// A subcommand.
protocol Command {
  static var specification: Specification { get }
  static func run(_ arguments: Arguments) throws -> ExitStatus
}

/// The exit status of the command.
enum ExitStatus: Int32 {
  case success = 0
  /// A result is wrong, or something cannot be read, built or run.
  case failure = 1
  /// Something became worse.
  case regression = 2
  /// The measurements are inconclusive, and `--strict` was given.
  case inconclusive = 3
  /// The usage is wrong.
  case usage = 64
}

extension Specification {
  /// A subcommand of `rouse-bench`.
  static func bench(
    _ name: String, _ summary: String, operands: String = "", count: ClosedRange<Int> = 0...0,
    values: [ArgumentValues] = [], discussion: String = "", options: [Option] = []
  ) -> Specification {
    Specification(
      program: "rouse-bench", name: name, summary: summary, operands: operands,
      operandCount: count, operandValues: values, discussion: discussion, options: options)
  }

  /// What a filter may be.
  static var filters: ArgumentValues {
    .words(Benchmark.Tag.allCases.map(\.rawValue) + Suites.all.map(\.name))
  }

  /// The help on filters.
  static let aboutFilters = """
    FILTER is a name, a prefix of a name that ends before a slash, or a tag (micro, macro, short,
    scaling, long, data). A tag that is left out by default is included if a filter names it.
    """
}

extension Arguments {
  /// A number above 0.
  func positive(_ option: String) throws(UsageError) -> Double? {
    guard let text = value(option) else { return nil }
    guard let number = Double(text), number > 0, number.isFinite else {
      throw usage("\(option): '\(text)' is not a number above 0")
    }
    return number
  }

  /// The seconds to measure: above 0, at most a day.
  func seconds() throws(UsageError) -> Double? {
    guard let number = try positive("--seconds") else { return nil }
    guard number <= 86_400 else { throw usage("--seconds: '\(number)' is more than a day") }
    return number
  }

  /// A fraction between 0 and 1, both excluded.
  func fraction(_ option: String) throws(UsageError) -> Double? {
    guard let number = try positive(option) else { return nil }
    guard number < 1 else { throw usage("\(option): '\(number)' is not below 1") }
    return number
  }
}
