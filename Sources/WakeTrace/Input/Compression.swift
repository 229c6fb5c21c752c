import WakeEvents

/// How a file is compressed, by its first bytes.
enum Compression: Sendable {
  /// RFC 1952, but no trace, whose blocks are gzip members themselves.
  case gzip
  case zip
  case xz
  /// RFC 8878.
  case zstd

  /// The number of first bytes that tell.
  static let prefixLength = 16

  /// Nil if the bytes begin a trace, or nothing that is known.
  init?(beginning bytes: [UInt8]) {
    func begins(_ magic: UInt8...) -> Bool { bytes.starts(with: magic) }
    if begins(0x1F, 0x8B, 8), !BlockScan.looksLikeMember(bytes) {
      self = .gzip
    } else if begins(0x50, 0x4B, 3, 4) || begins(0x50, 0x4B, 5, 6) {
      // The second is an archive without files.
      self = .zip
    } else if begins(0xFD, 0x37, 0x7A, 0x58, 0x5A, 0) {
      self = .xz
    } else if begins(0x28, 0xB5, 0x2F, 0xFD) {
      self = .zstd
    } else {
      return nil
    }
  }
}

/// What the reader of a file expects: chooses among the files of a zip archive.
package struct ExpectedContent: Sendable {
  /// The number of first bytes by which content is recognised.
  static let prefixLength = 4_096

  /// In words: `a trace`.
  package var name: String
  /// Whether a file that begins with these bytes, at most 4,096, has it.
  package var accepts: @Sendable (_ beginning: [UInt8]) -> Bool
  /// What to do with a file that begins with these bytes and has other content: the end of a message, or empty.
  var hint: @Sendable (_ beginning: [UInt8]) -> String = { _ in "" }

  package init(_ name: String, accepts: @escaping @Sendable (_ beginning: [UInt8]) -> Bool) {
    self.name = name
    self.accepts = accepts
  }

  static let trace: ExpectedContent = {
    var content = ExpectedContent("a trace") { BlockScan.looksLikeMember($0) }
    content.hint = { ImportableContent.hint(beginning: $0) }
    return content
  }()
}
