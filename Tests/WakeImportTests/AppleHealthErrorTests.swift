import Foundation
import Testing
import WakeEvents
import WakeImport

/// What is said of an attribute that is no text of XML.
let notText = "is no UTF-8, has a control character, or an & that begins no entity of XML"

@Suite("Apple Health: errors")
struct AppleHealthErrorTests {
  @Test(
    "A file that is no export is told in one line",
    arguments: [
      ("", .empty, "export.xml: the file is empty"),
      (
        " \n ", .truncated,
        "export.xml:2: the file ends within the prolog: it is cut short; export or unzip it again"
      ),
      (
        "\n\ngarbage", .notAnExport,
        "export.xml:3: no XML, so no Apple Health export: text before the first tag"
      ),
      (
        "{\"t\": 1}", .notAnExport,
        "export.xml:1: no XML, so no Apple Health export: text before the first tag"
      ),
      (
        "<?xml version=\"1.0\"?>\n<ClinicalDocument xmlns=\"urn:hl7-org:v3\">", .notAnExport,
        "export.xml:2: no Apple Health export: the root element is \"ClinicalDocument\", not "
          + "HealthData; this is export_cda.xml; use export.xml from the same folder"
      ),
      (
        "<!DOCTYPE html><html>", .notAnExport,
        "export.xml:1: no Apple Health export: the root element is \"html\", not HealthData"
      ),
      (
        "<HealthData></HealthData>\n<?xml version=\"1.0\"?>\n<ClinicalDocument/>", .malformed,
        "export.xml:3: a second root element; give one export.xml at a time"
      ),
      (
        "<HealthData></HealthData>\nx", .malformed,
        "export.xml:2: text after the end of the root element; give one export.xml at a time"
      ),
      ("</HealthData>", .malformed, "export.xml:1: </HealthData> ends nothing"),
      (
        "<HealthData>\n<a>\n</Record>", .malformed,
        "export.xml:3: </Record> where </a> should be"
      ),
      (
        "<HealthData>\n< a>", .malformed,
        "export.xml:2: a < that begins no tag; in text it is written &lt;"
      ),
      (
        "<HealthData>\n<Record type=\"a>\n<Record type=\"b\"/>", .malformed,
        "export.xml:2: a < inside a tag or an unclosed quote"
      ),
      (
        "<HealthData>\n<!ELEMENT a ANY>", .malformed,
        "export.xml:2: a <! that begins no comment, CDATA or document type"
      ),
      (
        "<HealthData>\n<!--\n", .truncated,
        "export.xml:3: the file ends within a comment: it is cut short; export or unzip it again"
      ),
      (
        "<HealthData>\n<Record", .truncated,
        "export.xml:2: the file ends within a tag: it is cut short; export or unzip it again"
      ),
      (
        "<HealthData>\n<a>\n\n", .truncated,
        "export.xml:4: the file ends within <a>: it is cut short; export or unzip it again"
      ),
    ] as [(String, ImportError.Code, String)])
  func files(text: String, code: ImportError.Code, description: String) throws {
    let error = try importHealth(Array(text.utf8)).error
    #expect(error?.description == description, "\(text)")
    #expect(error?.code == code, "\(text)")
  }

  @Test("Binary files", arguments: [[0x1F, 0x8B, 8, 0], [0, 0, 0], [0xFF, 0xD8, 0xFF], [0xEF]])
  func binary(bytes: [UInt8]) throws {
    let error = try importHealth(bytes).error
    #expect(error?.code == .notAnExport || error?.code == .truncated, "\(bytes): \(error as Any)")
  }

  @Test("UTF-16 is named", arguments: [[0xFE, 0xFF, 0, 0x3C], [0xFF, 0xFE, 0x3C, 0]])
  func utf16(bytes: [UInt8]) throws {
    #expect(
      try importHealth(bytes).error?.description
        == "export.xml: UTF-16; Apple Health exports are UTF-8")
  }

  @Test(
    "A zip is left to who reads the file", arguments: [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6]])
  func zip(bytes: [UInt8]) throws {
    let error = try importHealth(bytes + [1, 2, 3], file: "e").error
    #expect(error?.description == "e: a zip archive, not XML: name the file, and it is opened")
    #expect(error?.code == .zip)
  }

  @Test(
    "A bad record is told with its line, field and place",
    arguments: [
      (
        ["creationDate": "2021-13-02 10:36:11 +0200"], .invalidField,
        "Record: creationDate \"2021-13-02 10:36:11 +0200\" is not a date like 2021-05-02 10:36:11 "
          + "+0200, 1843 to 2096"
      ),
      (
        ["startDate": ""], .invalidField,
        "Record: startDate \"\" is not a date like 2021-05-02 10:36:11 +0200, 1843 to 2096"
      ),
      (
        ["endDate": String(repeating: "\n", count: 99)], .invalidField,
        "Record: endDate \"\(String(repeating: "\\n", count: 60))\"… is not a date like 2021-05-02 "
          + "10:36:11 +0200, 1843 to 2096"
      ),
      (
        ["type": "a & b"], .invalidField,
        "Record: type \"a & b\" " + notText
      ),
      (
        ["sourceName": "&#xD800;"], .invalidField,
        "Record: sourceName \"&#xD800;\" " + notText
      ),
      (
        ["sourceName": "a&#0;b"], .invalidField,
        "Record: sourceName \"a&#0;b\" " + notText
      ),
      (
        ["sourceName": "&#xFFFF;"], .invalidField,
        "Record: sourceName \"&#xFFFF;\" " + notText
      ),
      (
        ["sourceName": "a\u{1}b"], .invalidField,
        "Record: sourceName \"a\\u{01}b\" " + notText
      ),
      (
        ["type": "\u{0}"], .invalidField,
        "Record: type \"\\0\" " + notText
      ),
      (
        ["sourceName": "\u{FFFE}"], .invalidField,
        "Record: sourceName \"\u{FFFE}\" " + notText
      ),
      (
        ["sourceName": "&#+1;"], .invalidField,
        "Record: sourceName \"&#+1;\" " + notText
      ),
      (
        ["sourceName": String(repeating: "x", count: 4097)], .invalidField,
        "Record: sourceName is longer than 4096 bytes"
      ),
    ] as [([String: String], ImportError.Code, String)])
  func fields(changes: [String: String], code: ImportError.Code, message: String) throws {
    let text = "\(record())\n<a/> \(record(changes))"
    let error = try importHealth(elements: text).error
    #expect(error?.description == "export.xml:3: \(message)")
    #expect(error?.code == code)
    let bytes = Array("<HealthData locale=\"en\">\n\(text)".utf8)
    let name = try #require(changes.keys.first)
    let begin = error.map { String(decoding: bytes[..<($0.byteOffset ?? 0)], as: UTF8.self) }
    #expect(begin?.hasSuffix(" \(name)=\"") == true, "byte \(error?.byteOffset ?? -1)")
  }

  @Test(
    "A missing field is told",
    arguments: ["Record", "Workout", "Correlation"],
    ["type", "sourceName", "startDate", "endDate"])
  func missing(element: String, field: String) throws {
    if element == "Workout", field == "type" { return }
    let outcome = try importHealth(
      elements: record() + "\n" + record(without: field, element: element))
    #expect(outcome.error?.description == "export.xml:3: \(element): \(field) is missing")
    #expect(outcome.error?.code == .missingField)
    #expect(outcome.saves.count == 1)
  }

  @Test(
    "Broken attributes",
    arguments: [
      ("<Record type>", "Record: \"type\" without ="),
      ("<Record type =>", "Record: \"type\" without a quoted value"),
      ("<Record type=a>", "Record: \"type\" without a quoted value"),
      ("<Record =\"a\">", "Record: \"\" without ="),
      ("<Record type='a' type='a'>", "Record: type is given twice"),
      ("<Record \u{1}type='a'>", "Record: \"\" without ="),
      ("<Record type=\u{B}'a'>", "Record: \"type\" without a quoted value"),
      ("<Record Health Mate App=\"2.6.0\">", "Record: \"Health\" without ="),
    ])
  func attributes(tag: String, message: String) throws {
    let error = try importHealth(elements: tag).error
    #expect(error?.description == "export.xml:2: \(message)")
    #expect(error?.code == .malformed)
  }

  @Test("A name that is not UTF-8")
  func notUnicode() throws {
    let parts = record(["sourceName": "@"]).split(separator: "@").map { Array($0.utf8) }
    let bytes = Array("<HealthData>".utf8) + parts[0] + [0x61, 0xFF] + parts[1]
    #expect(
      try importHealth(bytes).error?.description
        == "export.xml:1: Record: sourceName \"a\u{FFFD}\" " + notText)
  }

  @Test("What is too long or too deep is refused")
  func bounds() throws {
    func message(_ text: String) throws -> String? {
      try importHealth(elements: text, chunk: 65_536).error?.message
    }
    let long = String(repeating: "x", count: 1 << 20)
    #expect(try message("<a b='\(long)'/>") == "a tag longer than 1048576 bytes")
    #expect(
      try message("<\(long.prefix(129))/>") == "an element's name longer than 128 bytes")
    #expect(
      try message(String(repeating: "<a>", count: 64)) == "elements nested more than 64 deep")
    #expect(try message("<a b='\(long.prefix(1_000_000))'/>") == nil)
  }
}
