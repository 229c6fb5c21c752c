internal import WakeEvents

// What fields hold (SPEC 2 and 3). Errors have no path yet: whoever knows the field's name adds it.
extension JSONBytes {
  /// A time: a whole number of nanoseconds within ``Timestamp/validRange``.
  func time(_ value: JSONValue) throws(FieldError) -> Timestamp {
    guard case .number(let number) = value else { throw wrongType(value, "a whole number") }
    guard number.isWhole else { throw notWhole(number) }
    guard let nanoseconds = number.wholeNumber, Timestamp.validRange.contains(nanoseconds) else {
      throw outOfRange(number, "within ±\(Timestamp.validRange.upperBound)")
    }
    return Timestamp(nanoseconds: nanoseconds)
  }

  /// A number that is a finite double.
  func double(_ value: JSONValue) throws(FieldError) -> Double {
    guard case .number(let number) = value else { throw wrongType(value, "a number") }
    let double = self.double(number)
    guard double.isFinite else { throw outOfRange(number, "a finite double") }
    return double
  }

  /// A number within `range`, whose bounds are whole.
  func double(_ value: JSONValue, in range: ClosedRange<Double>) throws(FieldError) -> Double {
    guard case .number(let number) = value else { throw wrongType(value, "a number") }
    let double = self.double(number)
    guard range.contains(double) else {
      throw outOfRange(number, "from \(Int64(range.lowerBound)) to \(Int64(range.upperBound))")
    }
    return double
  }

  /// A whole number within `range`, written without fraction and exponent.
  func wholeNumber(_ value: JSONValue, in range: ClosedRange<Int>) throws(FieldError) -> Int {
    guard case .number(let number) = value else { throw wrongType(value, "a whole number") }
    guard number.isWhole else { throw notWhole(number) }
    guard let whole = number.wholeNumber, range.contains(Int(whole)) else {
      throw outOfRange(number, "from \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(whole)
  }

  /// A string, still in its place.
  func string(_ value: JSONValue) throws(FieldError) -> JSONString {
    guard case .string(let string) = value else { throw wrongType(value, "a string") }
    return string
  }

  /// True or false.
  func boolean(_ value: JSONValue) throws(FieldError) -> Bool {
    guard case .boolean(let boolean) = value else { throw wrongType(value, "a boolean") }
    return boolean
  }

  /// An object, still in its place.
  func object(_ value: JSONValue) throws(FieldError) -> Range<Int> {
    guard case .object(let object) = value else { throw wrongType(value, "an object") }
    return object
  }

  /// One of the words of `table`.
  func word<Word>(_ value: JSONValue, of table: WordTable<Word>) throws(FieldError) -> Word {
    let string = try string(value)
    guard let word = table.word(string, in: self) else { throw unknownWord(string, table.list) }
    return word
  }

  /// The error that `value` should have been `expected`.
  func wrongType(_ value: JSONValue, _ expected: String) -> FieldError {
    FieldError(.wrongType, "expected \(expected), found \(value.noun)")
  }

  /// The error that `string` is none of the words of `list`.
  func unknownWord(_ string: JSONString, _ list: String) -> FieldError {
    FieldError(
      .unknownWord, "\(ImportError.quoted(self.string(string))) is not one of \(list)",
      offset: string.content.lowerBound)
  }

  private func notWhole(_ number: JSONNumber) -> FieldError {
    FieldError(
      .wrongType,
      "\(shortened(number)) is not a whole number written without fraction and exponent",
      offset: number.text.lowerBound)
  }

  private func outOfRange(_ number: JSONNumber, _ range: String) -> FieldError {
    FieldError(
      .outOfRange, "\(shortened(number)) is not \(range)", offset: number.text.lowerBound)
  }

  private func shortened(_ number: JSONNumber) -> String {
    number.text.count <= 40 ? text(number.text) : text(number.text.prefix(40)) + "…"
  }
}
