import WakeEvents
package import WakeJSON
import WakeScheduling

// The JSON of a result is read in one pass, as a fleet has many of them. What is not added, such as speeds, is skipped.
extension ReplayResult {
  /// Reads the object that begins at the parser's place.
  package init(reading parser: inout JSONParser) throws(JSONError) {
    var basis: Basis?
    var summary: Summary?
    var digest: Digest?
    var deviceSum: Digest?
    var deviceHashes: DeviceSample?
    var (savesPerWake, staleness, latency): (Distribution?, Distribution?, Distribution?)
    var loss: Loss?
    var result = ReplayResult(
      basis: Basis(policy: Digest(), policyName: ""), summary: Summary(), digest: Digest(),
      savesPerWake: Distribution(), staleness: Distribution(), latency: Distribution())
    let keys = ["basis", "apps", "blocks", "devices", "wakesByCause"]
    try parser.readMembers(with: keys) { json, key throws(JSONError) in
      switch key {
      case "basis": basis = try Basis(reading: &json)
      case "shard":
        result.shard = try json.readOptional { json throws(JSONError) in
          guard let set = ShardSet(try json.readText()) else {
            throw JSONError(.invalidField, "expected shards such as 1-3,7/8")
          }
          return set
        }
      case "traces":
        try json.readElements { json throws(JSONError) in
          result.traces.append(try Trace(reading: &json))
        }
      case "devices": result.devices = try json.readCount()
      case "deviceSum": deviceSum = try json.readDigest()
      case "deviceHashes":
        let text = try json.bytes.string(try json.readValue())
        guard let sample = DeviceSample(json.bytes.utf8(of: text)) else {
          throw JSONError(.invalidField, "expected hashes of devices, 16 digits each, in order")
        }
        deviceHashes = sample
      case "blocks": result.blocks = try json.readCount()
      case "summary": summary = try Summary(reading: &json)
      case "digest": digest = try json.readDigest()
      case "without":
        result.without = try json.readOptional { json throws(JSONError) in try json.readTexts() }
      case "scheduler":
        result.scheduler = try json.readOptional { json throws(JSONError) in try json.readText() }
      case "wakesByCause": result.wakesByCause = try json.readCounts()
      case "apps":
        try json.readElements { json throws(JSONError) in
          result.apps.append(try App(reading: &json))
        }
      case "savesPerWake": savesPerWake = try Distribution(reading: &json)
      case "staleness": staleness = try Distribution(reading: &json)
      case "latency": latency = try Distribution(reading: &json)
      case "waiting":
        result.waiting = try json.readOptional { json throws(JSONError) in
          try Waiting(reading: &json)
        }
      case "bounds":
        result.bounds = try json.readOptional { json throws(JSONError) in
          try Bounds(reading: &json)
        }
      case "skipped":
        result.skipped = try json.readOptional { json throws(JSONError) in
          let counts = try json.readCounts()
          return Skipped(blocks: counts["blocks"] ?? 0, events: counts["events"] ?? 0)
        }
      case "loss": loss = try Loss(reading: &json)
      case "notices": result.notices = try json.readTexts()
      default: _ = try json.readValue()
      }
    }
    result.basis = try Self.required(basis, "basis")
    result.summary = try Self.required(summary, "summary")
    result.digest = try Self.required(digest, "digest")
    result.deviceSum = try Self.required(deviceSum, "deviceSum")
    result.deviceHashes = try Self.required(deviceHashes, "deviceHashes")
    result.savesPerWake = try Self.required(savesPerWake, "savesPerWake")
    result.staleness = try Self.required(staleness, "staleness")
    result.latency = try Self.required(latency, "latency")
    result.loss = try Self.required(loss, "loss")
    self = result
  }

  static func required<Value>(
    _ value: Value?, _ key: String
  ) throws(JSONError) -> Value {
    guard let value else { throw missing(key) }
    return value
  }

  static func missing(_ key: String) -> JSONError {
    JSONError(.missingField, "is missing; it is in results of this version of 'rouse replay'")
      .inside(key)
  }
}

extension ReplayResult.Basis {
  fileprivate init(reading parser: inout JSONParser) throws(JSONError) {
    self.init(policy: Digest(), policyName: "")
    var policyHash: Digest?
    try parser.readMembers { json, key throws(JSONError) in
      switch json.bytes.string(key) {
      case "format": format = try json.readCount()
      case "rules": rules = try json.readCount()
      case "policy": policyHash = try json.readDigest()
      case "policyName": policyName = try json.readText()
      case "from": from = try json.readOptional { json throws(JSONError) in try json.readInteger() }
      case "to": to = try json.readOptional { json throws(JSONError) in try json.readInteger() }
      case "types":
        types = try json.readOptional { json throws(JSONError) in try json.readTexts() }
      case "devices":
        devices = try json.readOptional { json throws(JSONError) in try json.readTexts() }
      case "contents":
        contents = try json.readOptional { json throws(JSONError) in try json.readDigest() }
      default: _ = try json.readValue()
      }
    }
    policy = try ReplayResult.required(policyHash, "policy")
  }
}

extension ReplayResult.Trace {
  fileprivate init(reading parser: inout JSONParser) throws(JSONError) {
    self.init(file: "", bytes: 0)
    try parser.readMembers { json, key throws(JSONError) in
      switch json.bytes.string(key) {
      case "file": file = try json.readText()
      case "bytes": bytes = try json.readInteger()
      default: _ = try json.readValue()
      }
    }
  }
}

extension ReplayResult.App {
  fileprivate init(reading parser: inout JSONParser) throws(JSONError) {
    self.init(app: "")
    let keys = [
      "app", "wakes", "completed", "expired", "aborted", "open", "saves", "pendingAtEnd",
      "pushesHeldAtEnd", "stoppedOnDevices",
    ]
    try parser.readMembers(with: keys) { json, key throws(JSONError) in
      switch key {
      case "app": app = try json.readText()
      case "wakes": wakes = try json.readCount()
      case "completed": completed = try json.readCount()
      case "expired": expired = try json.readCount()
      case "aborted": aborted = try json.readCount()
      case "open": open = try json.readCount()
      case "saves": saves = try json.readCount()
      case "pendingAtEnd": pendingAtEnd = try json.readCount()
      case "pushesHeldAtEnd": pushesHeldAtEnd = try json.readCount()
      case "stoppedOnDevices": stoppedOnDevices = try json.readCount()
      default: _ = try json.readValue()
      }
    }
  }
}

extension ReplayResult.Loss {
  fileprivate init(reading parser: inout JSONParser) throws(JSONError) {
    self.init()
    let keys = [
      "damages", "damagedPlaces", "damagedEvents", "bytesPassedOver", "lostEvents", "missingBlocks",
    ]
    try parser.readMembers(with: keys) { json, key throws(JSONError) in
      switch key {
      case "damages":
        try json.readElements { json throws(JSONError) in
          damages.append(try Damage(reading: &json))
        }
      case "damagedPlaces": damagedPlaces = try json.readCount()
      case "damagedEvents": damagedEvents = try json.readCount()
      case "bytesPassedOver": bytesPassedOver = try json.readInteger()
      case "lostEvents": lostEvents = UInt64(clamping: try json.readInteger())
      case "misplacedBlocks": misplacedBlocks = try json.readCount()
      case "missingBlocks": missingBlocks = try json.readCount()
      default: _ = try json.readValue()
      }
    }
  }
}

extension ReplayResult.Loss.Damage {
  fileprivate init(reading parser: inout JSONParser) throws(JSONError) {
    self.init(file: "", message: "")
    try parser.readMembers { json, key throws(JSONError) in
      switch json.bytes.string(key) {
      case "file": file = try json.readText()
      case "offset":
        offset = try json.readOptional { json throws(JSONError) in try json.readInteger() }
      case "message": message = try json.readText()
      default: _ = try json.readValue()
      }
    }
  }
}

extension Summary {
  private static let paths = Dictionary(uniqueKeysWithValues: counts.map { ($0.key, $0.path) })

  fileprivate init(reading parser: inout JSONParser) throws(JSONError) {
    self.init()
    var found = 0
    var hash: Digest?
    try parser.readMembers { json, key throws(JSONError) in
      let name = json.bytes.string(key)
      if let path = Self.paths[name] {
        self[keyPath: path] = try json.readCount()
        found += 1
      } else if name == "stoppedApps" {
        stoppedApps = try json.readTexts()
      } else if name == "digest" {
        hash = try json.readDigest()
      } else {
        _ = try json.readValue()
      }
    }
    digest = try ReplayResult.required(hash, "digest")
    guard found == Self.paths.count else {
      throw JSONError(.missingField, "has not all counts of page Rules, section 7")
    }
  }
}

extension ReplayResult.Waiting {
  fileprivate init(reading parser: inout JSONParser) throws(JSONError) {
    var sums: Part?
    var parts: [Part] = []
    try parser.readMembers(with: ["all", "items"]) { json, key throws(JSONError) in
      switch key {
      case "all": sums = try Part(reading: &json)
      case "items":
        try json.readElements { json throws(JSONError) in parts.append(try Part(reading: &json)) }
      default: _ = try json.readValue()
      }
    }
    self.init(all: try ReplayResult.required(sums, "all"), items: parts)
  }
}

extension ReplayResult.Waiting.Part {
  fileprivate init(reading parser: inout JSONParser) throws(JSONError) {
    self.init(waited: Distribution())
    let keys = ["saves", "wakes", "waitingAtEnd", "waited", "reasons"]
    try parser.readMembers(with: keys) { json, key throws(JSONError) in
      switch key {
      case "app": app = try json.readOptional { json throws(JSONError) in try json.readText() }
      case "item": item = try json.readOptional { json throws(JSONError) in try json.readText() }
      case "type": type = try json.readOptional { json throws(JSONError) in try json.readText() }
      case "saves": saves = try json.readCount()
      case "wakes": wakes = try json.readCount()
      case "waitingAtEnd": waitingAtEnd = try json.readCount()
      case "waited": waited = try Distribution(reading: &json)
      case "reasons":
        try json.readMembers { json, key throws(JSONError) in
          let times = try json.readCounts()
          reasons[json.bytes.string(key)] = .init(
            any: Int64(times["any"] ?? 0), alone: Int64(times["alone"] ?? 0),
            last: Int64(times["last"] ?? 0))
        }
      case "dropped":
        dropped = try json.readOptional { json throws(JSONError) in
          var dropped: [String: ReplayResult.Waiting.Dropped] = [:]
          try json.readMembers { json, key throws(JSONError) in
            let counts = try json.readCounts()
            dropped[json.bytes.string(key)] = .init(
              waits: counts["waits"] ?? 0, saves: counts["saves"] ?? 0,
              waited: Int64(counts["waited"] ?? 0))
          }
          return dropped
        }
      default: _ = try json.readValue()
      }
    }
  }
}

extension ReplayResult.Bounds {
  fileprivate init(reading parser: inout JSONParser) throws(JSONError) {
    var apps: [App] = []
    try parser.readMembers { json, key throws(JSONError) in
      var app = App(app: json.bytes.string(key))
      let keys = ["wakes", "behind", "leastBehind", "fewestWakes", "fewestWakesWithin"]
      try json.readMembers(with: keys) { json, key throws(JSONError) in
        switch key {
        case "wakes": app.wakes = try json.readCount()
        case "behind": app.behind = try json.readInteger()
        case "leastBehind": app.leastBehind = try json.readInteger()
        case "fewestWakes": app.fewestWakes = try json.readCount()
        case "fewestWakesWithin":
          for (name, wakes) in try json.readCounts() {
            guard let seconds = Int(name) else {
              throw JSONError(.invalidField, "'\(name.shown)' is not whole seconds")
            }
            app.fewestWakesWithin.append(Within(seconds: seconds, wakes: wakes))
          }
        default: _ = try json.readValue()
        }
      }
      app.fewestWakesWithin.sort { $0.seconds < $1.seconds }
      apps.append(app)
    }
    self.init(sorting: apps)
  }
}
