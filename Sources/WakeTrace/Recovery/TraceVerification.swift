/// The contents and all faults of a trace.
///
/// Reads every byte, checks headers, checksums and columns, and compares them with each other. Continues after damage.
///
/// - Note: Needs memory for one block, less than 200 MiB for any file, for the gaps in each stream's sequence, and some 32
///   bytes for each device.
public struct TraceVerification: Sendable {
  /// The file's path, or what stands for it.
  public private(set) var file: String
  /// Bytes of the file.
  public private(set) var bytes: Int64
  /// Bytes outside blocks with intact headers.
  public private(set) var strayBytes: Int64 = 0
  /// Blocks with intact headers.
  public private(set) var blocks = 0
  /// Those of them whose content is damaged or contradicts the header.
  public private(set) var faultyBlocks = 0
  /// Events of the intact blocks.
  public private(set) var events = 0
  /// Events that were lost in recording, by the block headers. This is not a fault of the file.
  public private(set) var lostEvents: UInt64 = 0
  /// The number of streams.
  public var streams: Int { sequences.count }

  /// The most elements of ``problems``, which bounds memory.
  public static let problemsKept = 1_000
  /// The faults by offset; the first ``problemsKept`` that were found.
  public private(set) var problems: [TraceError] = []
  /// The number of faults, kept or not.
  public private(set) var problemCount = 0

  private var sequences: [UInt64: SequenceRecord] = [:]

  /// Whether there are no faults.
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
    lostEvents.addClamped(header.lostBefore)
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
    events += block.eventCount
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
