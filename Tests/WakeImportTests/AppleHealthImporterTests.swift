import Testing
import WakeEvents
import WakeImport

@Suite("Apple Health: what becomes a save")
struct AppleHealthImporterTests {
  @Test("An export with something of everything")
  func everything() throws {
    let outcome = try importHealth(everythingExport)
    #expect(
      outcome.saves == [
        #"12 1619944571000000000 "HKQuantityTypeIdentifierHeartRate" "Anna’s & <Watch>" "#
          + "1619944200000000000 1619944260000000000 404ec00000000000",
        #"18 1619955000000000000 "HKCategoryTypeIdentifierSleepAnalysis" "Phone" "#
          + "1619922600000000000 1619951400000000000 -",
        #"22 1619946000000000000 "HKQuantityTypeIdentifierBloodPressureSystolic" "Cuff" "#
          + "1619946000000000000 1619946000000000000 405e000000000000",
        #"23 1619946000000000000 "HKCorrelationTypeIdentifierBloodPressure" "Cuff" "#
          + "1619946000000000000 1619946000000000000 -",
        #"27 1620032400000000000 "HKWorkoutTypeIdentifier" "Watch" "#
          + "1620028800000000000 1620030600000000000 -",
      ])
    #expect(outcome.summary?.saves == 5)
    #expect(outcome.summary?.correlatedRecords == 1)
    #expect(
      outcome.summary?.skipped == [
        "ExportDate": 1, "Me": 1, "WorkoutEvent": 1, "ActivitySummary": 1,
      ])
  }

  @Test("An empty export has no saves")
  func noSaves() throws {
    let outcome = try importHealth(Array("<HealthData/>".utf8))
    #expect(outcome.saves.isEmpty && outcome.error == nil)
    #expect(outcome.summary?.saves == 0 && outcome.summary?.skipped.isEmpty == true)
  }

  @Test(
    "A value is a finite decimal number or none",
    arguments: [
      ("72", "4052000000000000"), ("-0.5", "bfe0000000000000"), ("+1e3", "408f400000000000"),
      ("1E-2", "3f847ae147ae147b"), ("", "-"), ("HKCategoryValueSleepAnalysisInBed", "-"),
      ("inf", "-"), ("nan", "-"), ("1e999", "-"), ("0x10", "-"), (" 1", "-"), ("1,5", "-"),
      ("e", "-"), ("--1", "-"), ("&#49;", "-"),
    ])
  func values(text: String, expected: String) throws {
    let outcome = try importHealth(elements: record(["value": text]))
    #expect(outcome.saves.first?.hasSuffix(" \(expected)") == true, "\(text): \(outcome)")
  }

  @Test("A record without a value, and values of other elements")
  func noValues() throws {
    let outcome = try importHealth(
      elements: record(without: "value") + record(element: "Correlation")
        + record(without: "type", element: "Workout"))
    #expect(
      outcome.saves == [
        #"2 3000000000 "T" "S" 1000000000 2000000000 -"#,
        #"2 3000000000 "T" "S" 1000000000 2000000000 -"#,
        #"2 3000000000 "HKWorkoutTypeIdentifier" "S" 1000000000 2000000000 -"#,
      ])
  }

  @Test(
    "Names are decoded as XML has it, and kept to the byte",
    arguments: [
      ("&lt;&gt;&amp;&quot;&apos;", "<>&\"'"), ("&#x1F600;&#8217;", "😀’"),
      ("a\tb\nc\r\nd", "a b c d"),
      ("&#10;&#9;", "\n\t"), ("&amp;lt;", "&lt;"),
      ("é", "é"), ("e\u{301}", "e\u{301}"), ("", ""), ("it's > that", "it's > that"),
    ])
  func names(text: String, expected: String) throws {
    let outcome = try importHealth(elements: record(["sourceName": text]))
    #expect(outcome.saves.first?.contains(" \(expected.debugDescription) ") == true, "\(outcome)")
  }

  @Test("Records that differ only in the form of a name share its symbol, others do not")
  func symbols() throws {
    let body =
      ["A&amp;B", "A&#38;B", "é", "e\u{301}"].map { record(["sourceName": $0]) }.joined()
    let symbols = Symbols()
    var chunks = [Array("<HealthData>\(body)</HealthData>".utf8), []]
    var sources: [UInt32] = []
    _ = try AppleHealthImporter(file: "e", symbols: symbols) { chunks.removeFirst() }
      .read { event, _ in
        if case .save(let sample) = event.input { sources.append(sample.source.index) }
      }
    #expect(sources == [0, 0, 1, 2])
  }

  @Test("Records of a correlation are passed over, records after it are not")
  func correlations() throws {
    let correlation = record(element: "Correlation").dropLast(2)
    let outcome = try importHealth(
      elements: "\(correlation)>\(record())<a>\(record())</a></Correlation>\(record())"
        + "\(correlation)/>\(record())")
    #expect(outcome.saves.count == 4, "\(outcome)")
    #expect(outcome.summary?.correlatedRecords == 2)
  }

  @Test("A missing creation date may count as the end")
  func missingCreationDate() throws {
    let bytes = Array("<HealthData>\(record(without: "creationDate"))\(record())</HealthData>".utf8)
    let outcome = try importHealth(bytes)
    #expect(outcome.saves.map { $0.split(separator: " ")[1] } == ["2000000000", "3000000000"])
    #expect(outcome.summary?.assumedCreationDates == 1)
  }

  @Test("The names of skipped elements do not grow without end")
  func skippedNames() throws {
    let body = (0..<300).map { "<x\($0)/>" }.joined()
    let skipped = try importHealth(elements: body).summary?.skipped
    #expect(skipped?.count == 101)
    #expect(skipped?["…"] == 200)
  }

  @Test("What the caller throws comes through")
  func callersErrors() {
    struct Stop: Error {}
    let importer = AppleHealthImporter(file: "e", symbols: Symbols()) { everythingExport }
    #expect(throws: Stop.self) { _ = try importer.read { _, _ in throw Stop() } }
    let unreadable = AppleHealthImporter(file: "e", symbols: Symbols()) { throw Stop() }
    #expect(throws: Stop.self) { _ = try unreadable.read { _, _ in } }
  }

  @Test("A byte order mark, comments and white space around the root are fine")
  func around() throws {
    let text = "\u{FEFF}<?xml version='1.0'?> <!-- > < --> <HealthData></HealthData >\n\0<!-- -->\n"
    #expect(try importHealth(Array(text.utf8)).error == nil)
  }
}
