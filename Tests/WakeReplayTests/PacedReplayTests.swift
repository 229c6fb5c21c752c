import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeReplay

/// Replays paced so fast that nobody waits, held against replays at full speed.
@Suite("Paced replays")
struct PacedReplayTests {
  /// Traces of random events of several devices; the events are dealt out among files, so that with
  /// several files each device's streams overlap in time.
  private struct Traces {
    let folder: ScratchFolder
    var files: [TraceFile] = []

    init(_ inputs: RandomInputs, files count: Int) throws {
      folder = try ScratchFolder()
      var random = SplitMix64(seed: inputs.seed)
      var dealt = [[Event]](repeating: [], count: count)
      for event in inputs.events { dealt[Int(random.next() % UInt64(count))].append(event) }
      for (number, events) in dealt.enumerated() where !events.isEmpty {
        let path = folder.file("\(number).wtrace")
        let output = try FileOutput(path: path)
        let assembler = try TraceAssembler(to: output, symbols: inputs.symbols, sorted: false)
        for event in events { try assembler.append(event) }
        _ = try assembler.finish()
        try output.commit()
        files.append(try TraceFile(path: path))
      }
    }
  }

  @Test("give the same result", arguments: RandomSeeds.orFirst(12), [1, 2])
  func giveTheSame(seed: UInt64, files: Int) throws {
    let inputs = RandomInputs(seed: seed, count: 600)
    let traces = try Traces(inputs, files: files)
    var options = ReplayOptions()
    options.policy = inputs.policy
    let full = try Replayer(files: traces.files, options: options).run()
    options.speed = .paced(1e18)
    let paced = try Replayer(files: traces.files, options: options).run()
    #expect(paced.summary == full.summary, "seed \(seed), \(files) files")
    #expect(paced.latency.count == full.summary.inputs, "seed \(seed), \(files) files")
  }

  @Test("give the same result of what is selected", arguments: RandomSeeds.orFirst(12), [1, 2])
  func giveTheSameSelected(seed: UInt64, files: Int) throws {
    let inputs = RandomInputs(seed: seed, count: 600)
    let traces = try Traces(inputs, files: files)
    let times = inputs.events.map(\.time.nanoseconds).sorted()
    var options = ReplayOptions()
    options.policy = inputs.policy
    options.selection.from = times[times.count / 10]
    options.selection.to = times[times.count * 9 / 10]
    for index in 0..<UInt32(inputs.symbols.types.count) where index % 2 == 0 {
      let name = inputs.symbols.types.name(of: SampleType(index: index))
      options.selection.types.insert(ExactName(name))
    }
    let full = try Replayer(files: traces.files, options: options).run()
    options.speed = .paced(1e18)
    let paced = try Replayer(files: traces.files, options: options).run()
    #expect(paced.summary == full.summary, "seed \(seed), \(files) files")
  }

  @Test("take a speed of next to nothing")
  func takeAnySpeed() throws {
    // All at one instant, so that nobody waits for long.
    let symbols = Symbols()
    let type = symbols.types.intern("type")
    let source = symbols.sources.intern("source")
    let folder = try ScratchFolder()
    let output = try FileOutput(path: folder.file("trace.wtrace"))
    let assembler = try TraceAssembler(to: output, symbols: symbols, sorted: false)
    for device in ["a", "b"] {
      let event = Event(
        time: Timestamp(nanoseconds: 5), device: symbols.devices.intern(device),
        input: .save(Sample(type: type, source: source)))
      try assembler.append(event)
    }
    _ = try assembler.finish()
    try output.commit()
    var options = ReplayOptions()
    options.speed = .paced(.leastNonzeroMagnitude)
    let file = try TraceFile(path: folder.file("trace.wtrace"))
    let result = try Replayer(files: [file], options: options).run()
    #expect(result.summary.inputs == 2)
  }

  @Test("find the first of many places", arguments: [0, 1, 2, 3, 10, 33])
  func findTheFirst(places: Int) {
    var random = SplitMix64(seed: UInt64(places))
    // Few values, so that ties come; some places never have anything.
    func draw() -> Int64? { random.chance(10) ? nil : Int64(random.next() % 8) }
    var times = (0..<places).map { _ in draw() }
    var order = Timers()
    for place in times.indices {
      order.appendApp()
      order.set(app: place, due: times[place] ?? .max)
    }
    for step in 0..<40 * places {
      let expected = times.indices
        .filter { times[$0] != nil }
        .min { (times[$0] ?? 0, $0) < (times[$1] ?? 0, $1) }
      let first = order.nextDue < .max ? order.first.app : nil
      #expect(first == expected, "\(places) places, step \(step)")
      guard let first else { break }
      times[first] = draw()
      order.set(app: first, due: times[first] ?? .max)
    }
  }
}
