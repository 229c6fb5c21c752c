package import WakeEvents
internal import WakeJSON

/// A line of a wake log (page Rules, 7). What the line does not have is nil; what it says is not there is `.some(nil)`.
package struct LoggedWake {
  package var device: Device
  package var time: Timestamp
  package var app: App
  package var types: [SampleType]
  package var saves: Int?
  package var oldest: Timestamp??
  package var push: String??
  package var refresh: Bool?
  package var outcome: Observation.Outcome?
  package var end: Timestamp??
}

extension EventParser {
  /// The wake of a line that is not blank. A line of the kind `observed` is one, too.
  mutating func parseWake(_ line: JSONBytes) throws(JSONError) -> LoggedWake {
    try fields.read(line)
    do throws(JSONError) {
      if let kind = try optionalString(.k), bytes.string(kind) != "observed" {
        throw JSONError(
          .invalidField, "is that of an input; a line of a wake log has none, or observed")
      }
      return LoggedWake(
        device: try device(), time: try bytes.time(try fields.required(.t)), app: try app(),
        types: try typeList(), saves: try fields.optional(.saves).map(bytes.wholeCount),
        oldest: try told(.oldest) { bytes, value throws(JSONError) in try bytes.time(value) },
        push: try told(.push) { bytes, value throws(JSONError) in
          bytes.string(try bytes.boundedString(value))
        },
        refresh: try fields.optional(.refresh).map(bytes.boolean), outcome: try outcome(),
        end: try told(.end) { bytes, value throws(JSONError) in try bytes.time(value) })
    } catch {
      throw error.inside(fields.current.name)
    }
  }

  private mutating func told<Value>(
    _ field: Field, _ read: (JSONBytes, JSONValue) throws(JSONError) -> Value
  ) throws(JSONError) -> Value?? {
    guard fields.has(field) else { return nil }
    guard let value = fields.optional(field) else { return .some(nil) }
    return try read(bytes, value)
  }
}

extension JSONBytes {
  fileprivate func wholeCount(_ value: JSONValue) throws(JSONError) -> Int {
    Int(try wholeNumber(value, in: 0...(.max), "a count"))
  }
}
