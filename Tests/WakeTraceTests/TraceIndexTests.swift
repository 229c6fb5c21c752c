import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("The index of traces")
struct TraceIndexTests {
  /// A trace for each list of devices, each with three saves an hour apart, all in one block.
  private func write(_ lists: [[Int]], to folder: ScratchFolder) throws -> [TraceFile] {
    try lists.enumerated().map { file, devices in
      let symbols = Symbols()
      let path = folder.file("\(file).wtrace")
      let output = try FileOutput(path: path)
      let writer = try TraceWriter(
        output: output, symbols: symbols, level: 1, eventsPerBlock: 1_000)
      let sample = Sample(
        type: symbols.types.intern("T"), source: symbols.sources.intern("source"))
      for device in devices {
        let name = symbols.devices.intern("device \(device)")
        for save in 0..<3 {
          let time = Timestamp(nanoseconds: Int64(file * 3 + save) * 3_600_000_000_000)
          try writer.append(Event(time: time, device: name, input: .save(sample)))
        }
      }
      try writer.finish()
      try output.commit()
      return try TraceFile(path: path)
    }
  }

  @Test("has the parts of each device, where devices follow each other and where not")
  func parts() throws {
    let folder = try ScratchFolder()
    let all = Array(0..<30)
    let lists = [
      Array(0..<20), Array(0..<20), Array(5..<30), all.reversed(), all, Array(10..<20) + [3, 29],
      [7], Array(25..<30) + Array(0..<10), Array(0..<19) + [29],
    ]
    let index = try TraceIndex(files: try write(lists, to: folder))
    #expect(index.blocks.count == lists.count)
    // In the order of first appearance.
    let hashes = (Array(0..<20) + Array(20..<30)).map { NameHash.device("device \($0)") }
    #expect(index.devices.map(\.hash) == hashes)
    var places: [TraceIndex.RunPlace] = []
    for (device, hash) in hashes.enumerated() {
      // By the headers alone.
      let found = index.blocks.enumerated().flatMap { number, block in
        block.entry.header.runs.enumerated().compactMap { run, listed in
          listed.deviceHash == hash ? [number, run] : nil
        }
      }
      let parts = index.parts(of: device)
      #expect(parts.map { [$0.block, $0.run] } == found, "device \(device)")
      #expect(parts.allSatisfy { $0.hasInputs }, "device \(device)")
      #expect(index.partCount(of: device) == found.count, "device \(device)")
      #expect(!index.needsMerge(device), "device \(device)")
      for (part, place) in found.enumerated() {
        index.findPlaces(of: index.blocks[place[0]], into: &places)
        #expect(places[place[1]].part == part, "device \(device), part \(part)")
        #expect(Int(places[place[1]].spread) == index.spread(of: device), "device \(device)")
      }
    }
    #expect(Set(index.parts(of: 0).map(\.stream)).count == index.partCount(of: 0))
  }

  @Test("Numbers of runs are those that were added, in steps and out of step", arguments: 0..<40)
  func runNumbers(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for step in [Int32(0), 1] {
      var numbers = RunNumbers(step: step, room: 40)
      var added: [Int32] = []
      for run in 0..<Int32.random(in: 0...40, using: &random) {
        let isInStep = Int.random(in: 0..<20, using: &random) > 0
        let number = isInStep ? 7 + step * run : Int32.random(in: -1...100, using: &random)
        numbers.append(number)
        added.append(number)
      }
      #expect(numbers.map { $0 } == added, "step \(step)")
      #expect(numbers.indices.map { numbers[$0] } == added, "step \(step)")
      #expect(numbers.reversed() == added.reversed(), "step \(step)")
      #expect(numbers.first == added.first, "step \(step)")
    }
    #expect(RunNumbers(3..<6).map { $0 } == [3, 4, 5])
    // Devices that are not wanted have -1.
    for added in [[-1, 0, 1], [-1, -1, 5], [4, -1, 6]] as [[Int32]] {
      var numbers = RunNumbers(step: 1, room: added.count)
      for number in added { numbers.append(number) }
      #expect(numbers.map { $0 } == added)
    }
  }

  @Test("knows which devices have one part, and which are elsewhere")
  func places() throws {
    let folder = try ScratchFolder()
    let files = try write([[0, 1], [1, 2]], to: folder)
    var selection = BlockSelection()
    selection.devices = [ExactName("device 0"), ExactName("device 1")]
    let index = try TraceIndex(files: files, selection: selection)
    var places: [TraceIndex.RunPlace] = []
    index.findPlaces(of: index.blocks[0], into: &places)
    #expect(places.map(\.spread) == [TraceIndex.RunPlace.alone, 0])
    index.findPlaces(of: index.blocks[1], into: &places)
    #expect(places.map(\.spread) == [0, TraceIndex.RunPlace.elsewhere])
    // The same file twice: its streams overlap.
    let twice = try TraceIndex(files: [files[0], files[0]])
    twice.findPlaces(of: twice.blocks[0], into: &places)
    #expect(places.map(\.spread) == [TraceIndex.RunPlace.elsewhere, TraceIndex.RunPlace.elsewhere])
    #expect(twice.parts(of: 1).map { [$0.block, $0.run] } == [[0, 1], [1, 1]])
  }
}
