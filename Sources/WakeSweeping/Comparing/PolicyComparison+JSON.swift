import WakeEvents
import WakeJSON
import WakeReplay
import WakeScheduling

extension PolicyComparison {
  /// The comparison as JSON, times in nanoseconds.
  package var json: String {
    var json = JSONWriter(.indented)
    json.object { json in
      json.member("all") { all.writeCompared(to: &$0) }
      json.key("apps")
      json.array(apps) { json, app in
        json.object { json in
          json.member("app", app.app)
          app.counts.writeCompared(to: &json)
        }
      }
      json.member("devices", devices)
      json.member("digestOfP", digests.first.description)
      json.member("digestOfQ", digests.second.description)
      json.key("examples")
      json.array(examples) { json, example in
        json.object { json in
          json.member("app", example.app)
          json.member("device", example.device)
          if let first = example.first { json.member("p", first.nanoseconds) }
          if let second = example.second { json.member("q", second.nanoseconds) }
          json.member("what", example.what)
        }
      }
      json.member("inputs", inputs)
      json.key("reasons")
      json.array(reasons) { json, gain in
        json.object { json in
          for (key, sums) in [("p", gain.first), ("q", gain.second)] {
            json.key(escaping: key)
            json.object { json in
              json.member("alone", sums.alone)
              json.member("any", sums.any)
              json.member("last", sums.last)
            }
          }
          json.member("reason", gain.reason)
        }
      }
    }
    return json.text
  }
}

extension WakeDiff.Counts {
  fileprivate func writeCompared(to json: inout JSONWriter) {
    json.member("changed", changed)
    json.member("earlier", earlier)
    json.member("extra", extra)
    json.member("later", later)
    json.member("missing", missing)
    json.member("same", same)
    json.member("shift", Int64(clamping: shift))
    json.member("wakesOfP", first)
    json.member("wakesOfQ", second)
  }
}
