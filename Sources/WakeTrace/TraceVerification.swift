/// What is in a trace, and all that is wrong with it.
///
/// A verification reads every byte: each member's header and checksums, each column of each block, and
/// whether they agree with one another. It goes on behind damage, so that it also tells what is whole.
///
/// - Note: It needs memory for one block, less than 200 MiB whatever the file says, and for each stream's
///   sequence numbers (a few bytes, as long as they follow each other), however long the trace is.
public struct TraceVerification: Sendable {
  /// The file's path, or what stands for it.
  public private(set) var file: String
  /// Bytes of the file.
  public private(set) var bytes: Int64
  /// Bytes of the file that belong to no block that is whole by its headers.
  public private(set) var strayBytes: Int64 = 0
  /// Blocks whose headers are whole.
  public private(set) var blocks = 0
  /// Those of them whose content is damaged or contradicts their headers.
  public private(set) var faultyBlocks = 0
  /// Events of the blocks that are without fault.
  public private(set) var events = 0
  /// Saves among them.
  public private(set) var saves = 0
  /// Deletes among them.
  public private(set) var deletes = 0
  /// Runs of one device each that they stand in.
  public private(set) var runs = 0
  /// The earliest time among them, in nanoseconds since the Unix epoch; nil if there are no events.
  public private(set) var earliest: Int64?
  /// The latest time among them.
  public private(set) var latest: Int64?
  /// Events that were lost while recording, as the headers of blocks say. Loss that is told is no problem
  /// of the file.
  public private(set) var lostEvents: UInt64 = 0
  /// Streams that the blocks belong to.
  public var streams: Int { sequences.count }

  /// How many problems are kept in ``problems``, so that a file of nothing but damage fits memory.
  public static let problemsKept = 1_000
  /// What is wrong, by place in the file; the first ``problemsKept`` that were found.
  public private(set) var problems: [TraceError] = []
  /// How many problems there are, kept or not.
  public private(set) var problemCount = 0

  private var sequences: [UInt64: SequenceRecord] = [:]

  /// Whether nothing is wrong.
  public var isWhole: Bool { problemCount == 0 }

  /// Verifies a file.
  ///
  /// - Complexity: O(bytes and events of the file).
  public init(of file: TraceFile) {
    self.file = file.name
    bytes = file.length
    var scan = BlockScan(file)
    var checker = BlockChecker(file)
    do throws(TraceError) {
      while true {
        do throws(TraceError) {
          guard let block = try scan.next() else { break }
          check(block, with: &checker)
        } catch let error {
          note(error)
          strayBytes += try scan.resume()
        }
      }
    } catch let error {
      // Nothing more can be read.
      note(error)
    }
    noteMissingBlocks()
    problems.sort { ($0.offset ?? -1, $0.message) < ($1.offset ?? -1, $1.message) }
  }

  private mutating func note(_ problem: TraceError) {
    problemCount += 1
    if problems.count < Self.problemsKept { problems.append(problem) }
  }

  private mutating func check(_ block: BlockEntry, with checker: inout BlockChecker) {
    let header = block.header
    blocks += 1
    // A file may say anything, even more than there are numbers.
    let (lost, overflows) = lostEvents.addingReportingOverflow(header.lostBefore)
    lostEvents = overflows ? .max : lost
    if let misplaced = sequences[header.stream, default: SequenceRecord()].add(
      Int(header.sequence), at: block.offset)
    {
      note(misplaced.located(file: file, offset: block.offset))
    }
    let faults = checker.faults(of: block)
    guard faults.isEmpty else {
      faultyBlocks += 1
      for fault in faults { note(fault) }
      return
    }
    events += header.events
    saves += checker.saves
    deletes += checker.deletes
    runs += header.runs.count
    earliest = min(earliest ?? .max, header.earliest)
    latest = max(latest ?? .min, header.latest)
  }

  private mutating func noteMissingBlocks() {
    for (stream, record) in sequences.sorted(by: { $0.key < $1.key }) {
      for (missing, offset) in record.missing {
        let (which, verb) =
          missing.count == 1
          ? ("block \(missing.lowerBound)", "is")
          : ("blocks \(missing.lowerBound) to \(missing.upperBound)", "are")
        let error = BlockError(
          .missingBlocks,
          "before this, \(which) of stream \(String(stream, radix: 16)) \(verb) missing")
        note(error.located(file: file, offset: offset))
      }
    }
  }
}
