import WakeJSON
import WakeScheduling

extension ReplayResult {
  /// The result as JSON, keys sorted and indented, with a newline at its end.
  public var json: String {
    var json = JSONWriter(.indented)
    json.reflected(self, else: Self.write(_:to:))
    return json.text
  }

  /// Writes the values of which a result may hold thousands, and the digest, which is a string; false for others.
  private static func write(_ value: Any, to json: inout JSONWriter) -> Bool {
    switch value {
    case let digest as Digest: json.value(digest.description)
    case let app as App: json.object(app.write)
    case let bounds as Bounds: json.object(bounds.write)
    case let bucket as Distribution.Bucket: json.object(bucket.write)
    default: return false
    }
    return true
  }
}

extension ReplayResult.App {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("aborted", aborted)
    json.member("app", app)
    json.member("completed", completed)
    json.member("expired", expired)
    json.member("open", open)
    json.member("pendingAtEnd", pendingAtEnd)
    json.member("pushesHeldAtEnd", pushesHeldAtEnd)
    json.member("saves", saves)
    json.member("stoppedOnDevices", stoppedOnDevices)
    json.member("wakes", wakes)
  }
}

extension Distribution.Bucket {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("count", count)
    json.member("upTo", upTo)
  }
}
