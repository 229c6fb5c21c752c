extension Digest: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard text.utf8.count == 16, let value = UInt64(text, radix: 16),
      text == Digest(value: value).description
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a digest has 16 lower-case hexadecimal digits")
    }
    self.init(value: value)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
