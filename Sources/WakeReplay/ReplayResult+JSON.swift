import WakeJSON
import WakeScheduling

// Written out, as encoding with `JSONEncoder` takes longer than to start the command; the tests hold this
// against it.
extension ReplayResult {
  /// The result as JSON, keys sorted and indented, with a newline at its end.
  public var json: String {
    var json = JSONWriter(.foundation)
    json.object(write)
    return json.text
  }

  private func write(to json: inout JSONWriter) {
    json.member("apps", apps) { json, app in json.object(app.write) }
    json.member("blocks", blocks)
    json.member("devices", devices)
    json.member("digest", digest.description)
    json.member("latency", latency.write)
    json.member("loss", loss.write)
    json.member("notices", notices) { $0.value($1) }
    if let pacing { json.member("pacing", pacing.write) }
    if let performance { json.member("performance", performance.write) }
    json.member("savesPerWake", savesPerWake.write)
    if let skipped {
      json.member("skipped") {
        $0.member("blocks", skipped.blocks)
        $0.member("events", skipped.events)
      }
    }
    json.member("staleness", staleness.write)
    json.member("summary", summary.write)
    json.member("traces", traces) { json, trace in
      json.object {
        $0.member("bytes", trace.bytes)
        $0.member("file", trace.file)
      }
    }
    json.member("wakesByCause") { json in
      for (cause, wakes) in wakesByCause.sorted(by: { $0.key < $1.key }) {
        json.key(escaping: cause)
        json.value(wakes)
      }
    }
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

extension ReplayResult.Loss {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("bytesPassedOver", bytesPassedOver)
    json.member("damagedEvents", damagedEvents)
    json.member("damages", damages) { json, damage in
      json.object {
        $0.member("file", damage.file)
        $0.member("message", damage.message)
        if let offset = damage.offset { $0.member("offset", offset) }
      }
    }
    json.member("lostEvents", lostEvents)
    json.member("missingBlocks", missingBlocks)
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
    if let peakMemoryBytes { json.member("peakMemoryBytes", peakMemoryBytes) }
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

extension Distribution {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("buckets", buckets) { json, bucket in
      json.object {
        $0.member("count", bucket.count)
        $0.member("upTo", bucket.upTo)
      }
    }
    json.member("count", count)
    if let maximum { json.member("maximum", maximum) }
    if let maximumAtEvent { json.member("maximumAtEvent", maximumAtEvent) }
    if let mean { json.member("mean", mean) }
    if let minimum { json.member("minimum", minimum) }
    json.member("percentiles") { json in
      for (name, value) in percentiles.sorted(by: { $0.key < $1.key }) {
        json.key(escaping: name)
        json.value(value)
      }
    }
  }
}

extension Summary {
  fileprivate func write(to json: inout JSONWriter) {
    let counts = Dictionary(uniqueKeysWithValues: Self.counts.map { ($0.key, $0.path) })
    for key in (Array(counts.keys) + ["digest", "stoppedApps"]).sorted() {
      json.key(escaping: key)
      if let path = counts[key] {
        json.value(self[keyPath: path])
      } else if key == "digest" {
        json.value(digest.description)
      } else {
        json.array(stoppedApps) { $0.value($1) }
      }
    }
  }
}
