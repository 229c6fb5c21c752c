import WakeEvents

/// The content of one file in a zip archive, stored or deflated.
final class ZipSource: ByteSource {
  private let file: PlainSource
  private let member: ZipMember
  /// Nil if the file is stored.
  private let inflater: StreamInflater?
  private var input: [UInt8]
  private var waiting = 0..<0
  /// Where the next compressed bytes are, up to the end.
  private var rest: Range<Int64>
  private var checksum: UInt32 = 0
  private var written: Int64 = 0
  private var hasEnded = false

  /// - Precondition: The file is not encrypted, and stored or deflated.
  init(
    _ member: ZipMember, in archive: ZipArchive, bufferLength: Int = 128 << 10
  ) throws(TraceError) {
    file = archive.file
    self.member = member
    input = [UInt8](repeating: 0, count: bufferLength)
    let start = try archive.start(of: member)
    rest = start..<start + member.compressed
    do throws(BlockError) {
      inflater = member.method == 8 ? try StreamInflater(.none) : nil
    } catch {
      throw TraceError(error.code, file.name, error.message)
    }
  }

  /// In the archive, of which the file is nearly all where its content matters.
  var position: Int64 { rest.lowerBound - Int64(waiting.count) }

  func read(into span: inout MutableSpan<UInt8>) throws(TraceError) -> Int {
    while !hasEnded {
      if waiting.isEmpty { try refill() }
      let count = try step(into: &span)
      guard count > 0 || hasEnded else { continue }
      checksum = Checksum.crc32(span, count: count, after: checksum)
      written += Int64(count)
      if written > member.length || hasEnded && !isWhole {
        throw damaged(": its length or checksum is another")
      }
      if count > 0 { return count }
    }
    return 0
  }

  private var isWhole: Bool {
    written == member.length && checksum == member.checksum && rest.isEmpty && waiting.isEmpty
  }

  private func step(into span: inout MutableSpan<UInt8>) throws(TraceError) -> Int {
    guard let inflater else {
      let count = min(span.count, waiting.count)
      for place in 0..<count { span[place] = input[waiting.lowerBound + place] }
      waiting = waiting.dropFirst(count)
      hasEnded = waiting.isEmpty && rest.isEmpty
      return count
    }
    do throws(BlockError) {
      let step = try inflater.inflate(input, in: waiting, into: &span)
      waiting = waiting.dropFirst(step.consumed)
      hasEnded = step.hasEnded
      if !hasEnded, step.consumed == 0, step.written == 0 { throw BlockError(.damaged, "") }
      return step.written
    } catch {
      throw damaged(" at byte \(position + Int64(inflater.consumed))")
    }
  }

  private func refill() throws(TraceError) {
    let count = Int(min(Int64(input.count), rest.upperBound - rest.lowerBound))
    guard
      let got = SystemCalls.read(file.descriptor, count: count, at: rest.lowerBound, into: &input)
    else { throw .system("cannot be read", file: file.name) }
    guard got == count else {
      throw TraceError(.truncated, file.name, "is a zip archive that is cut short")
    }
    rest = rest.lowerBound + Int64(count)..<rest.upperBound
    waiting = 0..<count
  }

  private func damaged(_ what: String) -> TraceError {
    TraceError(
      .damaged, file.name, "is a zip archive in which \(member.name.shown) is damaged\(what)")
  }
}

extension ZipArchive {
  /// The file that has the content: the only one that begins like it, or the only one.
  func source(of content: ExpectedContent) throws(TraceError) -> ZipSource {
    var (names, count): ([String], Int) = ([], 0)
    var (found, only, sealed): (ZipMember?, ZipMember?, ZipMember?)
    var damage: TraceError?
    var hint = ""
    try forEachMember { member throws(TraceError) in
      guard member.isContent else { return true }
      count += 1
      if names.count < 3 { names.append(member.name.shown) }
      only = member
      guard isReadable(member) else {
        sealed = sealed ?? member
        return true
      }
      do throws(TraceError) {
        let beginning = try beginning(of: member)
        guard content.accepts(beginning) else {
          if hint.isEmpty { hint = content.hint(beginning) }
          return true
        }
      } catch {
        damage = damage ?? error
        return true
      }
      if let found {
        throw TraceError(
          .inputOutput, file.name,
          "is a zip archive with more than one file that is \(content.name): \(found.name.shown), "
            + "\(member.name.shown), …: unzip it, and name the one that you mean")
      }
      found = member
      return true
    }
    if let member = found ?? (count == 1 && sealed == nil ? only : nil) {
      return try ZipSource(member, in: self)
    }
    if let damage { throw damage }
    guard count > 0 else {
      throw TraceError(.empty, file.name, "is a zip archive without files")
    }
    // What is damaged may begin unlike what it was.
    if hint.isEmpty { try checkMembers() }
    if let sealed {
      throw TraceError(
        .inputOutput, file.name,
        sealed.isEncrypted
          ? "is a zip archive in which \(sealed.name.shown) is encrypted: unzip it with its password"
          : "is a zip archive in which \(sealed.name.shown) is compressed by method "
            + "\(sealed.method), not deflate: unzip it")
    }
    throw TraceError(
      .inputOutput, file.name,
      "is a zip archive of which no file is \(content.name): \(names.joined(separator: ", "))"
        + (count > names.count ? ", … (\(count) files)" : "") + hint)
  }

  /// Throws if a file is damaged, as far as the bound of ``ExpansionBound`` lets it be read.
  private func checkMembers() throws(TraceError) {
    var most = ExpansionBound.content(ofFile: SystemCalls.status(of: file.descriptor)?.length ?? 0)
    most = min(most, ExpansionBound.mostChecked)
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    try forEachMember { member throws(TraceError) in
      guard member.isContent, isReadable(member) else { return true }
      let length = Int(min(max(member.compressed, 1), 128 << 10))
      let source = try ZipSource(member, in: self, bufferLength: length)
      // To open a member takes the time of some bytes, too.
      most -= max(try source.skip(most, through: &buffer), 4_096)
      return most > 0
    }
  }

  private func isReadable(_ member: ZipMember) -> Bool {
    !member.isEncrypted && (member.method == 0 || member.method == 8)
  }

  private func beginning(of member: ZipMember) throws(TraceError) -> [UInt8] {
    let source = try ZipSource(member, in: self, bufferLength: ExpectedContent.prefixLength)
    var bytes = [UInt8](repeating: 0, count: ExpectedContent.prefixLength)
    let count = try source.read(into: &bytes)
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
