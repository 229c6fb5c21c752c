import Testing
import WakeImport

@Suite("Apple Health: broken document types")
struct AppleHealthDocumentTypeTests {
  /// Document types, up to the root's start tag; those after the first have been broken, most of
  /// them in the ways that releases of iOS did.
  static let documentTypes = [
    "<!DOCTYPE HealthData [\n<!ELEMENT Foo (Bar*)>\n<!ATTLIST Foo\n a CDATA #REQUIRED\n>\n]>\n",
    "<!DOCTYPE HealthData []>",
    "<!DOCTYPE HealthData>",
    "<!DOCTYPE HealthData SYSTEM 'health.dtd'>",
    // iOS 16: an ATTLIST without its end, declarations within it, and one end too many.
    "<!DOCTYPE HealthData [\n<!ATTLIST VisionPrescription\n brand CDATA #IMPLIED\n"
      + "<!ELEMENT RightEye EMPTY>\n<!ATTLIST RightEye\n sphere CDATA #IMPLIED\n>\n>\n]>\n",
    "<!DOCTYPE HealthData [\n<!ELEMENT Foo (Bar*)\n<!ATTLIST Foo a CDATA #REQUIRED>>\n]>\n",
    "<!DOCTYPE HealthData [\n<!ELEMENT WorkoutEvent EMPTY>\n<!ATTLIST\n  device CDATA #IMPLIED\n"
      + "startDate CDATA #REQUIRED\n]>\n",
    "<!DOCTYPE HealthData [\n<!ELEMENT Foo ANY>\n]>>\n",
    "<!DOCTYPE HealthData [\n<!ELEMENT Foo ANY>\n]\n",
    "<!DOCTYPE HealthData [\n<!ELEMENT Foo ANY>\n",
    "<!DOCTYPE HealthData [\n<!ELEMENT Foo ANY>\n>",
    "<!DOCTYPE HealthData [\n<!ELEMENT Foo ANY>\n]]>\n<!ELEMENT Late ANY>\n",
    "<!DOCTYPE HealthData [\n<!ATTLIST Foo a CDATA \"]>\" b CDATA '>'>\n]>\n",
    "<!DOCTYPE HealthData [\n<!ATTLIST Foo a CDATA \"unclosed>\n]>\n",
    "<!DOCTYPE HealthData [\n<!ATTLIST Foo a CDATA 'it\"s>\n]>\n",
    "<!DOCTYPE HealthData [\n<!ELEMENT \u{0B}Foo\u{01} ANY>\0\n]>\n",
    "<!DOCTYPE HealthData [\n<!-- a <HealthData > in a comment, \" and ' and ]> -->\n]>\n",
    "<!DOCTYPE HealthData [\n<?note ]> <HealthData >?>\n]>\n",
    "<!DOCTYPE HealthData [\n<>< <!> <1 </HealthData>\n]>\n",
    "<!DOCTYPE HealthData [\n<!ENTITY a \"&b;&b;\"><!ENTITY b \"&a;&a;\">\n]>\n",
    "<!DOCTYPE",
  ]

  @Test("The records after it are read, with their lines", arguments: documentTypes, [1, .max])
  func survives(documentType: String, chunk: Int) throws {
    for root in ["<HealthData locale=\"en\">", "<HealthData>", "<HealthData\n>"] {
      let before = "<?xml version=\"1.0\"?>\n" + documentType + root
      let outcome = try importHealth(
        Array("\(before)\n\(record())\n</HealthData>\n".utf8), chunk: chunk)
      let line = before.utf8.count { $0 == UInt8(ascii: "\n") } + 2
      #expect(
        outcome.saves == ["\(line) 3000000000 \"T\" \"S\" 1000000000 2000000000 3ff0000000000000"],
        "\(before): \(outcome)")
    }
  }

  @Test("Its entities are never expanded")
  func entities() throws {
    let text =
      "<!DOCTYPE HealthData [<!ENTITY a \"bomb\">]><HealthData>"
      + record(["sourceName": "&a;"]) + "</HealthData>"
    #expect(
      try importHealth(Array(text.utf8)).error?.description
        == "export.xml:1: Record: sourceName \"&a;\" " + notText)
  }
}
