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
  /// What a save or delete is of; zeros for other inputs.
  struct Subject {
    /// Stands for the home source of a run.
    static let home = UInt32.max

    /// ``SampleType/index``.
    var type: UInt32 = 0
    /// ``Source/index``, or ``home``.
    var source: UInt32 = 0
  }

  private(set) var kinds: [UInt8] = []
  private(set) var subjects: [Subject] = []
  /// Whether all are saves and deletes.
  private(set) var areSamples = true

  var count: Int { kinds.count }

  /// The kind of all of them, if they have one.
  var onlyKind: UInt8? {
    guard let first = kinds.first, kinds.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  init() {}

  init(_ reader: inout ByteReader, names: DecodedNames) throws(BlockError) {
    let count = try reader.readCount(upTo: TraceLimits.eventsPerBlock, of: "marks")
    for _ in 0..<count {
      let kind = try reader.readByte()
      guard InputKind(rawValue: kind) != nil else {
        throw BlockError(.unknownVersion, "block has an event of the unknown kind \(kind)")
      }
      kinds.append(kind)
      if kind > InputKind.delete.rawValue { areSamples = false }
    }
    subjects = [Subject](repeating: Subject(), count: count)
    for index in 0..<count {
      let type = try reader.readVarint()
      guard kinds[index] <= InputKind.delete.rawValue else { continue }
      subjects[index].type = try names.types.at(type, "type").index
    }
    for index in 0..<count {
      let source = try reader.readVarint()
      guard kinds[index] <= InputKind.delete.rawValue else { continue }
      subjects[index].source =
        source == 0 ? Subject.home : try names.sources.at(source - 1, "source").index
    }
    try reader.expectEnd()
  }
}
