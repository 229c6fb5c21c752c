extension JSONParser {
  /// Reads the next key of an object and its colon; nil at the object's end.
  ///
  /// - Parameter isFirst: True before the first key; set to false by this method.
  package mutating func nextKey(isFirst: inout Bool) throws(JSONError) -> JSONString? {
    skipWhiteSpace()
    if bytes[position] == ASCII.closeBrace {
      position += 1
      return nil
    }
    if !isFirst {
      if bytes[position] != ASCII.comma { throw syntaxError(#"expected "," or "}""#) }
      position += 1
      skipWhiteSpace()
    }
    if bytes[position] != ASCII.quote {
      throw syntaxError(isFirst ? #"expected a key or "}""# : "expected a key")
    }
    isFirst = false
    let key = try readString()
    skipWhiteSpace()
    if bytes[position] != ASCII.colon { throw syntaxError(#"expected ":""#) }
    position += 1
    return key
  }

  /// Reads the object that begins here, each value by `body`. Errors get the member's key in their path, and its
  /// offset if they have none.
  package mutating func readMembers(
    _ body: (inout JSONParser, JSONString) throws(JSONError) -> Void
  ) throws(JSONError) {
    try begin(ASCII.openBrace, "an object")
    var isFirst = true
    while let key = try nextKey(isFirst: &isFirst) {
      do throws(JSONError) {
        try body(&self, key)
      } catch {
        throw error.inside(bytes.string(key)).at(key.content.lowerBound)
      }
    }
  }

  /// Reads the array that begins here, each element by `body`. Errors get the index in their path, and the
  /// element's offset if they have none.
  package mutating func readElements(
    _ body: (inout JSONParser) throws(JSONError) -> Void
  ) throws(JSONError) {
    try begin(ASCII.openBracket, "an array")
    skipWhiteSpace()
    var separator = bytes[position]
    if separator == ASCII.closeBracket { position += 1 }
    var index = 0
    while separator != ASCII.closeBracket {
      skipWhiteSpace()
      let start = position
      do throws(JSONError) {
        try body(&self)
      } catch {
        throw error.inside("[\(index)]").at(start)
      }
      skipWhiteSpace()
      separator = bytes[position]
      if separator != ASCII.comma, separator != ASCII.closeBracket {
        throw syntaxError(#"expected "," or "]""#)
      }
      position += 1
      index += 1
    }
  }

  private mutating func begin(_ bracket: UInt8, _ noun: String) throws(JSONError) {
    skipWhiteSpace()
    guard bytes[position] == bracket else {
      let value = try readValue()
      throw bytes.wrongType(value, noun)
    }
    position += 1
  }

  mutating func skipObject(depth: Int) throws(JSONError) {
    try checkDepth(depth)
    var keys = JSONKeys()
    try readMembers { parser, key throws(JSONError) in
      try keys.insert(key, in: parser.bytes)
      _ = try parser.readValue(depth: depth)
    }
  }

  mutating func skipArray(depth: Int) throws(JSONError) {
    try checkDepth(depth)
    try readElements { parser throws(JSONError) in _ = try parser.readValue(depth: depth) }
  }

  private func checkDepth(_ depth: Int) throws(JSONError) {
    if depth > Self.maximumDepth {
      throw syntaxError("more than \(Self.maximumDepth) objects and arrays within each other")
    }
  }
}

/// The keys of an object read so far.
package struct JSONKeys {
  /// The first ``mostCompared`` keys, compared one by one.
  private var first: [JSONString] = []
  private var others: Set<[UInt8]> = []
  private static let mostCompared = 16

  package init() {}

  package var isEmpty: Bool { first.isEmpty }

  /// Adds a key that must be new.
  package mutating func insert(_ key: JSONString, in bytes: JSONBytes) throws(JSONError) {
    for known in first where bytes.areEqual(known, key) { throw Self.duplicate(key) }
    if first.count < Self.mostCompared {
      first.append(key)
    } else if !others.insert(bytes.utf8(of: key)).inserted {
      throw Self.duplicate(key)
    }
  }

  package mutating func removeAll() {
    first.removeAll(keepingCapacity: true)
    if !others.isEmpty { others.removeAll() }
  }

  package static func duplicate(_ key: JSONString) -> JSONError {
    JSONError(.duplicateKey, "stands twice in one object", offset: key.content.lowerBound)
  }
}

extension JSONBytes {
  /// Calls `body` with each member of an object that the parser returned. Errors get the member's key in their
  /// path, and its offset if they have none.
  package func forEachMember(
    of object: Range<Int>, _ body: (JSONString, JSONValue) throws(JSONError) -> Void
  ) throws(JSONError) {
    var parser = JSONParser(self, at: object.lowerBound)
    try parser.readMembers { parser, key throws(JSONError) in
      try body(key, try parser.readValue())
    }
  }

  /// Calls `body` with each element of an array that the parser returned. Errors get the index in their path, and
  /// the element's offset if they have none.
  package func forEachElement(
    of array: Range<Int>, _ body: (JSONValue) throws(JSONError) -> Void
  ) throws(JSONError) {
    var parser = JSONParser(self, at: array.lowerBound)
    try parser.readElements { parser throws(JSONError) in try body(try parser.readValue()) }
  }
}
