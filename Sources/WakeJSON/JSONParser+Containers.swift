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

  /// Skips an object and validates it.
  mutating func skipObject(depth: Int) throws(JSONError) {
    try checkDepth(depth)
    position += 1
    var keys = JSONKeys()
    var isFirst = true
    while let key = try nextKey(isFirst: &isFirst) {
      do throws(JSONError) {
        try keys.insert(key, in: bytes)
        _ = try readValue(depth: depth)
      } catch {
        throw error.inside(bytes.string(key))
      }
    }
  }

  /// Skips an array and validates it.
  mutating func skipArray(depth: Int) throws(JSONError) {
    try checkDepth(depth)
    position += 1
    skipWhiteSpace()
    if bytes[position] == ASCII.closeBracket {
      position += 1
      return
    }
    var index = 0
    while true {
      do throws(JSONError) {
        _ = try readValue(depth: depth)
      } catch {
        throw error.inside(index)
      }
      skipWhiteSpace()
      let separator = bytes[position]
      if separator != ASCII.comma, separator != ASCII.closeBracket {
        throw syntaxError(#"expected "," or "]""#)
      }
      position += 1
      if separator == ASCII.closeBracket { return }
      index += 1
    }
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
    var parser = JSONParser(self, at: object.lowerBound + 1)
    var isFirst = true
    while let key = try parser.nextKey(isFirst: &isFirst) {
      do throws(JSONError) {
        try body(key, try parser.readValue())
      } catch {
        throw error.inside(string(key)).at(key.content.lowerBound)
      }
    }
  }

  /// Calls `body` with each element of an array that the parser returned. Errors get the index in their path, and
  /// the element's offset if they have none.
  package func forEachElement(
    of array: Range<Int>, _ body: (JSONValue) throws(JSONError) -> Void
  ) throws(JSONError) {
    var parser = JSONParser(self, at: array.lowerBound + 1)
    var index = 0
    parser.skipWhiteSpace()
    while self[parser.position] != ASCII.closeBracket {
      let start = parser.position
      do throws(JSONError) {
        try body(try parser.readValue())
      } catch {
        throw error.inside(index).at(start)
      }
      parser.skipWhiteSpace()
      if self[parser.position] == ASCII.comma { parser.position += 1 }
      parser.skipWhiteSpace()
      index += 1
    }
  }
}
