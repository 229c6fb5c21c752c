import WakeEvents

/// What an event is beside its time, as it recurs in a block: kind, type and source.
struct Mark: Hashable {
  var kind: UInt8
  /// The type's place in the block's names; 0 for inputs that are neither save nor delete.
  var type: Int
  /// 0 for the home source of the event's run, and for inputs that are neither save nor delete; else
  /// the source's place in the block's names plus 1.
  var source: Int
}

/// The marks of a block that is read, with symbols of the run in place of the block's own.
struct DecodedMarks {
  /// Stands for the home source of a run.
  static let home = UInt32.max

  private(set) var kinds: [UInt8] = []
  /// ``SampleType/index`` of each; 0 of other inputs than saves and deletes.
  private(set) var types: [UInt32] = []
  /// ``Source/index`` of each, or ``home``; 0 of other inputs than saves and deletes.
  private(set) var sources: [UInt32] = []
  /// The kind of all of them, if they have one.
  private(set) var onlyKind: UInt8?
  /// Whether all are saves and deletes.
  private(set) var areSamples = true

  var count: Int { kinds.count }

  /// Reads the column in place of the one before.
  ///
  /// - Complexity: O(marks).
  mutating func read(_ reader: inout ByteReader, names: DecodedNames) throws(BlockError) {
    kinds.removeAll(keepingCapacity: true)
    types.removeAll(keepingCapacity: true)
    sources.removeAll(keepingCapacity: true)
    areSamples = true
    let count = try reader.readCount(upTo: TraceLimits.eventsPerBlock, of: "marks")
    for _ in 0..<count {
      let kind = try reader.readByte()
      guard InputKind(rawValue: kind) != nil else {
        throw BlockError(.unknownVersion, "block has an event of the unknown kind \(kind)")
      }
      if kind > InputKind.delete.rawValue { areSamples = false }
      kinds.append(kind)
    }
    for index in 0..<count {
      let type = try reader.readVarint()
      let isSample = kinds[index] <= InputKind.delete.rawValue
      types.append(isSample ? try names.types.at(type, "type").index : 0)
    }
    for index in 0..<count {
      let source = try reader.readVarint()
      guard kinds[index] <= InputKind.delete.rawValue else {
        sources.append(0)
        continue
      }
      sources.append(source == 0 ? Self.home : try names.sources.at(source - 1, "source").index)
    }
    try reader.expectEnd()
    onlyKind = kinds.first.flatMap { first in kinds.allSatisfy { $0 == first } ? first : nil }
  }
}
