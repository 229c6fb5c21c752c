package import WakeEvents
internal import WakeJSON

extension Push.Payload {
  /// Reads the text of an `aps` object (rule 5.8).
  ///
  /// - Throws: ``ImportError`` if the text is not a JSON object or its `content-available` is not a number.
  /// - Complexity: O(n), n being its length.
  package init(json: String) throws(ImportError) {
    self = try Array(json.utf8).withJSONBytes { bytes throws(ImportError) in
      do throws(JSONError) {
        var parser = JSONParser(bytes)
        return try bytes.pushPayload(try parser.readDocument())
      } catch let error {
        throw error.inside("aps").located(in: bytes, file: "push", line: 1)
      }
    }
  }
}
