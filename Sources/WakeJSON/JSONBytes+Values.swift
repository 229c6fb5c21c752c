// Typed values of fields. Errors have no path yet: the caller knows the field's name.
extension JSONBytes {
  package func double(_ value: JSONValue) throws(JSONError) -> Double {
    guard case .number(let number) = value else { throw wrongType(value, "a number") }
    let double = self.double(number)
    guard double.isFinite else { throw outOfRange(number, "a finite double") }
    return double
  }

  /// A number within `range`, whose bounds are whole.
  package func double(_ value: JSONValue, in range: ClosedRange<Double>) throws(JSONError) -> Double
  {
    guard case .number(let number) = value else { throw wrongType(value, "a number") }
    let double = self.double(number)
    guard range.contains(double) else {
      throw outOfRange(number, "from \(Int64(range.lowerBound)) to \(Int64(range.upperBound))")
    }
    return double
  }

  /// A whole number within `range`, written without fraction and exponent; `bounds` are the range in words.
  package func wholeNumber(
    _ value: JSONValue, in range: ClosedRange<Int64>, _ bounds: @autoclosure () -> String
  ) throws(JSONError) -> Int64 {
    guard case .number(let number) = value else { throw wrongType(value, "a whole number") }
    guard number.isWhole else {
      throw JSONError(
        .wrongType,
        "\(shortened(number)) is not a whole number written without fraction and exponent",
        offset: number.text.lowerBound)
    }
    guard let whole = number.wholeNumber, range.contains(whole) else {
      throw outOfRange(number, bounds())
    }
    return whole
  }

  @usableFromInline package func string(_ value: JSONValue) throws(JSONError) -> JSONString {
    guard case .string(let string) = value else { throw wrongType(value, "a string") }
    return string
  }

  package func boolean(_ value: JSONValue) throws(JSONError) -> Bool {
    guard case .boolean(let boolean) = value else { throw wrongType(value, "a boolean") }
    return boolean
  }

  package func object(_ value: JSONValue) throws(JSONError) -> Range<Int> {
    guard case .object(let object) = value else { throw wrongType(value, "an object") }
    return object
  }

  package func array(_ value: JSONValue) throws(JSONError) -> Range<Int> {
    guard case .array(let array) = value else { throw wrongType(value, "an array") }
    return array
  }

  @inlinable
  package func word<Word>(_ value: JSONValue, of table: WordTable<Word>) throws(JSONError) -> Word {
    let string = try string(value)
    guard let word = table.word(string, in: self) else { throw unknownWord(string, table.list) }
    return word
  }

  package func wrongType(_ value: JSONValue, _ expected: String) -> JSONError {
    JSONError(.wrongType, "expected \(expected), found \(value.noun)")
  }

  @usableFromInline package func unknownWord(_ string: JSONString, _ list: String) -> JSONError {
    JSONError(
      .unknownWord, "\(JSONError.quoted(self.string(string))) is not one of \(list)",
      offset: string.content.lowerBound)
  }

  private func outOfRange(_ number: JSONNumber, _ range: String) -> JSONError {
    JSONError(
      .outOfRange, "\(shortened(number)) is not \(range)", offset: number.text.lowerBound)
  }

  private func shortened(_ number: JSONNumber) -> String {
    number.text.count <= 40 ? text(number.text) : text(number.text.prefix(40)) + "…"
  }
}
