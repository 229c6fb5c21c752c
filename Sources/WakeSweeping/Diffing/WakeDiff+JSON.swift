import WakeEvents
package import WakeJSON
import WakeScheduling

// Keys are sorted.
extension WakeDiff {
  /// The diff as JSON.
  package func json(times: JSONTimeForm) -> String {
    var json = JSONWriter(.indented, times: times)
    json.object { json in
      json.member("a", labels.first)
      json.member("all") { all.write(to: &$0) }
      json.member("apps", apps) { json, app in
        json.object { json in
          json.member("app", app.app)
          app.counts.write(to: &json)
        }
      }
      json.member("b", labels.second)
      json.member("devices") { json in
        json.member("a", devices.first)
        json.member("b", devices.second)
        json.member("onlyA", devices.firstOnly)
        json.member("onlyB", devices.secondOnly)
        json.member("unwatched", unwatchedDevices)
      }
      json.member("differences", differences) { json, difference in
        json.object { difference.write(to: &$0) }
      }
      if let reasons {
        json.member("reasons") { json in
          for (reason, wakes) in reasons.sorted(by: { $0.reason.word < $1.reason.word }) {
            json.key(escaping: reason.word)
            json.value(wakes)
          }
        }
        json.member("unwaited", unwaited)
      }
      json.member("within", within)
    }
    return json.text
  }
}

extension WakeDiff.Counts {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("earlier", earlier)
    json.member("extra", extra)
    json.member("later", later)
    json.member("missing", missing)
    json.member("otherDetails", otherDetails)
    json.member("otherItems", otherItems)
    json.member("same", same)
    json.member("shift", Int64(clamping: shift))
    json.member("wakesOfA", first)
    json.member("wakesOfB", second)
  }
}

extension WakeDiff.Difference {
  fileprivate func write(to json: inout JSONWriter) {
    if let first { json.member("a") { first.write(to: &$0) } }
    json.member("app", app)
    if let second { json.member("b") { second.write(to: &$0) } }
    json.member("device", device)
    json.member("fields", fields) { $0.value($1) }
    if let reasons { json.member("reasons", reasons) { $0.value($1.word) } }
    json.member("what", what.rawValue)
  }
}

extension WakeDiff.Side {
  fileprivate func write(to json: inout JSONWriter) {
    if let end { json.member("end", time: end) }
    if let outcome { json.member("outcome", outcome.word) }
    if let refresh { json.member("refresh", refresh) }
    if let saves { json.member("saves", saves) }
    json.member("t", time: time)
    json.member("types", types) { $0.value($1) }
  }
}
