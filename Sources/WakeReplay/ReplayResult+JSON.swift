import WakeJSON
import WakeScheduling

extension ReplayResult {
  /// The result as JSON, keys sorted and indented, with a newline at its end.
  public var json: String { text(.indented) }

  /// The result as JSON in one line, with a newline at its end.
  public var jsonLine: String { text(.line) }

  private func text(_ layout: JSONWriter.Layout) -> String {
    var json = JSONWriter(layout)
    json.object(write)
    return json.text
  }

  /// The results as a JSON array, with a newline at its end.
  public static func json(_ results: [ReplayResult]) -> String {
    var json = JSONWriter(.indented)
    json.array(results) { $0.object($1.write) }
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
}

// Each structure is an object of its properties with sorted keys, without those that are nil. They are written out, as
// reflection takes a millisecond of each command.

extension ReplayResult {
  private func write(to json: inout JSONWriter) {
    json.member("apps", apps) { $0.object($1.write) }
    json.member("basis", basis.write)
    json.member("blocks", blocks)
    if let bounds { json.member("bounds", bounds.write) }
    json.member("deviceHashes", deviceHashes.description)
    json.member("deviceSum", deviceSum.description)
    json.member("devices", devices)
    json.member("digest", digest.description)
    json.member("latency", latency.write)
    json.member("loss", loss.write)
    json.member("notices", notices) { $0.value($1) }
    if let pacing { json.member("pacing", pacing.write) }
    if let performance { json.member("performance", performance.write) }
    json.member("savesPerWake", savesPerWake.write)
    json.memberIfPresent("scheduler", scheduler)
    json.memberIfPresent("shard", shard?.description)
    if let skipped { json.member("skipped", skipped.write) }
    json.member("staleness", staleness.write)
    json.member("summary", summary.write)
    json.member("traces", traces) { $0.object($1.write) }
    if let waiting { json.member("waiting", waiting.write) }
    json.member("wakesByCause", byKey: wakesByCause) { $0.value($1) }
    if let without { json.member("without", without) { $0.value($1) } }
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

extension ReplayResult.Basis {
  fileprivate func write(to json: inout JSONWriter) {
    json.memberIfPresent("contents", contents?.description)
    if let devices { json.member("devices", devices) { $0.value($1) } }
    json.member("format", format)
    json.memberIfPresent("from", from)
    json.member("policy", policy.description)
    json.member("policyName", policyName)
    json.member("rules", rules)
    json.memberIfPresent("to", to)
    if let types { json.member("types", types) { $0.value($1) } }
  }
}

extension ReplayResult.Trace {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("bytes", bytes)
    json.member("file", file)
  }
}

extension ReplayResult.Loss {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("bytesPassedOver", bytesPassedOver)
    json.member("damagedEvents", damagedEvents)
    json.member("damagedPlaces", damagedPlaces)
    json.member("damages", damages) { json, damage in
      json.object {
        $0.member("file", damage.file)
        $0.member("message", damage.message)
        $0.memberIfPresent("offset", damage.offset)
      }
    }
    json.member("lostEvents", lostEvents)
    json.member("misplacedBlocks", misplacedBlocks)
    json.member("missingBlocks", missingBlocks)
  }
}

extension ReplayResult.Skipped {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("blocks", blocks)
    json.member("events", events)
  }
}

extension ReplayResult.Performance {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("clockNanoseconds", clockNanoseconds)
    json.member("decodeNanoseconds", decodeNanoseconds)
    json.member("elapsedNanoseconds", elapsedNanoseconds)
    json.member("events", events)
    json.member("eventsPerSecond", eventsPerSecond)
    json.member("latencySampling", latencySampling)
    json.memberIfPresent("peakMemoryBytes", peakMemoryBytes)
    json.member("repetitions", repetitions) { $0.value($1) }
    json.member("scheduleNanoseconds", scheduleNanoseconds)
    json.member("threads", threads)
  }
}

extension ReplayResult.PaceKeeping {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("furthestBehindNanoseconds", furthestBehindNanoseconds)
    json.member("lateEvents", lateEvents)
    json.member("speed", speed)
  }
}

extension ReplayResult.Waiting {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("all", all.write)
    json.member("items", items) { $0.object($1.write) }
  }
}

extension ReplayResult.Waiting.Part {
  fileprivate func write(to json: inout JSONWriter) {
    json.memberIfPresent("app", app)
    if let dropped {
      json.member("dropped", byKey: dropped) { json, dropped in
        json.object {
          $0.member("saves", dropped.saves)
          $0.member("waited", dropped.waited)
          $0.member("waits", dropped.waits)
        }
      }
    }
    json.memberIfPresent("item", item)
    json.member("reasons", byKey: reasons) { json, sums in
      json.object {
        $0.member("alone", sums.alone)
        $0.member("any", sums.any)
        $0.member("last", sums.last)
      }
    }
    json.member("saves", saves)
    json.memberIfPresent("type", type)
    json.member("waited", waited.write)
    json.member("waitingAtEnd", waitingAtEnd)
    json.member("wakes", wakes)
  }
}

extension Distribution {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("buckets", buckets) { json, bucket in
      json.object {
        $0.member("count", bucket.count)
        $0.member("upTo", bucket.upTo)
      }
    }
    json.member("count", count)
    json.memberIfPresent("maximum", maximum)
    json.memberIfPresent("maximumAtEvent", maximumAtEvent)
    json.memberIfPresent("mean", mean)
    json.memberIfPresent("minimum", minimum)
    json.member("percentiles", byKey: percentiles) { $0.value($1) }
    json.member("sum", sum.description)
  }
}

extension Summary {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("aborted", aborted)
    json.member("completed", completed)
    json.member("deletes", deletes)
    json.member("digest", digest.description)
    json.member("expired", expired)
    json.member("ignoredCompletions", ignoredCompletions)
    json.member("inputs", inputs)
    json.member("lateInputs", lateInputs)
    json.member("liveDeliveries", liveDeliveries)
    json.member("open", open)
    json.member("pendingAtEnd", pendingAtEnd)
    json.member("pushesDeliveredLive", pushesDeliveredLive)
    json.member("pushesDiscarded", pushesDiscarded)
    json.member("pushesHeldAtEnd", pushesHeldAtEnd)
    json.member("pushesSuperseded", pushesSuperseded)
    json.member("rejectedPushes", rejectedPushes)
    json.member("rejectedRegistrations", rejectedRegistrations)
    json.member("saves", saves)
    json.member("stoppedApps", stoppedApps) { $0.value($1) }
    json.member("wakes", wakes)
    json.member("wakesWithHealth", wakesWithHealth)
    json.member("wakesWithPush", wakesWithPush)
    json.member("wakesWithRefresh", wakesWithRefresh)
  }
}

extension JSONWriter {
  /// Writes a member that is an object of values by their keys, which are sorted.
  fileprivate mutating func member<Value>(
    _ key: StaticString, byKey values: [String: Value],
    _ write: (inout JSONWriter, Value) -> Void
  ) {
    member(key) { json in
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        json.key(escaping: key)
        write(&json, value)
      }
    }
  }
}
