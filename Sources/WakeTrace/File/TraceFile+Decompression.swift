import Glibc

extension TraceFile {
  /// Whether the file is compressed as a whole, so that the offsets of its blocks are not those of the file.
  package var isCompressed: Bool {
    get throws(TraceError) {
      var bytes: [UInt8] = []
      let count = try read(Compression.prefixLength, at: 0, into: &bytes)
      return Compression(beginning: Array(bytes.prefix(count))) != nil
    }
  }

  /// Copies the content of a compressed trace to a temporary file, and closes the compressed one; returns any other file,
  /// also one that is no trace, as it is.
  static func decompressed(
    _ file: (descriptor: Int32, length: Int64), name: String
  ) throws(TraceError) -> (descriptor: Int32, length: Int64) {
    let content: TemporaryFile?
    do throws(TraceError) {
      content = try decompress(file.descriptor, name)
    } catch {
      close(file.descriptor)
      throw error
    }
    guard let content else { return file }
    close(file.descriptor)
    return (content.release(), content.length)
  }

  /// Nil if the file is not compressed.
  private static func decompress(
    _ descriptor: Int32, _ name: String
  ) throws(TraceError) -> TemporaryFile? {
    let input = try InputReader(descriptor, name: name, holding: .trace)
    guard let compression = input.compression else { return nil }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var count: Int
    do throws(TraceError) {
      count = try input.read(into: &buffer)
    } catch {
      // It may be a trace that is damaged where its first block begins.
      if compression == .gzip { return nil }
      throw error
    }
    guard BlockScan.looksLikeMember(Array(buffer[..<count])) else {
      let hint = ImportableContent.hint(beginning: buffer[..<count])
      if compression == .gzip, hint.isEmpty { return nil }
      throw TraceError(.notATrace, name, "is compressed, and its content is no trace" + hint)
    }
    let content = try TemporaryFile(folder: TemporaryFile.systemFolder)
    while count > 0 {
      try content.append(buffer, count: count)
      if content.length > ExpansionBound.content(ofFile: max(1, input.position)) {
        throw TraceError(
          .tooLarge, name,
          "has more than \(ExpansionBound.factor) times its length when decompressed, which no trace has: "
            + "decompress it yourself if it is one")
      }
      count = try input.read(into: &buffer)
    }
    return content
  }
}
