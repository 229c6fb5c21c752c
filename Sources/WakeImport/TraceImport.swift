import WakeEvents
public import WakeTrace

/// Turns a file of another format into a trace.
public struct TraceImport {
  /// The formats.
  public enum Form: String, CaseIterable, Sendable {
    /// JSON Lines (page Rules, section 2).
    case jsonLines = "jsonl"
    /// The `export.xml` of Apple's Health app.
    case appleHealth = "apple-health"
  }

  /// The result of an import.
  public struct Report: Sendable {
    /// Counts of the written trace.
    public var statistics = TraceWriter.Statistics()
    /// Anomalies of the input and what was skipped, a line each.
    public var notices: [String] = []
    /// What a replay needs that the input does not have; nil if it has completions.
    public var advice: String?
  }

  /// The format of the input.
  public var form: Form
  /// Whether events are sorted by time; Apple Health's always are.
  public var isSorted = false
  /// zlib's level, 0 to 9.
  public var level = 6
  /// The folder of temporary files; nil is the system's.
  public var temporaryFolder: String?

  /// Makes an import of a format.
  public init(_ form: Form) {
    self.form = form
  }

  /// Reads `input` and writes the trace, which the caller commits.
  ///
  /// - Parameters:
  ///   - input: The file to read.
  ///   - output: The trace to write.
  ///   - progress: Called now and then with the bytes read.
  /// - Throws: ``ImportError`` or `TraceError`.
  /// - Complexity: O(bytes), and O(events × log events) where they are sorted; memory does not grow with
  ///   either, but for the names.
  public func run(
    _ input: InputFile, to output: FileOutput, progress: ((_ bytes: Int64) -> Void)? = nil
  ) throws -> Report {
    let symbols = Symbols()
    let sorts = isSorted || form == .appleHealth
    let assembler = try TraceAssembler(
      to: output, symbols: symbols, sorted: sorts, level: level,
      temporaryFolder: temporaryFolder)
    var report: Report
    do {
      report =
        switch form {
        case .jsonLines: try readLines(of: input, to: assembler, symbols, progress)
        case .appleHealth: try readHealth(of: input, to: assembler, symbols, progress)
        }
    } catch let error as ImportError {
      throw input.damage { progress?(input.position) } ?? input.explained(error)
    }
    report.statistics = try assembler.finish()
    return report
  }

  private func readLines(
    of input: InputFile, to assembler: TraceAssembler, _ symbols: Symbols,
    _ progress: ((_ bytes: Int64) -> Void)?
  ) throws -> Report {
    var watch = TimeWatch(symbols: symbols)
    var (hasInputs, hasSubscriptions, hasCompletions) = (false, false, false)
    var reader = JSONLinesReader(file: input.name, symbols: symbols)
    try reader.read(from: { span in
      progress?(input.position)
      return try input.read(into: &span)
    }) { event, line in
      if event.input.kind != .observed {
        hasInputs = true
        if !isSorted { watch.note(event, line: line) }
      }
      switch event.input {
      // A query alone is no subscription: it filters what one brings (page Rules, 5.1).
      case .enable: hasSubscriptions = true
      case .complete: hasCompletions = true
      default: break
      }
      try assembler.append(event)
    }
    var report = Report()
    report.notices = watch.notices(file: input.name)
    if !hasInputs {
      report.advice = Self.adviceOfObservations
    } else if !hasCompletions {
      report.advice = Self.advice(hasSubscriptions)
    }
    return report
  }

  private func readHealth(
    of input: InputFile, to assembler: TraceAssembler, _ symbols: Symbols,
    _ progress: ((_ bytes: Int64) -> Void)?
  ) throws -> Report {
    let importer = AppleHealthImporter(
      file: input.name == "standard input" ? "-" : input.name, symbols: symbols
    ) {
      progress?(input.position)
      return try input.readChunk(1 << 18)
    }
    let summary = try importer.read { event, _ in try assembler.append(event) }
    var report = Report()
    report.notices = Self.notices(summary)
    report.advice = Self.advice(false)
    return report
  }

  private static func notices(_ summary: AppleHealthImporter.Summary) -> [String] {
    var notices: [String] = []
    if summary.assumedCreationDates > 0 {
      notices.append(
        """
        \(summary.assumedCreationDates) samples have no creationDate; they count as saved at \
        their endDate
        """)
    }
    if summary.correlatedRecords > 0 {
      notices.append(
        """
        \(summary.correlatedRecords) records within correlations were passed over, as each stands \
        again on its own
        """)
    }
    if !summary.skipped.isEmpty {
      let names = summary.skipped.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
      notices.append("skipped, as they are no samples: " + names.joined(separator: ", "))
    }
    return notices
  }

  private static let adviceOfObservations = """
    the lines hold only observations, which a replay ignores: it needs the inputs of their devices, \
    too
    """

  /// Says what a replay of inputs without completions needs.
  private static func advice(_ hasSubscriptions: Bool) -> String {
    hasSubscriptions
      ? """
      the inputs have no completions: by a policy with "behaviour.completesAfter" wakes are \
      answered, or else they expire
      """
      : """
      the inputs have neither subscriptions nor completions: a replay needs a policy with \
      "subscriptions" and "behaviour.completesAfter", which 'rouse policy new' writes
      """
  }
}
