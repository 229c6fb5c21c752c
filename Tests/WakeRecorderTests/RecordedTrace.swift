import Foundation
import WakeEvents
import WakeTestSupport

@_spi(RouseC) @testable import WakeRecorder
@testable import WakeTrace

/// Numbered events in a trace: an event's time is its number, its source says who recorded it.
struct RecordedTrace {
  struct Producer {
    /// The numbers that are there, in the order of the stream.
    var numbers: [Int64] = []
    /// Where a block tells of loss: the number behind it, and how many are lost.
    var losses: [(before: Int64, count: UInt64)] = []

    var lost: UInt64 { losses.reduce(0) { $0 + $1.count } }
    /// What is wrong with the numbers, be they expected from 0 on with gaps only where loss is told.
    var objection: String? { objection(flushes: 0) }

    /// What is wrong with the numbers, if the stream was flushed so often before more events were recorded.
    ///
    /// The end of a stream, and each flush, may tell of a loss one event early: before the event that was then the last one,
    /// though it is behind it.
    func objection(flushes: Int) -> String? {
      var expected: Int64 = 0
      var told = losses[...]
      var early = 0
      for (place, number) in numbers.enumerated() {
        var missing = number - expected
        if let loss = told.first, loss.before == number {
          told.removeFirst()
          missing -= Int64(loss.count)
          if missing < 0 {
            // What is missing behind this event is then told.
            early += place == numbers.count - 1 ? 0 : 1
            if early > flushes { return "the loss behind \(number) is told before it" }
            expected = number + 1 - missing
            continue
          }
        }
        if missing != 0 {
          return "\(number) stands where \(expected) should; \(losses.count) losses"
        }
        expected = number + 1
      }
      return nil
    }
  }

  var producers: [String: Producer] = [:]
  var events: Int { producers.values.reduce(0) { $0 + $1.numbers.count } }
  var lost: UInt64 { producers.values.reduce(0) { $0 + $1.lost } }

  /// Reads traces, in which each stream is of one source.
  init(_ paths: [String]) throws {
    let symbols = Symbols()
    for path in paths {
      let file = try TraceFile(path: path)
      var scan = BlockScan(file)
      let decoder = BlockDecoder(symbols: symbols)
      while let block = try scan.next() {
        try decoder.decode(block, of: file, details: true)
        let columns = decoder.columns
        let name = symbols.sources.name(of: Source(index: columns.sources[0]))
        if block.header.lostBefore > 0 {
          producers[name, default: Producer()].losses.append(
            (columns.times[0], block.header.lostBefore))
        }
        for row in 0..<columns.count {
          let source = symbols.sources.name(of: Source(index: columns.sources[row]))
          producers[source, default: Producer()].numbers.append(columns.times[row])
        }
      }
    }
  }

  init(_ path: String) throws { try self.init([path]) }
}

extension Recorder {
  /// Options for a test: a small ring in the test's own folder.
  static func testOptions(
    _ folder: ScratchFolder, trace: String? = "a.wtrace", mode: RecorderMode = .drop
  ) -> Options {
    var options = Options(trace: trace.map { $0.hasPrefix("/") ? $0 : folder.file($0) })
    options.mode = mode
    options.ringFolder = folder.path
    options.slotsPerRing = 1 << 10
    return options
  }

  /// Makes this recorder's numbers those of other tables.
  func intern(all symbols: Symbols) throws {
    for sort in NameSort.allCases {
      for index in 0..<UInt32(symbols.table(of: sort).count) {
        switch sort {
        case .type: _ = try type(symbols.types.name(of: SampleType(index: index)))
        case .source: _ = try source(symbols.sources.name(of: Source(index: index)))
        case .app: _ = try app(symbols.apps.name(of: App(index: index)))
        case .query: _ = try query(symbols.queries.name(of: Query(index: index)))
        case .device: _ = try device(symbols.devices.name(of: Device(index: index)))
        }
      }
    }
  }
}

extension ProducerMemory {
  /// Records a save on the fast path.
  func save(_ handle: UInt64, at time: Int64, type: UInt32, source: UInt32) -> RecordStatus {
    record(handle, kind: 0, type: type, source: source, time: time)
  }
}
