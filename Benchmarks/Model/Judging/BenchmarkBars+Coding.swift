/// Files of thresholds are also written by hand. An unknown key would be a threshold without effect, so it is an error.
extension BenchmarkBars {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case schemaVersion, compiler, architecture, configuration, compression, machine, tolerances
    case benchmarks
  }

  /// Reads bars.
  ///
  /// - Throws: `DecodingError`, also for unknown keys and for counters that have no thresholds.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(except: CodingKeys.allCases.map(\.rawValue))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      compiler: try container.decode(String.self, forKey: .compiler),
      tolerances: try container.decode(CounterAmounts.self, forKey: .tolerances).amounts,
      benchmarks: try container.decode([String: Bars].self, forKey: .benchmarks))
    schemaVersion = try container.decode(Int.self, forKey: .schemaVersion)
    architecture = try container.decodeIfPresent(String.self, forKey: .architecture)
    configuration = try container.decodeIfPresent(String.self, forKey: .configuration)
    compression = try container.decodeIfPresent(String.self, forKey: .compression)
    machine = try container.decodeIfPresent(MachineDescription.self, forKey: .machine)
  }
}

extension BenchmarkBars.Bars {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case digest, counters, time
  }

  /// Reads the bars of a benchmark; see ``BenchmarkBars/init(from:)``.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(except: CodingKeys.allCases.map(\.rawValue))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      digest: try container.decodeIfPresent(String.self, forKey: .digest),
      counters: try container.decodeIfPresent(CounterAmounts.self, forKey: .counters)?.amounts
        ?? [:],
      time: try container.decodeIfPresent(BenchmarkBars.Time.self, forKey: .time))
  }
}

extension BenchmarkBars.Time {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case median, lower, upper
  }

  /// Reads times; see ``BenchmarkBars/init(from:)``.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(except: CodingKeys.allCases.map(\.rawValue))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    median = try container.decode(Double.self, forKey: .median)
    lower = try container.decode(Double.self, forKey: .lower)
    upper = try container.decode(Double.self, forKey: .upper)
  }
}

/// Values by the names of counters that have thresholds.
private struct CounterAmounts: Decodable {
  let amounts: [String: Double]

  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(
      except: (BenchmarkBars.exactCounters + BenchmarkBars.instructionCounters).map(\.rawValue))
    amounts = try [String: Double](from: decoder)
  }
}

/// A key of any name.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// Throws for a key that is not one of these.
  fileprivate func refuseKeys(except known: [String]) throws {
    let keys = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    guard let unknown = keys.filter({ !known.contains($0) }).min() else { return }
    throw DecodingError.dataCorrupted(
      .init(
        codingPath: codingPath,
        debugDescription:
          "'\(unknown)' is unknown; known are \(known.joined(separator: ", "))"))
  }
}
