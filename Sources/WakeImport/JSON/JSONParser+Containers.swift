extension JSONParser {
  /// Reads the next key of an object and the colon after it, or the object's end, which is nil.
  ///
  /// - Parameter isFirst: Whether no key was read yet; the caller begins with true.
  mutating func nextKey(isFirst: inout Bool) throws(FieldError) -> JSONString? {
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

  /// Passes over an object, checking all of it.
  mutating func skipObject(depth: Int) throws(FieldError) {
    try checkDepth(depth)
    position += 1
    var keys = JSONKeys()
    var isFirst = true
    while let key = try nextKey(isFirst: &isFirst) {
      do throws(FieldError) {
        try keys.insert(key, in: bytes)
        _ = try readValue(depth: depth)
      } catch {
        throw error.inside(bytes.string(key))
      }
    }
  }

  /// Passes over an array, checking all of it.
  mutating func skipArray(depth: Int) throws(FieldError) {
    try checkDepth(depth)
    position += 1
    skipWhiteSpace()
    if bytes[position] == ASCII.closeBracket {
      position += 1
      return
    }
    var index = 0
    while true {
      do throws(FieldError) {
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

  private func checkDepth(_ depth: Int) throws(FieldError) {
    if depth > Self.maximumDepth {
      throw syntaxError("more than \(Self.maximumDepth) objects and arrays within each other")
    }
  }
}

/// The keys that an object has shown so far.
struct JSONKeys {
  /// The first ones, which are all that most objects have: each is compared with those before it.
  private var first: [JSONString] = []
  /// The others.
  private var others: Set<[UInt8]> = []
  /// More are not compared one by one.
  private static let mostCompared = 16

  var isEmpty: Bool { first.isEmpty }

  /// Adds a key that must be new.
  mutating func insert(_ key: JSONString, in bytes: JSONBytes) throws(FieldError) {
    for known in first where bytes.areEqual(known, key) { throw Self.duplicate(key) }
    if first.count < Self.mostCompared {
      first.append(key)
    } else if !others.insert(bytes.utf8(of: key)).inserted {
      throw Self.duplicate(key)
    }
  }

  /// Forgets all keys.
  mutating func removeAll() {
    first.removeAll(keepingCapacity: true)
    if !others.isEmpty { others.removeAll() }
  }

  /// The error that `key` stands twice in an object.
  static func duplicate(_ key: JSONString) -> FieldError {
    FieldError(.duplicateKey, "stands twice in one object", offset: key.content.lowerBound)
  }
}

extension JSONBytes {
  /// Calls `body` with each member of an object that the parser returned; errors from within get
  /// the member's key in their path and, if they have no place, that of the member.
  func forEachMember(
    of object: Range<Int>, _ body: (JSONString, JSONValue) throws(FieldError) -> Void
  ) throws(FieldError) {
    var parser = JSONParser(self, at: object.lowerBound + 1)
    var isFirst = true
    while let key = try parser.nextKey(isFirst: &isFirst) {
      do throws(FieldError) {
        try body(key, try parser.readValue())
      } catch {
        throw error.inside(string(key)).at(key.content.lowerBound)
      }
    }
  }

  /// Calls `body` with each element of an array that the parser returned; errors from within get
  /// the index in their path and, if they have no place, that of the element.
  func forEachElement(
    of array: Range<Int>, _ body: (JSONValue) throws(FieldError) -> Void
  ) throws(FieldError) {
    var parser = JSONParser(self, at: array.lowerBound + 1)
    var index = 0
    parser.skipWhiteSpace()
    while self[parser.position] != ASCII.closeBracket {
      let start = parser.position
      do throws(FieldError) {
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
