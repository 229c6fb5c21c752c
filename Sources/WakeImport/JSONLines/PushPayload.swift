package import WakeEvents

extension Push.Payload {
  /// Reads the text of an `aps` object (SPEC 5.8).
  ///
  /// - Throws: ``ImportError`` if the text is not an object of JSON, or its `content-available` no
  ///   number.
  /// - Complexity: O(n), n being its length.
  package init(json: String) throws(ImportError) {
    self = try Array(json.utf8).withJSONBytes { bytes throws(ImportError) in
      do throws(FieldError) {
        var parser = JSONParser(bytes)
        return try bytes.pushPayload(try parser.readDocument())
      } catch let error {
        throw error.inside("aps").located(in: bytes, file: "push", line: 1)
      }
    }
  }
}
