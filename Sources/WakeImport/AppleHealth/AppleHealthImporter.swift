public import WakeEvents

/// Reads the samples of the `export.xml` of Apple's Health app as saves.
///
/// - Every `Record`, `Workout` and `Correlation` is one save at its `creationDate`, or its `endDate` if it has none, with
///   type (`HKWorkoutTypeIdentifier` for a workout), source, start, end and, where it is a finite number, the value.
///   The device has no name.
/// - Records within a correlation are skipped: by the document type each is repeated at top level.
/// - All other elements (summaries, audiograms, clinical records, routes …) are skipped and counted.
/// - Events have the order of the file, which is by type and not by time.
///
/// Memory does not grow with the file, apart from the names in `Symbols`.
public struct AppleHealthImporter {
  /// What was read.
  public struct Summary: Hashable, Sendable {
    /// Saves that were given.
    public var saves = 0
    /// Records skipped because they are in a correlation and again at top level.
    public var correlatedRecords = 0
    /// Saves without a `creationDate`, which the format allows.
    public var assumedCreationDates = 0
    /// Skipped elements by name, without metadata; from the hundredth name on together under `…`.
    public var skipped: [String: Int] = [:]
  }

  /// The name of the file in errors.
  public let file: String
  private let symbols: Symbols
  private let nextChunk: () throws -> [UInt8]

  /// Makes an importer of the chunks that `nextChunk` returns; an empty chunk is the end.
  ///
  /// - Parameters:
  ///   - file: the name of the file in errors; `-` for the standard input.
  ///   - symbols: where the names of types, sources and the device go.
  ///   - nextChunk: Returns the next bytes, none at the end.
  public init(file: String, symbols: Symbols, nextChunk: @escaping () throws -> [UInt8]) {
    self.file = file
    self.symbols = symbols
    self.nextChunk = nextChunk
  }

  /// Reads the export once, from beginning to end.
  ///
  /// - Parameter body: takes each event and the line, from 1, on which its element begins.
  /// - Throws: ``ImportError``, or what `body` or the source of the bytes throws.
  /// - Complexity: O(bytes), with memory for the longest tag.
  public func read(_ body: (_ event: Event, _ line: Int) throws -> Void) throws -> Summary {
    var tokenizer = AppleHealthTokenizer(file: file, nextChunk: nextChunk)
    try checkBeginning(&tokenizer)
    _ = try tokenizer.next()  // the start of the root, or an error
    try checkRoot(tokenizer)

    var reading = Reading(symbols: symbols)
    while true {
      switch try tokenizer.next() {
      case .start: try reading.element(&tokenizer, body)
      case .end: reading.elementEnded(tokenizer.openElements.count)
      case .finished: return reading.summary
      }
    }
  }

  private func checkBeginning(_ tokenizer: inout AppleHealthTokenizer) throws {
    func failure(_ code: ImportError.Code, _ message: String) -> ImportError {
      ImportError(code: code, file: file, byteOffset: 0, message: message)
    }
    let first = try tokenizer.prefix(4)
    if first.isEmpty { throw failure(.empty, "the file is empty") }
    if first.starts(with: [0x50, 0x4B, 3, 4]) || first.starts(with: [0x50, 0x4B, 5, 6]) {
      throw failure(.zip, "a zip archive, not XML: name the file, and it is opened")
    }
    if first.starts(with: [0xFE, 0xFF]) || first.starts(with: [0xFF, 0xFE]) {
      throw failure(.notAnExport, "UTF-16; Apple Health exports are UTF-8")
    }
    if first.starts(with: [0xEF, 0xBB, 0xBF]) { tokenizer.dropFirst(3) }
  }

  private func checkRoot(_ tokenizer: borrowing AppleHealthTokenizer) throws {
    let root = tokenizer.string(tokenizer.name)
    guard !root.utf8.elementsEqual("HealthData".utf8) else { return }
    let hint =
      root == "ClinicalDocument"
      ? "; this is export_cda.xml; use export.xml from the same folder" : ""
    throw tokenizer.error(
      .notAnExport,
      "no Apple Health export: the root element is \(root.debugDescription), not HealthData\(hint)")
  }
}
