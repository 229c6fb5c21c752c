import WakeJSON

extension Distribution {
  init(reading parser: inout JSONParser) throws(JSONError) {
    self.init()
    var total: ExactSum?
    try parser.readMembers { json, key throws(JSONError) in
      switch json.bytes.string(key) {
      case "count": count = try json.readCount()
      case "minimum":
        minimum = try json.readOptional { json throws(JSONError) in try json.readInteger() }
      case "maximum":
        maximum = try json.readOptional { json throws(JSONError) in try json.readInteger() }
      case "sum":
        guard let sum = ExactSum(try json.readText()) else {
          throw JSONError(.invalidField, "expected a sum of decimal digits")
        }
        total = sum
      case "buckets":
        try json.readElements { json throws(JSONError) in
          buckets.append(try Bucket(reading: &json))
        }
      default: _ = try json.readValue()
      }
    }
    sum = try ReplayResult.required(total, "sum")
  }
}

extension Distribution.Bucket {
  init(reading parser: inout JSONParser) throws(JSONError) {
    self.init(upTo: 0, count: 0)
    try parser.readMembers { json, key throws(JSONError) in
      switch json.bytes.string(key) {
      case "count": count = try json.readCount()
      case "upTo": upTo = try json.readInteger()
      default: _ = try json.readValue()
      }
    }
  }
}
