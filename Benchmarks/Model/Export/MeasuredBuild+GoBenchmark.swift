import PageDrawing

extension MeasuredBuild {
  /// The text that `go test -bench` writes, which `benchstat` reads: one line a sample.
  ///
  /// Elapsed times are `ns/op`, processor times `cpu-ns/op`. White space in names, which would end a field, becomes an underscore.
  public var goBenchmark: String { goConfiguration + goUnits + goLines }

  private var goConfiguration: String {
    let pairs: [(String, String?)] = [
      ("goos", machine.system.split(separator: " ").first.map { $0.lowercased() }),
      ("goarch", Self.goArchitecture(machine.architecture)),
      ("pkg", "rouse"),
      ("cpu", machine.processor),
      ("tool", tool),
      ("started", startedAt),
      ("build", build.label),
      ("commit", build.revision),
      ("compiler", "\(build.compiler) \(build.configuration)"),
    ]
    return pairs.compactMap { key, value in
      value.map { "\(key): \(Self.oneLine($0))\n" }
    }.joined()
  }

  private var goLines: String {
    var text = ""
    let unit = clock == .processor ? "cpu-ns/op" : "ns/op"
    for benchmark in benchmarks {
      let name = "Benchmark\(Self.goName(benchmark.name))-\(machine.processors)"
      let counters = benchmark.counters.compactMap { counter in
        counter.value.flatMap { value in
          value.isFinite
            ? "\t\(DecimalText.shortest(value)) \(Self.goUnit(counter.name))" : nil
        }
      }.joined()
      for sample in benchmark.samples where sample.nanoseconds.isFinite {
        text += "\(name)\t\(sample.iterations)\t\(DecimalText.shortest(sample.nanoseconds)) \(unit)"
        if let time = sample.processorNanoseconds, time.isFinite {
          text += "\t\(DecimalText.shortest(time)) cpu-ns/op"
        }
        text += counters + "\n"
      }
    }
    return text
  }

  /// Exactly repeatable counters have the assumption `exact`, without statistics.
  private var goUnits: String {
    let exact: [BenchmarkCounter.Name] = [.allocations, .allocatedBytes, .bytesPerEvent]
    let counters = benchmarks.flatMap(\.counters)
    return exact.filter { name in counters.contains { $0.name == name && $0.value != nil } }
      .map { "Unit \(Self.goUnit($0)) assume=exact\n" }.joined()
  }

  private static func goArchitecture(_ name: String) -> String {
    switch name {
    case "x86_64": "amd64"
    case "aarch64": "arm64"
    default: name
    }
  }

  private static func goUnit(_ counter: BenchmarkCounter.Name) -> String {
    switch counter {
    case .allocations: return "allocs/op"
    case .allocatedBytes: return "B/op"
    case .peakMemory: return "peak-RSS-bytes"
    case .bytesPerEvent: return "B/event"
    default:
      // minorPageFaults: minor-page-faults/op
      let words = counter.rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }
      return goName(words.joined()).lowercased() + "/op"
    }
  }

  /// A name without white space that begins with a capital letter, as Go requires after `Benchmark`.
  private static func goName(_ name: String) -> String {
    let field = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map {
          $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F ? "_" : $0
        }))
    guard let first = field.first else { return "_" }
    return first.uppercased() + field.dropFirst()
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The configuration of one side of a comparison, and its samples.
  fileprivate func goSide(_ side: Side) -> String {
    "side: \(side.rawValue)\n\(goConfiguration)\(goLines)"
  }
}

extension BenchmarkComparison {
  /// Both builds in Go's benchmark format: `benchstat -col side FILE` compares them.
  public var goBenchmark: String {
    let sides = MeasuredBuild.Side.allCases.map { ($0, MeasuredBuild(self, $0)) }
    return sides.map { $1.goSide($0) }.joined(separator: "\n")
  }
}
