import Foundation
import Testing
import WakeImport
import WakeTestSupport

/// Compares with Python's XML parser on exports that other projects' tests have.
@Suite("Apple Health: real exports, read a second way")
struct AppleHealthRealFilesTests {
  /// Prints the export in the file, out of its zip if it is one; or, for `saves`, what should come
  /// of it, without lines, then the number of records in correlations.
  private static let python = """
    import sys, zipfile, struct, datetime, math, json
    import xml.etree.ElementTree as tree
    verb, path = sys.argv[1:]
    data = zipfile.ZipFile(path).read('apple_health_export/export.xml') if path.endswith('.zip') \
    else open(path, 'rb').read()
    if verb == 'xml': sys.stdout.buffer.write(data); sys.exit()
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    def date(text):
        t = datetime.datetime.strptime(text, '%Y-%m-%d %H:%M:%S %z') - epoch
        return (t.days * 86400 + t.seconds) * 10**9
    def value(element):
        try: number = float(element.get('value'))
        except (TypeError, ValueError): return None
        return struct.pack('>d', number).hex().lstrip('0') or '0' if math.isfinite(number) else None
    saves = []
    for e in tree.fromstring(data):
        if e.tag not in ('Record', 'Workout', 'Correlation'): continue
        saves.append([
            str(date(e.get('creationDate', e.get('endDate')))),
            'HKWorkoutTypeIdentifier' if e.tag == 'Workout' else e.get('type'), e.get('sourceName'),
            str(date(e.get('startDate'))), str(date(e.get('endDate'))),
            (value(e) if e.tag == 'Record' else None) or '-'])
    json.dump(saves, sys.stdout)
    """

  private func python(_ verb: String, _ file: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", Self.python, verb, file,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.start()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "python3 failed on \(file)")
    return output
  }

  @Test(
    "Every save, to the bit", arguments: PackageFolder.healthExports)
  func sameAsPython(file: String) throws {
    let saves = try JSONDecoder().decode([[String]].self, from: python("saves", file))
    let expected = saves.map { save in
      "\(save[0]) \(save[1].debugDescription) \(save[2].debugDescription) \(save[3]) \(save[4]) \(save[5])"
    }
    let bytes = [UInt8](try python("xml", file))
    for chunk in [1, .max] {
      let outcome = try importHealth(bytes, chunk: chunk)
      #expect(outcome.error == nil, "\(file)")
      #expect(
        outcome.saves.map { String($0.drop { $0 != " " }.dropFirst()) } == expected, "\(file)")
      #expect(!expected.isEmpty && outcome.summary?.saves == expected.count, "\(file)")
    }
  }
}
