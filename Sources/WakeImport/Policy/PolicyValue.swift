internal import WakeEvents
internal import WakeJSON
internal import WakeScheduling

/// How the value of a policy's key is written in JSON.
struct PolicyValue<Value>: Sendable {
  /// The allowed values in words.
  let values: String
  var unit: String?
  let read: @Sendable (JSONBytes, JSONValue) throws(JSONError) -> Value
  let write: @Sendable (Value, inout JSONWriter) -> Void
}

extension PolicyValue<Int64> {
  /// A duration in seconds, as nanoseconds.
  static func seconds(from minimum: Double = 0) -> PolicyValue {
    PolicyValue(values: "\(Int(minimum)) to 1000000000", unit: "s") {
      bytes, value throws(JSONError) in
      let range = minimum...Seconds.validRange.upperBound
      return Seconds.nanoseconds(try bytes.double(value, in: range))
    } write: { nanoseconds, json in
      json.value(Double(nanoseconds) / 1_000_000_000)
    }
  }
}

extension PolicyValue<Int64?> {
  static var secondsOrNull: PolicyValue {
    let seconds = PolicyValue<Int64>.seconds()
    return PolicyValue(values: "null, or " + seconds.values, unit: seconds.unit) {
      bytes, value throws(JSONError) in
      if case .null = value { return nil }
      return try seconds.read(bytes, value)
    } write: { nanoseconds, json in
      if let nanoseconds { seconds.write(nanoseconds, &json) } else { json.null() }
    }
  }
}

extension PolicyValue where Value: JSONWritable & SendableMetatype {
  /// A value that is written as it is.
  private init(
    _ values: String,
    read: @escaping @Sendable (JSONBytes, JSONValue) throws(JSONError) -> Value
  ) {
    self.init(values: values, read: read) { $1.value($0) }
  }
}

extension PolicyValue<Int> {
  static func count(from minimum: Int) -> PolicyValue {
    PolicyValue("whole, \(minimum) to 1000") { bytes, value throws(JSONError) in
      Int(try bytes.wholeNumber(value, in: Int64(minimum)...1000, "from \(minimum) to 1000"))
    }
  }
}

extension PolicyValue<Double> {
  static var factor: PolicyValue {
    PolicyValue("1 to 1000") { bytes, value throws(JSONError) in
      try bytes.double(value, in: 1...1000)
    }
  }
}

extension PolicyValue<Bool> {
  static var boolean: PolicyValue {
    PolicyValue("true, false") { bytes, value throws(JSONError) in try bytes.boolean(value) }
  }
}

extension PolicyValue<String> {
  static var text: PolicyValue {
    PolicyValue("string") { bytes, value throws(JSONError) in
      bytes.string(try bytes.string(value))
    }
  }
}

extension PolicyValue<Frequency> {
  static let frequency = PolicyValue(words: WordTable(name: \.word), word: \.word)
}

extension PolicyValue<Policy.Carry> {
  static let carry = PolicyValue(words: WordTable(name: \.rawValue), word: \.rawValue)
}

extension PolicyValue where Value: CaseIterable & Sendable {
  fileprivate init(words: WordTable<Value>, word: @escaping @Sendable (Value) -> String) {
    self.init(values: words.list) { bytes, value throws(JSONError) in
      try bytes.word(value, of: words)
    } write: {
      $1.value(word($0))
    }
  }
}
