import WakeJSON
import WakeReplay
import WakeScheduling

extension SweepResult {
  /// A row of CSV for each row, times in nanoseconds.
  package var csv: [UInt8] {
    var csv = CSVWriter(
      header: ["row"] + parameters + [
        "wakes", "wakesPerDeviceDay", "expired", "stopped", "waitedP50", "waitedP95", "waitedP99",
        "waitedMax", "unlockedP50", "unlockedP95", "unlockedP99", "unlockedMax", "behind",
        "leastBehind", "shareOfBound", "neverDelivered", "digest", "onFront", "dominatedBy",
        "sameAs", "because",
      ])
    for (place, row) in rows.enumerated() {
      csv.field(place + 1)
      for value in row.values { csv.field(value) }
      csv.field(row.summary.wakes)
      csv.field(wakesPerDay(row))
      csv.field(row.summary.expired)
      csv.field(row.summary.stoppedApps.count)
      for (_, value) in row.waited.named + row.waitedUnlocked.named { csv.field(value) }
      csv.field(Int64(clamping: row.behind))
      csv.field(Int64(clamping: row.leastBehind))
      csv.field(row.shareOfBound)
      csv.field(row.summary.pendingAtEnd)
      csv.field(row.summary.digest.description)
      csv.field(row.standing == .onFront)
      if case .dominated(let better) = row.standing {
        csv.field(better + 1)
      } else {
        csv.field(nil as Int?)
      }
      csv.field(row.proof.map { $0.row + 1 })
      csv.field(row.proof?.reasons.joined(separator: "; "))
      csv.endRow()
    }
    return csv.bytes
  }

  /// The sweep as JSON, times in nanoseconds. Rows count from 1.
  package var json: String {
    var json = JSONWriter(.indented)
    json.object(write)
    return json.text
  }

  func write(to json: inout JSONWriter) {
    json.member("bound") { json in
      json.member("behindWithoutWakes", Int64(clamping: curve.first?.leastBehind ?? 0))
    }
    json.key("cost")
    json.object { json in
      json.member("boundNanoseconds", cost.boundTime)
      json.member("decodeNanoseconds", cost.decodeTime)
      json.member("elapsedNanoseconds", cost.elapsed)
      json.member("passes", cost.rounds)
      json.member("replayed", cost.replayed)
      json.member("scheduleNanoseconds", cost.scheduleTime)
    }
    json.member("deviceDays", deviceDays)
    json.member("devices", devices)
    json.member("devicesInAll", devicesInAll)
    json.key("parameters")
    json.array(parameters) { $0.value($1) }
    json.key("rows")
    json.array(Array(rows.enumerated())) { json, element in
      json.object { write(element.element, number: element.offset + 1, to: &$0) }
    }
    json.key("sensitivity")
    json.array(sensitivities) { json, sensitivity in
      json.object { json in
        json.key("intervals")
        json.array(sensitivity.intervals) { json, interval in
          json.object { json in
            json.member("from", interval.from)
            json.member("to", interval.to)
          }
        }
        json.member("parameter", sensitivity.parameter)
      }
    }
    json.key("traces")
    json.array(traces) { $0.value($1) }
  }

  private func write(_ row: Row, number: Int, to json: inout JSONWriter) {
    json.member("behind", Int64(clamping: row.behind))
    json.member("digest", row.summary.digest.description)
    if case .dominated(let better) = row.standing { json.member("dominatedBy", better + 1) }
    json.member("expired", row.summary.expired)
    json.member("leastBehind", Int64(clamping: row.leastBehind))
    json.member("neverDelivered", row.summary.pendingAtEnd)
    json.member("onFront", row.standing == .onFront)
    json.member("row", number)
    if let proof = row.proof {
      json.key("same")
      json.object { json in
        json.member("as", proof.row + 1)
        json.key("because")
        json.array(proof.reasons) { $0.value($1) }
      }
    }
    json.member("shareOfBound", row.shareOfBound)
    json.member("stopped", row.summary.stoppedApps.count)
    json.key("values")
    json.array(row.values) { $0.value($1) }
    for (key, spread) in [("waited", row.waited), ("waitedUnlocked", row.waitedUnlocked)] {
      json.key(escaping: key)
      json.object { json in
        for (name, value) in spread.named {
          guard let value else { continue }
          json.key(escaping: name)
          json.value(value)
        }
      }
    }
    json.member("wakes", row.summary.wakes)
    if let rate = wakesPerDay(row) { json.member("wakesPerDeviceDay", rate) }
  }
}
