import CKernels
import WakeEvents

/// An event without its time: kind, type and source.
struct EventKey: Hashable {
  var kind: UInt8
  /// The type's index in the block's names; 0 for inputs that are neither save nor delete.
  var type: Int
  /// The source's index in the block's names plus 1; 0 for the run's home source and for inputs that are neither save
  /// nor delete.
  var source: Int
}

/// The event keys of a block being read, with the reader's symbols instead of the block's own.
struct DecodedEventKeys {
  /// In place of a source: the home source of the event's run.
  static let home = UInt32.max

  /// ``SampleType/index`` and ``InputKind`` of a key, in one value that is looked up for every event. The index is 0 for
  /// inputs other than saves and deletes.
  typealias Subject = kernels_subject

  private(set) var subjects: [Subject] = []
  /// ``Source/index`` of each, or ``home``; 0 for inputs other than saves and deletes.
  private(set) var sources: [UInt32] = []
  private(set) var onlyKind: UInt8?
  private(set) var areSamples = true
  private var kinds: [UInt8] = []

  var count: Int { subjects.count }

  /// Reads the column and replaces the previous one.
  mutating func read(
    _ reader: inout ByteReader, names: DecodedNames, role: BlockHeader.Role
  ) throws(BlockError) {
    let count = try reader.readCount(upTo: TraceLimits.eventsPerBlock, of: "keys")
    try readKinds(&reader, count: count, role: role)
    subjects.resize(to: count, filler: Subject(type: 0, kind: 0))
    sources.resize(to: count, filler: 0)
    try Self.read(&reader, names, kinds, &subjects, &sources)
    try reader.expectEnd()
  }

  private static func read(
    _ reader: inout ByteReader, _ names: DecodedNames, _ kinds: [UInt8],
    _ outSubjects: inout [Subject], _ outSources: inout [UInt32]
  ) throws(BlockError) {
    var subjects = outSubjects.mutableSpan
    try reader.forEachVarint(kinds.count) { index, type throws(BlockError) in
      let kind = kinds[index]
      let isSample = kind <= InputKind.delete.rawValue
      subjects[index] = Subject(
        type: isSample ? try names.types.at(type, "type").index : 0, kind: kind)
    }
    var sources = outSources.mutableSpan
    try reader.forEachVarint(kinds.count) { index, source throws(BlockError) in
      guard kinds[index] <= InputKind.delete.rawValue else {
        sources[index] = 0
        return
      }
      sources[index] =
        source == 0 ? Self.home : try names.sources.at(source - 1, "source").index
    }
  }

  private mutating func readKinds(
    _ reader: inout ByteReader, count: Int, role: BlockHeader.Role
  ) throws(BlockError) {
    kinds.removeAll(keepingCapacity: true)
    reader.append(try reader.readBytes(count), to: &kinds)
    var (lowest, highest) = (UInt8.max, UInt8.min)
    for kind in kinds {
      lowest = min(lowest, kind)
      highest = max(highest, kind)
    }
    // Kinds are numbered without gaps.
    guard InputKind(rawValue: highest) != nil else {
      throw BlockError(.unknownVersion, "unknown event kind \(highest)")
    }
    let observed = InputKind.observed.rawValue
    guard role == .observations ? lowest >= observed : highest < observed else {
      throw .malformed("block has an input among its observations, or the reverse")
    }
    areSamples = highest <= InputKind.delete.rawValue
    onlyKind = lowest == highest ? lowest : nil
  }
}
