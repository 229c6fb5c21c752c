import Testing
import WakeTestSupport

@Suite("A damaged archive of an export is told as such, not as bad XML")
struct DamagedArchiveTests {
  private static let again = "; copy, download or export it again\n"

  /// A generated export of some 700 kB, whose records differ: more than is read at a time, so that wrong XML is found
  /// before the checksum behind it.
  private static let export: String = {
    var state: UInt64 = 7
    let records = (0..<3_000).map { number in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let time = "2024-05-\(10 + number / 60 % 20) 10:\(10 + number % 50):00 +0200"
      return """
        <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" creationDate="\(time)" \
        startDate="\(time)" endDate="\(time)" value="\(state >> 40)"/>

        """
    }
    return
      "<?xml version=\"1.0\"?>\n<HealthData locale=\"de_DE\">\n\(records.joined())</HealthData>\n"
  }()

  private func damaged(_ result: RouseCommand.Result) -> Bool {
    result.status == .exited(1) && result.errors.hasSuffix(Self.again)
      && result.errors.count { $0 == "\n" } == 1
  }

  @Test("gzip, wherever a bit of its content is flipped", .enabled(if: OtherPrograms.has("gzip")))
  func gzip() throws {
    let shop = try Workshop()
    try shop.write(Self.export, to: "export.xml")
    let made = try shop.shell("gzip -n -c export.xml > whole.gz")
    try #require(made.status == .exited(0), "\(made.errors)")
    let whole = try shop.read("whole.gz")
    try #require(whole.count > 2_000)
    // Behind the header of 10 bytes; the last 8 are checksum and length.
    let offsets = Array(stride(from: 10, to: whole.count - 8, by: whole.count / 24))
    for offset in offsets + [whole.count - 8, whole.count - 4] {
      var bytes = whole
      bytes[offset] ^= 0x10
      try shop.write(bytes, to: "flipped.gz")
      let result = try shop.rouse("import", "apple-health", "flipped.gz", "-o", "out.wtrace")
      #expect(damaged(result), "byte \(offset): \(result.errors)")
      let gzip = "rouse: flipped.gz: byte "
      let isPlaced = result.errors.hasPrefix(gzip) && result.errors.contains(": gzip: compressed")
      let isShort = result.errors.contains("is cut short: its gzip stream does not end")
      #expect(isPlaced || isShort, "byte \(offset): \(result.errors)")
      #expect(!shop.files.contains("out.wtrace"))
    }
    for length in [11, 100, whole.count / 2, whole.count - 1] {
      try shop.write(Array(whole[..<length]), to: "cut.gz")
      let result = try shop.rouse("import", "apple-health", "cut.gz", "-o", "out.wtrace")
      #expect(damaged(result), "\(length) bytes: \(result.errors)")
    }
    // The container is whole, and the error is that of the XML; so it is in a pipe, which is not read on.
    try shop.write(Self.export.replacing("<Record", with: "<Record <"), to: "bad.xml")
    _ = try shop.shell("gzip -c bad.xml > bad.gz; gzip -c bad.xml | head -c 1000 > bad-cut.gz")
    let bad = try shop.rouse("import", "apple-health", "bad.gz", "-o", "out.wtrace")
    #expect(bad.status == .exited(1) && bad.errors.hasPrefix("rouse: bad.gz:3: "), "\(bad.errors)")
    let cut = try shop.rouse("import", "apple-health", "bad-cut.gz", "-o", "out.wtrace")
    #expect(cut.errors.hasPrefix("rouse: bad-cut.gz: is cut short"), "\(cut.errors)")
    let piped = try shop.shell(
      "(cat bad-cut.gz; sleep 20) | timeout 15 $ROUSE import apple-health - -o out.wtrace")
    #expect(piped.errors.hasPrefix("rouse: -:3: "), "\(piped.errors)")
    let hint = "; or the pipe's compressed bytes are damaged: import them as a file to find out"
    #expect(piped.errors.contains(hint), "\(piped.errors)")
    let plain = try shop.shell("cat bad.xml | $ROUSE import apple-health - -o out.wtrace")
    #expect(plain.errors.hasPrefix("rouse: -:3: "), "\(plain.errors)")
    #expect(!plain.errors.contains(hint), "\(plain.errors)")
  }

  @Test(
    "zip, with the export alone or among others",
    .enabled(if: OtherPrograms.has("python3"), "needs python3, which makes them"))
  func zip() throws {
    let shop = try Workshop()
    try shop.write(Self.export, to: "export.xml")
    try shop.write(
      """
      import zipfile
      for name, more in ('alone.zip', []), ('others.zip', [('route.gpx', '<gpx/>')]):
          with zipfile.ZipFile(name, 'w', zipfile.ZIP_DEFLATED) as archive:
              archive.writestr('export.xml', open('export.xml').read())
              for file in more:
                  archive.writestr(*file)
              print(archive.infolist()[0].compress_size)
      """, to: "make.py")
    let made = try shop.shell("python3 make.py")
    try #require(made.status == .exited(0), "\(made.errors)")
    let size = try #require(made.output.split(separator: "\n").first.flatMap { Int($0) })
    for name in ["alone.zip", "others.zip"] {
      let whole = try shop.read(name)
      // Behind the file's own header of 30 bytes and its name.
      for offset in stride(from: 40, to: 40 + size, by: size / 20) {
        var bytes = whole
        bytes[offset] ^= 0x10
        try shop.write(bytes, to: "flipped.zip")
        let result = try shop.rouse("import", "apple-health", "flipped.zip", "-o", "out.wtrace")
        let told = "rouse: flipped.zip: is a zip archive in which export.xml is damaged"
        #expect(damaged(result), "\(name): byte \(offset): \(result.errors)")
        #expect(result.errors.hasPrefix(told), "\(name): byte \(offset): \(result.errors)")
      }
      // Headers and the directory: some flips change nothing that is read, others cannot be known for damage.
      for offset in Array(0..<40) + Array((40 + size)..<whole.count) {
        var bytes = whole
        bytes[offset] ^= 0x04
        try shop.write(bytes, to: "flipped.zip")
        let result = try shop.rouse("import", "apple-health", "flipped.zip", "-o", "out.wtrace")
        let isLine =
          result.errors.hasPrefix("rouse: flipped.zip:")
          && result.errors.count { $0 == "\n" } == 1
        #expect(
          result.status == .exited(0) || result.status == .exited(1) && isLine,
          "\(name): byte \(offset): \(result.errors)")
      }
    }
  }
}
