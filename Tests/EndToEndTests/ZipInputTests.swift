import Foundation
import Testing
import WakeTestSupport

@Suite(
  "Zip archives are opened as a phone gives them",
  .enabled(if: OtherPrograms.has("python3"), "needs python3, which makes them"))
struct ZipInputTests {
  private static let again = "; copy, download or export it again"

  /// Makes the archives of these tests.
  private static let script = #"""
    import struct, zipfile
    export, lines = open('export.xml').read(), open('lines.jsonl').read()
    cda = '<?xml version="1.0"?>\n<ClinicalDocument xmlns="urn:hl7-org:v3"></ClinicalDocument>'
    def make(name, files, method=zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(name, 'w', method) as archive:
            for file in files:
                archive.writestr(*file)
    folder = 'apple_health_export/'
    beside = [(folder, ''), (folder + 'workout-routes/route.gpx', '<gpx/>'), ('__MACOSX/._x', '<HealthData')]
    make('phone.zip', [(folder + '导出_cda.xml', cda), *beside, (folder + '导出.xml', export)])
    make('stored.bin', [('export.xml', export)], zipfile.ZIP_STORED)
    make('lines.zip', [('a/lines.jsonl', lines), ('a/read.me', 'lines')])
    make('trace.zip', [('read.me', 'a trace'), ('a.wtrace', open('lines.wtrace', 'rb').read())])
    make('cda.zip', [('export_cda.xml', cda), ('route.gpx', '<gpx/>')])
    make('two.zip', [('a.jsonl', lines), ('b.jsonl', lines)])
    make('bzip2.zip', [('export.xml', export)], zipfile.ZIP_BZIP2)
    make('empty.zip', [])
    whole = open('phone.zip', 'rb').read()
    open('cut.zip', 'wb').write(whole[:-30])
    with zipfile.ZipFile('large.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
        with archive.open('export.xml', 'w', force_zip64=True) as file:
            file.write(export.encode())
    # The same with every number of the directory in its Zip64 field.
    data = open('stored.bin', 'rb').read()
    body = data[:data.index(b'PK\1\2')]
    size = len(export.encode())
    entry = bytearray(data[len(body):data.index(b'PK\5\6')])
    entry[20:28], entry[42:46], entry[30:32] = b'\xff' * 8, b'\xff' * 4, struct.pack('<H', 28)
    entry += struct.pack('<HHQQQ', 1, 24, size, size, 0)
    record = struct.pack('<4sQHHIIQQQQ', b'PK\6\6', 44, 45, 45, 0, 0, 1, 1, len(entry), len(body))
    locator = struct.pack('<4sIQI', b'PK\6\7', 0, len(body) + len(entry), 1)
    end = struct.pack('<4sHHHHIIH', b'PK\5\6', 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 3) + b'...'
    open('zip64.zip', 'wb').write(body + entry + record + locator + end)
    sealed = bytearray(data)
    sealed[6] |= 1
    sealed[len(body) + 8] |= 1
    open('sealed.zip', 'wb').write(sealed)
    damaged = bytearray(data)
    damaged[damaged.index(b'sourceName="') + 12] ^= 1
    open('damaged.zip', 'wb').write(damaged)
    """#

  private func makeArchives() throws -> Workshop {
    let shop = try Workshop()
    try shop.write(AppleHealthExport.text, to: "export.xml")
    try shop.importing(Workshop.saves(100), as: "lines")
    try shop.write(Self.script, to: "make.py")
    let made = try shop.shell("python3 make.py")
    try #require(made.status == .exited(0), "\(made.errors)")
    return shop
  }

  @Test("with the file in them that is meant")
  func archives() throws {
    let shop = try makeArchives()
    _ = try shop.rouse("import", "apple-health", "export.xml", "-o", "export.wtrace")
    let expected = try shop.read("export.wtrace")
    for archive in ["phone.zip", "stored.bin", "large.zip", "zip64.zip"] {
      let result = try shop.rouse("import", "apple-health", archive, "-o", "\(archive).wtrace")
      #expect(result.status == .exited(0), "\(archive): \(result.errors)")
      #expect(try shop.read("\(archive).wtrace") == expected, "\(archive)")
    }
    let lines = try shop.rouse("import", "jsonl", "lines.zip", "-o", "again.wtrace")
    #expect(lines.status == .exited(0), "\(lines.errors)")
    #expect(try shop.read("again.wtrace") == shop.read("lines.wtrace"))
    #expect(try shop.rouse("export", "trace.zip").outputBytes == shop.read("lines.jsonl"))
  }

  @Test("or told how to make a trace of them, as of their files")
  func hints() throws {
    let shop = try makeArchives()
    let tries = "gzip -k export.xml && gzip -k lines.jsonl"
    #expect(try shop.shell(tries).status == .exited(0))
    for (file, message, form) in [
      (
        "phone.zip",
        "is a zip archive of which no file is a trace: apple_health_export/导出_cda.xml, "
          + "apple_health_export/workout-routes/route.gpx, apple_health_export/导出.xml",
        "apple-health"
      ),
      ("stored.bin", "is compressed, and its content is no trace", "apple-health"),
      (
        "lines.zip", "is a zip archive of which no file is a trace: a/lines.jsonl, a/read.me",
        "jsonl"
      ),
      ("export.xml", "byte 0: no trace block begins here", "apple-health"),
      ("lines.jsonl", "byte 0: no trace block begins here", "jsonl"),
      ("export.xml.gz", "is compressed, and its content is no trace", "apple-health"),
      ("lines.jsonl.gz", "is compressed, and its content is no trace", "jsonl"),
    ] {
      for command in [["replay"], ["report", "-o", "page.html"], ["info"]] {
        let result = try RouseCommand.run(command + [file], folder: shop.path)
        let hint = "`rouse import \(form)` makes a trace of it"
        #expect(result.errors == "rouse: \(file): \(message); \(hint)\n", "\(command)")
        #expect(result.status == .exited(1), "\(command)")
      }
    }
    let other = try shop.rouse("replay", "cda.zip")
    #expect(other.errors.hasSuffix("no file is a trace: export_cda.xml, route.gpx\n"))
  }

  @Test("or told what is wrong with them")
  func errors() throws {
    let shop = try makeArchives()
    for (form, archive, message) in [
      ("apple-health", "empty.zip", "is a zip archive without files"),
      (
        "apple-health", "cda.zip",
        "is a zip archive of which no file is an Apple Health export: export_cda.xml, route.gpx"
      ),
      (
        "apple-health", "bzip2.zip",
        "is a zip archive in which export.xml is compressed by method 12, not deflate: unzip it"
      ),
      (
        "apple-health", "sealed.zip",
        "is a zip archive in which export.xml is encrypted: unzip it with its password"
      ),
      (
        "apple-health", "cut.zip",
        "is a zip archive that is cut short: it has no directory at its end" + Self.again
      ),
      (
        "apple-health", "damaged.zip",
        "is a zip archive in which export.xml is damaged: its length or checksum is another"
          + Self.again
      ),
      (
        "jsonl", "two.zip",
        "is a zip archive with more than one file that is JSON: a.jsonl, b.jsonl, …: unzip it, and "
          + "name the one that you mean"
      ),
    ] {
      let result = try shop.rouse("import", form, archive, "-o", "out.wtrace")
      #expect(result.errors == "rouse: \(archive): \(message)\n", "\(archive)")
      #expect(result.status == .exited(1) && !shop.files.contains("out.wtrace"), "\(archive)")
    }
    let piped = try shop.shell("cat phone.zip | \"$ROUSE\" import apple-health - -o out.wtrace")
    #expect(
      piped.errors
        == "rouse: standard input: is a zip archive, which is read from its end, and a pipe: name "
        + "the file instead\n")
  }
}

/// An export of Apple's Health app with two records.
enum AppleHealthExport {
  static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!ELEMENT HealthData (Record*)>
    ]>
    <HealthData locale="de_DE">
    <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" \
    creationDate="2024-05-01 10:05:00 +0200" startDate="2024-05-01 10:00:00 +0200" \
    endDate="2024-05-01 10:05:00 +0200" value="17"/>
    <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" \
    creationDate="2024-05-01 10:06:00 +0200" startDate="2024-05-01 10:06:00 +0200" \
    endDate="2024-05-01 10:06:00 +0200" value="71"/>
    </HealthData>

    """
}
