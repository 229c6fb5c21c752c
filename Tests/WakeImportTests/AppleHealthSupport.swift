import Foundation
import WakeEvents
import WakeImport
import WakeTestSupport

/// What came of importing an export: the saves as lines of text, and the summary or the error.
struct HealthOutcome: Equatable {
  /// Each save as `line time type source start end value`; names as Swift writes literals.
  var saves: [String] = []
  var summary: AppleHealthImporter.Summary?
  var error: ImportError?
}

/// Imports `bytes` in chunks of `chunk` bytes.
func importHealth(
  _ bytes: [UInt8], file: String = "export.xml", chunk: Int = .max
) throws -> HealthOutcome {
  let symbols = Symbols()
  var rest = bytes[...]
  var outcome = HealthOutcome()
  let importer = AppleHealthImporter(file: file, symbols: symbols) {
    let next = rest.prefix(chunk)
    rest = rest.dropFirst(next.count)
    return Array(next)
  }
  do {
    outcome.summary = try importer.read { event, line in
      guard case .save(let sample) = event.input else {
        outcome.saves.append("not a save")
        return
      }
      let value = sample.value.map { String($0.bitPattern, radix: 16) } ?? "-"
      let device = symbols.devices.name(of: event.device)
      outcome.saves.append(
        "\(line) \(event.time) \(symbols.types.name(of: sample.type).debugDescription) "
          + "\(symbols.sources.name(of: sample.source).debugDescription) "
          + "\(sample.start?.description ?? "-") \(sample.end?.description ?? "-") \(value)"
          + (device.isEmpty ? "" : " on \(device)"))
    }
  } catch let error as ImportError {
    outcome.error = error
  }
  return outcome
}

/// Imports the elements `body` of an export whose line 1 is the root's start tag.
func importHealth(elements body: String, chunk: Int = .max) throws -> HealthOutcome {
  try importHealth(Array("<HealthData locale=\"en\">\n\(body)\n</HealthData>\n".utf8), chunk: chunk)
}

/// A record with these attributes in place of the usual ones, and `without` one of them.
func record(
  _ changes: [String: String] = [:], without: String? = nil, element: String = "Record"
) -> String {
  let usual = [
    ("type", "T"), ("sourceName", "S"), ("creationDate", "1970-01-01 00:00:03 +0000"),
    ("startDate", "1970-01-01 00:00:01 +0000"), ("endDate", "1970-01-01 00:00:02 +0000"),
    ("value", "1"),
  ]
  let attributes = usual.filter { $0.0 != without }
    .map { name, value in " \(name)=\"\(changes[name] ?? value)\"" }
  return "<\(element)\(attributes.joined())/>"
}

/// A small export with something of everything, and the order of things of a real one.
let everythingExport = Array(
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <!DOCTYPE HealthData [
  <!-- HealthKit Export Version: 12 -->
  <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
  <!ATTLIST HealthData
    locale CDATA #REQUIRED
  >
  ]>
  <HealthData locale="en_US">
   <ExportDate value="2021-05-02 10:36:11 +0200"/>
   <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>
   <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Anna&#8217;s &amp; &lt;Watch&gt;" \
  device="&lt;&lt;HKDevice: 0x1&gt;, name:Watch&gt;" unit="count/min" \
  creationDate="2021-05-02 10:36:11 +0200" startDate="2021-05-02 10:30:00 +0200" \
  endDate="2021-05-02 10:31:00 +0200" value="61.5">
    <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="0"/>
    <HeartRateVariabilityMetadataList>
     <InstantaneousBeatsPerMinute bpm="61" time="00:20:37,80"/>
    </HeartRateVariabilityMetadataList>
   </Record>
   <Record type='HKCategoryTypeIdentifierSleepAnalysis' sourceName='Phone'
     creationDate='2021-05-02 08:00:00 -0330'
     startDate='2021-05-01 23:00:00 -0330' endDate='2021-05-02 07:00:00 -0330'
     value='HKCategoryValueSleepAnalysisInBed'/>
   <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" \
  creationDate="2021-05-02 09:00:00 +0000" startDate="2021-05-02 09:00:00 +0000" \
  endDate="2021-05-02 09:00:00 +0000" value="120"/>
   <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" \
  creationDate="2021-05-02 09:00:00 +0000" startDate="2021-05-02 09:00:00 +0000" \
  endDate="2021-05-02 09:00:00 +0000">
    <MetadataEntry key="k" value="v"/>
    <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" \
  creationDate="2021-05-02 09:00:00 +0000" startDate="2021-05-02 09:00:00 +0000" \
  endDate="2021-05-02 09:00:00 +0000" value="120"/>
   </Correlation>
   <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" sourceName="Watch" \
  creationDate="2021-05-03 09:00:00 +0000" startDate="2021-05-03 08:00:00 +0000" \
  endDate="2021-05-03 08:30:00 +0000">
    <WorkoutEvent type="HKWorkoutEventTypePause" date="2021-05-03 08:10:00 +0000"/>
    <!-- a <comment> with "quotes -->
    <![CDATA[ <Record> ]]>
    <?note?>
   </Workout>
   <ActivitySummary dateComponents="2021-05-02" activeEnergyBurned="590.252"/>
  </HealthData>

  """.utf8)
