public import Measurement

/// The result of a benchmark.
public struct BenchmarkResult: Codable, Hashable, Sendable {
  /// A sample: one pass of the measured region with many operations.
  public struct Sample: Codable, Hashable, Sendable {
    /// Its start, in nanoseconds since the start of the run; with a scheduler under test, since its benchmark was begun.
    public var at: UInt64
    /// The number of operations, in the result's ``BenchmarkResult/unit``.
    public var operations: Int
    /// Elapsed time of all operations, in nanoseconds.
    public var nanoseconds: UInt64
    /// Processor time of all operations and threads, in nanoseconds.
    public var processorNanoseconds: UInt64

    /// Makes a sample.
    public init(at: UInt64, operations: Int, nanoseconds: UInt64, processorNanoseconds: UInt64) {
      self.at = at
      self.operations = operations
      self.nanoseconds = nanoseconds
      self.processorNanoseconds = processorNanoseconds
    }

    /// Elapsed nanoseconds an operation.
    public var nanosecondsPerOperation: Double { Double(nanoseconds) / Double(operations) }
    /// Processor time an operation, in nanoseconds.
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
      /// The number of values.
      public var count: Int

      /// Makes a bucket.
      public init(upTo: Int64, count: Int) {
        self.upTo = upTo
        self.count = count
      }
    }

    /// The buckets in ascending order, without empty ones.
    public var buckets: [Bucket]
    /// The number of measured operations.
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

  /// A path from the general to the particular: `coalescer/quiet/10`.
  public var name: String
  /// `micro`, `macro`, `short`, `scaling` …
  public var tags: [String]
  /// The unit of an operation: `event`, `wake`, `look-up`.
  public var unit: String
  /// The samples in order, without warm-up.
  public var samples: [Sample] = []
  /// The counters; see ``BenchmarkCounter``.
  public var counters: [BenchmarkCounter] = []
  /// The digest of the computed results, 16 hexadecimal digits. A run with a wrong one fails.
  public var digest: String
  /// The wakes of all operations of an iteration, where a scheduler under test was measured.
  public var wakes: Int?
  /// The latencies of single operations, where they were measured.
  public var latencies: Latencies?

  /// Makes a result without samples.
  public init(name: String, tags: [String], unit: String, digest: String) {
    self.name = name
    self.tags = tags
    self.unit = unit
    self.digest = digest
  }

  /// The median elapsed time of an operation, in nanoseconds; nil without samples.
  public var medianNanoseconds: Double? {
    Statistics.median(of: samples.map(\.nanosecondsPerOperation))
  }

  /// The median processor time of an operation, in nanoseconds; nil without samples.
  public var medianProcessorNanoseconds: Double? {
    Statistics.median(of: samples.map(\.processorNanosecondsPerOperation))
  }

  /// Operations a second at the median elapsed time; nil without samples.
  public var operationsPerSecond: Double? {
    medianNanoseconds.map { 1_000_000_000 / $0 }
  }

  /// The value of a counter; nil if there is none.
  public func value(of counter: BenchmarkCounter.Name) -> Double? {
    counters.first { $0.name == counter }?.value
  }
}
