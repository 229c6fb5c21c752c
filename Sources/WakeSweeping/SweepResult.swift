import Measurement
package import WakeScheduling

/// What a sweep has found: a row for each policy.
package struct SweepResult: Sendable {
  /// Percentiles and the greatest of some times in nanoseconds; nil if there are none.
  package struct Spread: Hashable, Sendable {
    package var p50: Int64?
    package var p95: Int64?
    package var p99: Int64?
    package var maximum: Int64?

    init(_ histogram: borrowing Histogram) {
      p50 = histogram.value(atPercentile: 50)
      p95 = histogram.value(atPercentile: 95)
      p99 = histogram.value(atPercentile: 99)
      maximum = histogram.maximum
    }

    /// The values by their names.
    package var named: [(name: String, value: Int64?)] {
      [("p50", p50), ("p95", p95), ("p99", p99), ("max", maximum)]
    }
  }

  /// The row that was replayed instead, and why both have the same wakes.
  package struct Proof: Hashable, Sendable {
    /// The index of the row.
    package var row: Int
    /// Why no parameter that differs can matter, in words.
    package var reasons: [String]
  }

  /// Where a row stands among all, by its wakes and the time behind.
  package enum Standing: Hashable, Sendable {
    /// No row has fewer of one and no more of the other.
    case onFront
    /// The row of this index, on the front, is better.
    case dominated(by: Int)
  }

  package struct Row: Sendable {
    /// The value of each parameter, as it was given.
    package var values: [String]
    /// The counts and the digest, as of a replay alone.
    package var summary: Summary
    /// How long the oldest save of each wake had waited.
    package var waited: Spread
    /// The same, less the time for which the device was locked.
    package var waitedUnlocked: Spread
    /// Nanoseconds for which something was owed to an app, over all apps and devices (page Rules, 10.1).
    package var behind: Int128
    /// The least of them that as many wakes allow (page Rules, 10.4).
    package var leastBehind: Int128
    /// Nil if the row was replayed.
    package var proof: Proof?
    package var standing = Standing.onFront

    /// ``leastBehind`` as a share of ``behind``: 1 is the best that there can be.
    package var shareOfBound: Double {
      behind == 0 ? 1 : Double(leastBehind) / Double(behind)
    }
  }

  /// The least time behind that so many wakes on all devices together allow.
  package struct CurvePoint: Sendable {
    package var wakes: Int
    /// Nanoseconds.
    package var leastBehind: Int128
  }

  /// What the sweep took.
  package struct Cost: Sendable {
    /// Passes over the trace.
    package var rounds = 0
    /// Policies that were replayed.
    package var replayed = 0
    /// Nanoseconds of all threads.
    package var decodeTime: UInt64 = 0
    package var scheduleTime: UInt64 = 0
    /// Nanoseconds of all threads for the bound.
    package var boundTime: UInt64 = 0
    package var elapsed: UInt64 = 0
  }

  package var traces: [String] = []
  /// The paths of the parameters.
  package var parameters: [String]
  package var rows: [Row]
  /// Devices in the traces, and those that were swept.
  package var devicesInAll: Int
  package var devices: Int
  /// The time from each device's first to its last input, in days, added up.
  package var deviceDays: Double
  /// From no wake on.
  package var curve: [CurvePoint]
  package var cost: Cost

  /// Wakes of a row by device and day.
  package func wakesPerDay(_ row: Row) -> Double? {
    deviceDays > 0 ? Double(row.summary.wakes) / deviceDays : nil
  }

  /// Finds out where each row stands.
  mutating func rank() {
    let order = rows.indices.sorted {
      let (one, other) = (rows[$0], rows[$1])
      if one.summary.wakes != other.summary.wakes { return one.summary.wakes < other.summary.wakes }
      return one.behind != other.behind ? one.behind < other.behind : $0 < $1
    }
    var best: Int?
    for row in order {
      guard let front = best else {
        best = row
        continue
      }
      if rows[row].behind < rows[front].behind {
        best = row
      } else if rows[row].behind > rows[front].behind
        || rows[row].summary.wakes > rows[front].summary.wakes
      {
        rows[row].standing = .dominated(by: front)
      }
    }
  }
}
