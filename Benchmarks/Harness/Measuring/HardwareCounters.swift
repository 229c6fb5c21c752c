import BenchmarkModel
import Glibc
import RegionHooks

/// The hardware counters of this process, where the machine has them.
final class HardwareCounters {
  private struct Counter {
    var name: BenchmarkCounter.Name
    /// -1 if it could not be opened.
    var descriptor: Int32
    /// The reason why it could not be opened.
    var reason: String?
    /// The reading at the start of a sample; nil if there is none.
    var begin: CounterTally.Reading?
    var tally = CounterTally()
  }

  private var counters: [Counter]

  /// Opens the counters; those that cannot be opened report the reason when they are read.
  init() {
    let names: [(Int, BenchmarkCounter.Name)] = [
      (ROUSE_COUNTER_INSTRUCTIONS, .instructions), (ROUSE_COUNTER_CYCLES, .cycles),
      (ROUSE_COUNTER_BRANCH_MISSES, .branchMisses), (ROUSE_COUNTER_CACHE_MISSES, .cacheMisses),
    ]
    counters = names.map { number, name in
      let descriptor = rouse_counter_open(Int32(number))
      return descriptor >= 0
        ? Counter(name: name, descriptor: descriptor)
        : Counter(name: name, descriptor: -1, reason: Self.reason(-descriptor))
    }
  }

  deinit {
    for counter in counters where counter.descriptor >= 0 { close(counter.descriptor) }
  }

  /// Starts them.
  func start() {
    for place in counters.indices where counters[place].descriptor >= 0 {
      var reading = rouse_counter_reading_t()
      let status = unsafe rouse_counter_start(counters[place].descriptor, &reading)
      counters[place].begin = status == 0 ? .init(reading) : nil
      if status != 0 {
        counters[place].tally.miss("the counter could not be started: \(Self.text(-status))")
      }
    }
  }

  /// Stops them and adds their counts for a sample of that number of operations.
  func stop(operations: Int) {
    for place in counters.indices where counters[place].descriptor >= 0 {
      var reading = rouse_counter_reading_t()
      let status = unsafe rouse_counter_stop(counters[place].descriptor, &reading)
      guard let begin = counters[place].begin else { continue }
      if status == 0 {
        counters[place].tally.note(.init(reading), since: begin, operations: operations)
      } else {
        counters[place].tally.miss("the counter could not be read: \(Self.text(-status))")
      }
    }
  }

  /// The counts since the last call, for each operation; resets them.
  func take() -> [BenchmarkCounter] {
    counters.indices.map { place in
      if let reason = counters[place].reason {
        return BenchmarkCounter(counters[place].name, unavailable: reason)
      }
      return counters[place].tally.take(counters[place].name)
    }
  }

  private static func reason(_ error: Int32) -> String {
    switch error {
    case ENOENT, EOPNOTSUPP, ENODEV:
      "this machine has no hardware counters (perf_event_open: \(text(error)))"
    case EACCES, EPERM:
      "the system does not permit hardware counters (perf_event_open: \(text(error))); "
        + "see kernel.perf_event_paranoid"
    default: "perf_event_open: \(text(error))"
    }
  }

  private static func text(_ error: Int32) -> String {
    unsafe strerror(error).map { unsafe String(cString: $0) } ?? "error \(error)"
  }
}

extension CounterTally.Reading {
  fileprivate init(_ reading: rouse_counter_reading_t) {
    self.init(count: reading.count, enabled: reading.enabled, running: reading.running)
  }
}
