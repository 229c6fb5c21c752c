import WakeEvents

extension AppleHealthImporter {
  /// The attributes of a sample's element, as ranges of the tokenizer's buffer.
  struct Fields {
    /// The attributes, by their names in the export.
    enum Field: String {
      case type, sourceName, creationDate, startDate, endDate, value

      /// The field whose name has `length` bytes, as no two have equally many.
      init?(length: Int) {
        switch length {
        case 4: self = .type
        case 10: self = .sourceName
        case 12: self = .creationDate
        case 9: self = .startDate
        case 7: self = .endDate
        case 5: self = .value
        default: return nil
        }
      }
    }

    /// The longest type or source, in bytes.
    private static let maximumNameLength = 4096

    private let element: String
    /// By the length of the field's name.
    private var ranges = InlineArray<13, Range<Int>?>(repeating: nil)

    /// Finds them in the tokenizer's last tag.
    init(of element: String, _ tokenizer: borrowing AppleHealthTokenizer) throws {
      self.element = element
      var cursor = tokenizer.attributes.lowerBound
      while let attribute = try tokenizer.attribute(at: &cursor) {
        guard let field = Field(length: attribute.name.count),
          field.rawValue.utf8.elementsEqual(tokenizer.buffer[attribute.name])
        else { continue }
        guard !has(field) else {
          throw failure(.malformed, field, "is given twice", at: attribute.value, tokenizer)
        }
        self[field] = attribute.value
      }
    }

    func has(_ field: Field) -> Bool { self[field] != nil }

    /// The range of a required attribute.
    func range(
      _ field: Field, _ tokenizer: borrowing AppleHealthTokenizer
    ) throws -> Range<Int> {
      guard let range = self[field] else {
        throw tokenizer.error(.missingField, "\(element): \(field.rawValue) is missing")
      }
      return range
    }

    func name(_ field: Field, _ tokenizer: borrowing AppleHealthTokenizer) throws -> String {
      let range = try range(field, tokenizer)
      guard range.count <= Self.maximumNameLength else {
        throw failure(
          .invalidField, field, "is longer than \(Self.maximumNameLength) bytes", at: range,
          tokenizer)
      }
      guard let text = tokenizer.text(range) else {
        throw failure(
          .invalidField, field,
          "\(tokenizer.quoted(range)) is no UTF-8, has a control character, or an & that begins no "
            + "entity of XML",
          at: range, tokenizer)
      }
      return text
    }

    func date(_ field: Field, _ tokenizer: borrowing AppleHealthTokenizer) throws -> Timestamp {
      let range = try range(field, tokenizer)
      guard let time = try? Timestamp(healthDate: tokenizer.buffer[range]) else {
        throw failure(
          .invalidField, field,
          "\(tokenizer.quoted(range)) is not a date like 2021-05-02 10:36:11 +0200, 1843 to 2096",
          at: range, tokenizer)
      }
      return time
    }

    /// The value; nil unless it is a finite decimal number.
    func number(_ tokenizer: borrowing AppleHealthTokenizer) -> Double? {
      guard let range = self[.value], range.count <= 64 else { return nil }
      // Neither words, nor what Double takes beside decimals: 0x10, inf, nan.
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard tokenizer.buffer[range].allSatisfy({ digits ~= $0 || ".-+eE".utf8.contains($0) })
      else { return nil }
      return Double(tokenizer.string(range)).flatMap { $0.isFinite ? $0 : nil }
    }

    private func failure(
      _ code: ImportError.Code, _ field: Field, _ what: String, at range: Range<Int>,
      _ tokenizer: borrowing AppleHealthTokenizer
    ) -> ImportError {
      tokenizer.error(code, "\(element): \(field.rawValue) \(what)", at: range.lowerBound)
    }

    private subscript(field: Field) -> Range<Int>? {
      get { ranges[field.rawValue.utf8.count] }
      set { ranges[field.rawValue.utf8.count] = newValue }
    }
  }
}
