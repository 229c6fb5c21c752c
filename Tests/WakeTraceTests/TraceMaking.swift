import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// A trace that stays in memory.
final class MemoryOutput: BlockOutput {
  let name = "memory"
  private(set) var bytes: [UInt8] = []
  /// Bytes of each member, in order.
  private(set) var memberLengths: [Int] = []

  func write(_ block: BlockEncoder.Block) {
    for member in [block.scheduling, block.details, block.observations] where !member.isEmpty {
      bytes += member
      memberLengths.append(member.count)
    }
  }
}

extension MemoryOutput {
  /// The members one by one.
  var members: [[UInt8]] {
    var start = 0
    return memberLengths.map { length in
      defer { start += length }
      return Array(bytes[start..<start + length])
    }
  }

  /// The bytes of each block, details included.
  func blocks() throws -> [[UInt8]] {
    var blocks: [[UInt8]] = []
    for member in members {
      if !(try ForgedMember(member).header.beginsBlock) {
        blocks[blocks.count - 1] += member
      } else {
        blocks.append(member)
      }
    }
    return blocks
  }
}

/// Makes traces in memory, and reads what stands in files of bytes.
enum TraceMaking {
  /// The trace of events that are in order device by device, or of any if sorted or not is asked for.
  static func trace(
    of events: [Event], symbols: Symbols, sorted: Bool = false, level: Int = 6,
    eventsInMemory: Int = 1 << 19, eventsPerBlock: Int = TraceLimits.eventsPerBlock
  ) throws -> MemoryOutput {
    let output = MemoryOutput()
    let assembler = TraceAssembler(
      writer: try TraceWriter(
        output: output, symbols: symbols, level: level, eventsPerBlock: eventsPerBlock),
      symbols: symbols, sorted: sorted, temporaryFolder: TemporaryFile.systemFolder,
      eventsInMemory: eventsInMemory)
    for event in events { try assembler.append(event) }
    let statistics = try assembler.finish()
    guard statistics.events == events.count, statistics.bytes == Int64(output.bytes.count) else {
      throw TestFailure("\(statistics) for \(events.count) events in \(output.bytes.count) bytes")
    }
    return output
  }

  /// The events of all blocks that can be read, and what stands in place of the others.
  static func read(
    _ path: String, symbols: Symbols
  ) -> (contents: TraceContents, errors: [TraceError]) {
    var contents = TraceContents()
    var errors: [TraceError] = []
    do throws(TraceError) {
      let file = try TraceFile(path: path)
      var scan = BlockScan(file)
      let decoder = BlockDecoder(symbols: symbols)
      while true {
        do throws(TraceError) {
          guard let block = try scan.next() else { break }
          do throws(TraceError) {
            try decoder.decode(block, of: file, details: true, observations: true)
            contents.append(decoder)
          } catch let error {
            errors.append(error)
          }
        } catch let error {
          errors.append(error)
          _ = try scan.resume()
        }
      }
    } catch let error {
      errors.append(error)
    }
    return (contents, errors)
  }
}

/// Why a test's own preparations failed.
struct TestFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
