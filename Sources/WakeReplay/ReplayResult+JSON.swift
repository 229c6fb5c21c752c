import WakeJSON
import WakeScheduling

extension ReplayResult {
  /// The result as JSON, keys sorted and indented, with a newline at its end.
  public var json: String { text(.indented) }

  /// The result as JSON in one line, with a newline at its end.
  public var jsonLine: String { text(.line) }

  private func text(_ layout: JSONWriter.Layout) -> String {
    var json = JSONWriter(layout)
    json.reflected(self, else: Self.write(_:to:))
    return json.text
  }

  /// The results as a JSON array, with a newline at its end.
  public static func json(_ results: [ReplayResult]) -> String {
    var json = JSONWriter(.indented)
    json.array(results) { $0.reflected($1, else: Self.write(_:to:)) }
    return json.text
  }

  /// What is the same whenever the replay is repeated, for adding: without measurements of time and lists of traces and
  /// notices, and with other lists bounded as in merged results.
  public var repeatable: ReplayResult {
    var result = self
    (result.performance, result.pacing, result.skipped) = (nil, nil, nil)
    result.latency = Distribution.merged([])
    (result.traces, result.notices) = ([], [])
    result.boundLists()
    return result
  }

  /// Writes the values of which a result may hold thousands, and the digest, which is a string; false for others.
  private static func write(_ value: Any, to json: inout JSONWriter) -> Bool {
    switch value {
    case let digest as Digest: json.value(digest.description)
    case let sum as ExactSum: json.value(sum.description)
    case let shards as ShardSet: json.value(shards.description)
    case let sample as DeviceSample: json.value(sample.description)
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
