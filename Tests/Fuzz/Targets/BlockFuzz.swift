import Kernels
import WakeEvents
import WakeTrace

/// The payloads of one block.
///
///     flags of the header (2)  length (2)  scheduling payload  details payload
enum BlockFuzz {
  /// What a decoder makes of a block.
  private struct Decoded: Equatable {
    var error: String?
    var times: [Int64] = []
    var kinds: [UInt8] = []
    var inputs: [Input] = []
    var valueBits: [UInt64] = []
    var runs: [DeviceRun] = []
  }

  /// Of a few events all paths are compared.
  private static let mostCompared = 2_048

  static func run(_ bytes: [UInt8]) -> Bool {
    var input = InputBytes(bytes)
    let flags = UInt16(input.number(bytes: 2))
    let scheduling = input.part()
    var block = ForgedBlock(flags: flags, scheduling: scheduling, details: Array(input.rest))
    let symbols = Symbols()
    let first = BlockDecoder(symbols: symbols)
    // A header whose times are wrong is refused last but for the column others: with the times it is not.
    decode(block, with: first)
    let times = first.columns.times
    if let earliest = times.min(), let latest = times.max() { block.times = earliest...latest }
    let error = decode(block, with: first)
    guard first.columns.count <= mostCompared else { return error == nil }
    let decoded = contents(of: first, error)
    for path in ProcessorPath.available {
      let decoder = BlockDecoder(symbols: symbols, path: path)
      let error = decode(block, with: decoder)
      expect(contents(of: decoder, error) == decoded, "path \(path) decodes something else")
    }
    if error == nil { encodeAgain(first, decoded, symbols) }
    return error == nil
  }

  @discardableResult
  private static func decode(_ block: ForgedBlock, with decoder: BlockDecoder) -> BlockError? {
    let members = block.members
    do throws(BlockError) {
      try decoder.decode(scheduling: members.scheduling, details: members.details)
      return nil
    } catch let error {
      return error
    }
  }

  private static func contents(of decoder: BlockDecoder, _ error: BlockError?) -> Decoded {
    if let error { return Decoded(error: error.message) }
    return Decoded(
      times: decoder.columns.times, kinds: decoder.columns.kinds,
      inputs: (0..<decoder.columns.count).map { decoder.columns[$0] },
      valueBits: decoder.columns.details.values.map(\.bitPattern), runs: decoder.runs)
  }

  /// What was decoded is encoded to a block that says the same.
  private static func encodeAgain(_ decoder: BlockDecoder, _ decoded: Decoded, _ symbols: Symbols) {
    do {
      let encoder = try BlockEncoder(symbols: symbols, level: 0)
      let block = try encoder.encode(
        decoder.columns, runs: decoder.runs, stream: 7, sequence: 0)
      let again = BlockDecoder(symbols: symbols)
      try again.decode(scheduling: block.scheduling, details: block.details)
      var found = contents(of: again, nil)
      // Values where there are none have no meaning.
      found.valueBits = decoded.valueBits
      expect(found == decoded, "a block that is encoded again differs")
    } catch {
      fatalError("a block that was decoded cannot be encoded: \(error)")
    }
  }
}
