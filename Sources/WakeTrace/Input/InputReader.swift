/// Reads a file or pipe in sequence, decompressed if it is compressed: gzip and zip by zlib, xz and zstd by the programs
/// of these names. The first bytes tell, not the file's name.
///
/// Memory does not grow with the content, whatever it expands to.
package final class InputReader {
  /// The first bytes as they are in the file, at most 16.
  package let beginning: [UInt8]
  private let source: any ByteSource
  /// Nil if the content is the bytes of the file.
  let compression: Compression?

  /// Reads a descriptor, which the caller closes after the last use of this object.
  ///
  /// - Parameter content: What is looked for in a zip archive.
  package init(
    _ descriptor: Int32, name: String, holding content: ExpectedContent
  ) throws(TraceError) {
    let file = try PlainSource(descriptor, name: name)
    beginning = file.beginning
    compression = Compression(beginning: beginning)
    source =
      switch compression {
      case nil: file
      case .gzip: try GzipSource(file)
      case .zip: try ZipArchive(file).source(of: content)
      // A stream may demand so much memory that none is left.
      case .xz:
        try ProgramSource(file, "xz", ["-dcq", "--memlimit-decompress=256MiB"])
      case .zstd: try ProgramSource(file, "zstd", ["-dcq"])
      }
  }

  /// Whether the file is a trace, which no reader of another content takes.
  package var isTrace: Bool { BlockScan.looksLikeMember(beginning) }

  /// Whether the content is compressed in the file.
  package var isCompressed: Bool { compression != nil }

  /// The bytes of the file read so far.
  package var position: Int64 { source.position }

  /// Reads the next bytes to the start of `span`, which is not empty, and returns their number; 0 is the end.
  package func read(into span: inout MutableSpan<UInt8>) throws(TraceError) -> Int {
    try source.read(into: &span)
  }

  /// Reads what is left of a compressed file, so that its checks are made, up to the bound of ``ExpansionBound``.
  ///
  /// What is damaged may decompress to other content, whose reader finds it wrong before the checksum at the end does.
  ///
  /// - Parameter length: The length of the file. A pipe is not read on, as its end may never come.
  /// - Throws: The damage.
  package func checkRest(
    ofFile length: Int64, _ progress: () -> Void = {}
  ) throws(TraceError) {
    guard compression != nil else { return }
    var left = min(ExpansionBound.content(ofFile: length), ExpansionBound.mostChecked)
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    while left > 0 {
      let count = try source.skip(min(left, 16 << 20), through: &buffer)
      if count == 0 { return }
      left -= count
      progress()
    }
  }

  func read(into bytes: inout [UInt8]) throws(TraceError) -> Int { try source.read(into: &bytes) }
}
