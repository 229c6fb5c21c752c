import CommandLineSupport
import Measurement
import RegionHooks

/// `rouse-bench serve`: a build under comparison, which another `rouse-bench` tells what to do, line by
/// line on standard input; each line has one as its answer.
///
///     list                    names NAME…
///     keep PROCESSOR          kept | failed MESSAGE
///     prepare NAME            ready UNIT | absent REASON | failed MESSAGE
///     calibrate NANOSECONDS   iterations N | failed MESSAGE
///     sample ITERATIONS       sample OPERATIONS NANOSECONDS PROCESSOR-NANOSECONDS | failed MESSAGE
///
/// It ends with its input.
enum ServeCommand: Command {
  static let specification = Specification.bench(
    "serve", "Run benchmarks as another rouse-bench says.")

  /// What it greets with. Builds with another protocol cannot be compared with this one.
  static let greeting = "rouse-bench protocol 1"

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    Output.print(greeting + "\n")
    var subject: Subject?
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      do {
        Output.print(try answer(words, &subject) + "\n")
      } catch let error as NotHere {
        Output.print("absent \(oneLine("\(error)"))\n")
      } catch {
        Output.print("failed \(oneLine("\(error)"))\n")
      }
    }
    return .success
  }

  private static func answer(_ words: [String], _ subject: inout Subject?) throws -> String {
    switch words.first {
    case "list":
      return "names " + Suites.all.map(\.name).joined(separator: " ")
    case "keep":
      guard words.count == 2, let processor = Int32(words[1]) else { break }
      guard rouse_keep_on(processor) == 0 else {
        throw BenchmarkFailure("the system does not let it run on processor \(processor)")
      }
      return "kept"
    case "prepare":
      // The memory of the last one is given back first.
      subject = nil
      guard words.count == 2, let benchmark = Suites.named(words[1]) else {
        throw NotHere("the build does not know it")
      }
      subject = try Subject(benchmark)
      return "ready \(benchmark.unit)"
    case "calibrate":
      guard let subject, words.count == 2, let nanoseconds = Double(words[1]) else { break }
      return "iterations \(try subject.iterations(lasting: nanoseconds))"
    case "sample":
      guard let subject, words.count == 2, let iterations = Int(words[1]), iterations > 0 else {
        break
      }
      let sample = try subject.sample(iterations: iterations, since: 0)
      return "sample \(sample.operations) \(sample.nanoseconds) \(sample.processorNanoseconds)"
    default: break
    }
    throw BenchmarkFailure("what was asked makes no sense: \(words.joined(separator: " "))")
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
