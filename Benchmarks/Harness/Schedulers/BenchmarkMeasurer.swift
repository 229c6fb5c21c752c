import BenchmarkModel
import Foundation

/// Measures benchmarks one after another: in this process, or those of a scheduler under test in one of its own.
final class BenchmarkMeasurer {
  private let settings: Measurer.Settings
  private let own: Measurer?
  private let folder: TemporaryFolder?
  private var child: ChildProcess?

  init(_ settings: Measurer.Settings) throws {
    self.settings = settings
    own = Suites.scheduler == nil ? Measurer(settings) : nil
    try Suites.scheduler?.refuse()
    folder = try Suites.scheduler.map { _ in try TemporaryFolder() }
    // Whatever is wrong with the library ends the command before anything is measured.
    do {
      _ = try process()
    } catch {
      folder?.remove()
      throw error
    }
  }

  func measure(_ benchmark: Benchmark) throws -> BenchmarkResult {
    if let own { return try own.measure(benchmark) }
    do {
      let seconds = settings.isExact ? 0 : settings.seconds
      let words = try process()?.ask("measure \(benchmark.name) \(seconds)", "measured") ?? []
      let answer = Data(words.joined(separator: " ").utf8)
      guard let result = try? JSONDecoder().decode(BenchmarkResult.self, from: answer),
        result.name == benchmark.name
      else { throw BenchmarkFailure("its process answers something else than its result") }
      return result
    } catch let unfit as ChildProcess.Unfit {
      guard unfit.isFailure else { throw NotHere(unfit.reason) }
      throw BenchmarkFailure(unfit.reason)
    } catch let ended as SchedulerEnded {
      // The next benchmark is measured in a new process.
      child = nil
      throw BenchmarkFailure("\(ended)")
    } catch {
      // Nor is one asked again whose answers may belong to other requests.
      child?.end()
      child = nil
      throw error
    }
  }

  func end() {
    child?.end()
    folder?.remove()
  }

  private func process() throws -> ChildProcess? {
    guard let scheduler = Suites.scheduler, let folder else { return nil }
    if let child { return child }
    let started = try ChildProcess(
      try ChildProcess.ownPath(), label: scheduler.library, root: Project.root,
      temporary: folder.path, scheduler: scheduler)
    child = started
    return started
  }
}
