public import Measurement

/// What one benchmark came to.
public struct BenchmarkResult: Codable, Hashable, Sendable {
  /// One measured region: many operations, timed together.
  public struct Sample: Codable, Hashable, Sendable {
    /// When it began, in nanoseconds since the run did.
    public var at: UInt64
    /// Operations done, of the result's ``BenchmarkResult/unit``.
    public var operations: Int
    /// Nanoseconds they took by the clock.
    public var nanoseconds: UInt64
    /// Nanoseconds they took on processors, of all threads.
    public var processorNanoseconds: UInt64

    /// Makes a sample.
    public init(at: UInt64, operations: Int, nanoseconds: UInt64, processorNanoseconds: UInt64) {
      self.at = at
      self.operations = operations
      self.nanoseconds = nanoseconds
      self.processorNanoseconds = processorNanoseconds
    }

    /// Nanoseconds an operation, by the clock.
    public var nanosecondsPerOperation: Double { Double(nanoseconds) / Double(operations) }
    /// Nanoseconds an operation, on processors.
    public var processorNanosecondsPerOperation: Double {
      Double(processorNanoseconds) / Double(operations)
    }
  }

  /// The latencies of single operations, as a histogram's buckets.
  public struct Latencies: Codable, Hashable, Sendable {
    /// Values that share a count.
    public struct Bucket: Codable, Hashable, Sendable {
      /// The greatest value of the bucket, in nanoseconds.
      public var upTo: Int64
      /// How many there were.
      public var count: Int

      /// Makes a bucket.
      public init(upTo: Int64, count: Int) {
        self.upTo = upTo
        self.count = count
      }
    }

    /// In ascending order, none empty.
    public var buckets: [Bucket]
    /// How many operations were measured.
    public var count: Int
    /// Nanoseconds.
    public var minimum: Int64
    /// Nanoseconds.
    public var maximum: Int64
    /// Nanoseconds.
    public var mean: Double
    /// Nanoseconds.
    public var standardDeviation: Double

    /// The latencies in a histogram; nil if it is empty.
    public init?(_ histogram: borrowing Histogram) {
      guard let summary = histogram.summary(percentiles: []) else { return nil }
      var buckets: [Bucket] = []
      histogram.forEachBucket {
        buckets.append(
          Bucket(upTo: min($0.values.upperBound, summary.maximum), count: $0.count))
      }
      self.buckets = buckets
      count = summary.count
      minimum = summary.minimum
      maximum = summary.maximum
      mean = summary.mean
      standardDeviation = summary.standardDeviation
    }

    /// The value at a percentile, from 0 to 100; see ``Histogram/value(atPercentile:)``.
    public func value(atPercentile percentile: Double) -> Int64 {
      guard percentile > 0 else { return minimum }
      let rank = Histogram.rank(ofPercentile: min(percentile, 100), among: count)
      var passed = 0
      for bucket in buckets {
        passed += bucket.count
        if passed >= rank { return bucket.upTo }
      }
      return maximum
    }
  }

  /// Like a path, from the general to the special: `coalescer/quiet/10`.
  public var name: String
  /// `micro`, `macro`, `short`, `scaling` …
  public var tags: [String]
  /// What one operation is: `event`, `wake`, `look-up`.
  public var unit: String
  /// In the order they were taken; warming up is not among them.
  public var samples: [Sample] = []
  /// Everything counted; see ``BenchmarkCounter``.
  public var counters: [BenchmarkCounter] = []
  /// Stands for what was computed, 16 hexadecimal digits. It was checked: a run with a wrong one
  /// fails.
  public var digest: String
  /// Where single operations were timed.
  public var latencies: Latencies?

  /// Makes a result without samples.
  public init(name: String, tags: [String], unit: String, digest: String) {
    self.name = name
    self.tags = tags
    self.unit = unit
    self.digest = digest
  }

  /// The median time of an operation by the clock, in nanoseconds; nil without samples.
  public var medianNanoseconds: Double? {
    Statistics.median(of: samples.map(\.nanosecondsPerOperation))
  }

  /// The median time of an operation on processors, in nanoseconds; nil without samples.
  public var medianProcessorNanoseconds: Double? {
    Statistics.median(of: samples.map(\.processorNanosecondsPerOperation))
  }

  /// Operations in a second of the median time; nil without samples.
  public var operationsPerSecond: Double? {
    medianNanoseconds.map { 1_000_000_000 / $0 }
  }

  /// The value of a counter; nil if there is none.
  public func value(of counter: BenchmarkCounter.Name) -> Double? {
    counters.first { $0.name == counter }?.value
  }
}
