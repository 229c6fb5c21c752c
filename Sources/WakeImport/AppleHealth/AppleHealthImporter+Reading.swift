import WakeEvents

extension AppleHealthImporter {
  /// Turns the elements below the root into events, and counts them.
  struct Reading: ~Copyable {
    private let symbols: Symbols
    private let device: Device
    private var types = NameCache<NameOf.SampleType>()
    private var sources = NameCache<NameOf.Source>()
    private(set) var summary = Summary()
    /// The depth of the correlation being read; nil outside of one.
    private var correlationDepth: Int?

    /// A bound on the memory of ``Summary/skipped``.
    private static let skippedNames = 100

    init(symbols: Symbols) {
      self.symbols = symbols
      device = symbols.devices.intern("")
    }

    /// Takes the tokenizer's last start tag.
    mutating func element(
      _ tokenizer: inout AppleHealthTokenizer, _ body: (Event, Int) throws -> Void
    ) throws {
      let name = tokenizer.string(tokenizer.name)
      switch name {
      case "MetadataEntry", "HeartRateVariabilityMetadataList", "InstantaneousBeatsPerMinute":
        break
      case "Record" where correlationDepth != nil:
        summary.correlatedRecords += 1
      case "Record", "Workout", "Correlation":
        try body(try event(name, tokenizer), tokenizer.tagLine)
        summary.saves += 1
        if name == "Correlation", !tokenizer.isEmptyElement, correlationDepth == nil {
          correlationDepth = tokenizer.openElements.count - 1
        }
      default:
        let isNew = summary.skipped[name] == nil
        let counted = isNew && summary.skipped.count >= Self.skippedNames ? "…" : name
        summary.skipped[counted, default: 0] += 1
      }
    }

    /// Takes an end tag after which `depth` elements are open.
    mutating func elementEnded(_ depth: Int) {
      if depth == correlationDepth { correlationDepth = nil }
    }

    private mutating func event(
      _ element: String, _ tokenizer: borrowing AppleHealthTokenizer
    ) throws -> Event {
      let fields = try Fields(of: element, tokenizer)
      let type: SampleType
      if element == "Workout" {
        type = symbols.types.intern("HKWorkoutTypeIdentifier")
      } else {
        let name = tokenizer.buffer.span.extracting(try fields.range(.type, tokenizer))
        type = try types.symbol(of: name) {
          symbols.types.intern(try fields.name(.type, tokenizer))
        }
      }
      let name = tokenizer.buffer.span.extracting(try fields.range(.sourceName, tokenizer))
      let source = try sources.symbol(of: name) {
        symbols.sources.intern(try fields.name(.sourceName, tokenizer))
      }
      let start = try fields.date(.startDate, tokenizer)
      let end = try fields.date(.endDate, tokenizer)
      let isCreationKnown = fields.has(.creationDate)
      if !isCreationKnown { summary.assumedCreationDates += 1 }
      let time = isCreationKnown ? try fields.date(.creationDate, tokenizer) : end
      let sample = Sample(
        type: type, source: source, start: start, end: end,
        value: element == "Record" ? fields.number(tokenizer) : nil)
      return Event(time: time, device: device, input: .save(sample))
    }
  }
}
