/// A batch of one device's inputs as columns: row `i` of every column belongs to input `i`.
///
/// Saves and deletes, nearly all rows of a trace, are in the columns alone. Every other input is in ``others``, and
/// its row has the index there, so the columns of the hot path stay small.
public struct InputColumns: Sendable {
  /// The times as written, in nanoseconds since the Unix epoch.
  public var times: [Int64] = []
  /// The ``InputKind`` raw values.
  public var kinds: [UInt8] = []
  /// For a save or delete the `SampleType.index`; else the index in ``others``.
  public var types: [UInt32] = []
  /// For a save or delete the `Source.index`; else 0. Empty if the reader was not asked for sources.
  public var sources: [UInt32] = []
  /// The inputs that are neither save nor delete, in the order of their rows.
  public private(set) var others: [Input] = []
  /// What a scheduler looks at of ``others``. There may be these alone (``addBrief(_:)``).
  package private(set) var briefs: [BriefInput] = []
  /// The predicates of ``others``, side by side: `BriefInput.number` is a place here.
  package private(set) var predicates: [Predicate] = []
  /// The ids of pushes in UTF-8, one behind the other: `BriefInput.idRange` is where. Empty if there are ``briefs`` alone and
  /// nobody asks for ids.
  package private(set) var pushIDs: [UInt8] = []
  /// The optional fields of saves; empty if no save has any, or if the reader was not asked for them.
  public var details = SampleDetails()

  /// Makes an empty batch.
  public init() {}

  /// The number of inputs.
  public var count: Int { times.count }

  /// Drops all inputs and keeps the memory for the next ones.
  public mutating func removeAll() { resize(to: 0) }

  /// Makes the columns `count` rows long, without others and details, for a reader that fills them in.
  ///
  /// - Parameter sources: Whether there are sources.
  package mutating func resize(to count: Int, sources hasSources: Bool = true) {
    others.removeAll(keepingCapacity: true)
    briefs.removeAll(keepingCapacity: true)
    predicates.removeAll(keepingCapacity: true)
    pushIDs.removeAll(keepingCapacity: true)
    details.removeAll()
    resizeRows(to: count, sources: hasSources)
  }

  /// Adds an input as the last row.
  ///
  /// - Precondition: There are sources, or no rows. The ids of the batch's pushes have less than 4 GiB together.
  /// - Complexity: O(1), amortised.
  public mutating func append(_ input: Input, at time: Timestamp) {
    precondition(sources.count == times.count, "the batch has no sources")
    let (type, source) = keep(input, row: times.count)
    times.append(time.nanoseconds)
    kinds.append(input.kind.rawValue)
    types.append(type)
    sources.append(source)
  }

  /// Sets a row of columns that were made longer by ``resize(to:)``; rows are set in ascending order.
  ///
  /// - Precondition: The columns are longer than `row`, and there are sources.
  /// - Complexity: O(1), amortised.
  package mutating func set(_ input: Input, at time: Timestamp, row: Int) {
    (types[row], sources[row]) = keep(input, row: row)
    times[row] = time.nanoseconds
    kinds[row] = input.kind.rawValue
  }

  /// Puts what the columns do not hold into ``details`` or ``others``, and returns the cells of the row.
  @inline(__always)
  private mutating func keep(_ input: Input, row: Int) -> (type: UInt32, source: UInt32) {
    switch input {
    case .save(let sample):
      details.set(sample, row: row)
      return (sample.type.index, sample.source.index)
    case .delete(let type, let source):
      return (type.index, source.index)
    default:
      return (addOther(input), 0)
    }
  }

  /// Makes room for so many inputs in ``others``, or in ``briefs`` alone.
  package mutating func reserveOthers(_ count: Int, briefsAlone: Bool = false) {
    if !briefsAlone { others.reserveCapacity(count) }
    briefs.reserveCapacity(count)
  }

  /// Adds an input to ``others``, and returns its index there; the caller sets the cells of its row.
  ///
  /// - Precondition: It is neither save nor delete.
  package mutating func addOther(_ input: Input) -> UInt32 {
    precondition(others.count == briefs.count, "the batch has inputs in brief alone")
    others.append(input)
    return keepBrief(of: input)
  }

  /// Adds what a scheduler looks at of an input, for a batch without ``others``; returns its index.
  ///
  /// - Precondition: It is neither save nor delete, and the batch has no ``others``.
  package mutating func addBrief(of input: Input) -> UInt32 {
    precondition(others.isEmpty, "the batch has whole inputs")
    return keepBrief(of: input)
  }

  private mutating func keepBrief(of input: Input) -> UInt32 {
    guard var brief = BriefInput(input) else {
      preconditionFailure("a save or delete is in the columns alone")
    }
    switch input {
    case .execute(_, _, _, let predicate?):
      brief.setPredicate(at: predicates.count)
      predicates.append(predicate)
    case .push(_, let push):
      var id = push.id
      id.withUTF8 { unsafe keepID($0, of: &brief) }
    default: break
    }
    briefs.append(brief)
    return UInt32(briefs.count - 1)
  }

  /// Appends the id of a push, in UTF-8, to ``pushIDs``.
  private mutating func keepID(_ id: UnsafeBufferPointer<UInt8>, of push: inout BriefInput) {
    let start = pushIDs.count
    unsafe pushIDs.append(contentsOf: id)
    push.setID(at: start..<pushIDs.count)
  }

  /// Adds what a scheduler looks at of an input, for a batch without ``others``; returns its index.
  ///
  /// - Precondition: The batch has no ``others``. A predicate of the input is where the input says.
  package mutating func addBrief(_ brief: BriefInput) -> UInt32 {
    precondition(others.isEmpty, "the batch has whole inputs")
    briefs.append(brief)
    return UInt32(briefs.count - 1)
  }

  /// Adds what a scheduler looks at of a push, and its id, for a batch without ``others``; returns its index.
  ///
  /// - Parameter id: In UTF-8.
  /// - Precondition: The batch has no ``others``.
  package mutating func addBrief(_ push: BriefInput, id: Span<UInt8>) -> UInt32 {
    var push = push
    unsafe id.withUnsafeBufferPointer { unsafe keepID($0, of: &push) }
    return addBrief(push)
  }

  /// Adds an input of another batch, in the forms that are there; returns its index.
  private mutating func addOther(at place: Int, of other: borrowing InputColumns) -> UInt32 {
    if !other.others.isEmpty { return addOther(other.others[place]) }
    var brief = other.briefs[place]
    if brief.kind == .push, brief.hasID {
      return addBrief(brief, id: other.pushIDs.span.extracting(brief.idRange))
    }
    if brief.kind == .execute, brief.isOn {
      let predicate = other.predicates[Int(brief.number)]
      brief.setPredicate(at: predicates.count)
      predicates.append(predicate)
    }
    return addBrief(brief)
  }

  /// Drops or adds rows at the end, but not their others and details.
  package mutating func resizeRows(to count: Int, sources hasSources: Bool = true) {
    times.resize(to: count, filler: 0)
    kinds.resize(to: count, filler: 0)
    types.resize(to: count, filler: 0)
    sources.resize(to: hasSources ? count : 0, filler: 0)
  }

  /// Appends rows of another batch.
  ///
  /// - Precondition: Every row that is neither save nor delete has its place in the other batch's ``others``. The ids of
  ///   pushes have less than 4 GiB together. Both batches have sources, or neither, but for one without rows.
  /// - Complexity: O(rows), amortised.
  public mutating func append(contentsOf other: borrowing InputColumns, rows: Range<Int>) {
    precondition(
      rows.isEmpty || times.isEmpty || sources.isEmpty == other.sources.isEmpty,
      "one batch has sources, the other has none")
    details.append(contentsOf: other.details, rows: rows, behind: count)
    let otherKinds = other.kinds[rows]
    times.append(contentsOf: other.times[rows])
    kinds.append(contentsOf: otherKinds)
    types.append(contentsOf: other.types[rows])
    if !other.sources.isEmpty { sources.append(contentsOf: other.sources[rows]) }
    guard !other.briefs.isEmpty else { return }
    var row = count - rows.count
    for (kind, place) in zip(otherKinds, other.types[rows]) {
      if kind > InputKind.delete.rawValue {
        types[row] = addOther(at: Int(place), of: other)
      }
      row += 1
    }
  }

  /// The batch with row `order[i]` as row `i`.
  ///
  /// - Complexity: O(rows).
  package func permuted(_ order: [Int]) -> InputColumns {
    var result = InputColumns()
    result.times = order.map { times[$0] }
    result.kinds = order.map { kinds[$0] }
    result.types = order.map { types[$0] }
    if !sources.isEmpty { result.sources = order.map { sources[$0] } }
    if !briefs.isEmpty {
      for row in order.indices where result.kinds[row] > InputKind.delete.rawValue {
        result.types[row] = result.addOther(at: Int(result.types[row]), of: self)
      }
    }
    if !details.isEmpty { result.details = details.permuted(order) }
    return result
  }

  /// The input of a row.
  ///
  /// - Complexity: O(1).
  public subscript(row: Int) -> Input {
    switch kinds[row] {
    case InputKind.save.rawValue: .save(sample(at: row))
    case InputKind.delete.rawValue:
      .delete(type: SampleType(index: types[row]), source: source(at: row))
    default: others[Int(types[row])]
    }
  }

  /// The sample of a row, with the source 0 if there are no sources.
  ///
  /// - Precondition: The row is a save.
  public func sample(at row: Int) -> Sample {
    var sample = Sample(type: SampleType(index: types[row]), source: source(at: row))
    details.read(row: row, into: &sample)
    return sample
  }

  private func source(at row: Int) -> Source {
    Source(index: sources.isEmpty ? 0 : sources[row])
  }
}

/// What the producer of a batch guarantees: all rows are saves or deletes, sorted by time within each run.
package struct Orderliness: Sendable, Equatable {
  /// An upper bound (exclusive) of every `SampleType.index`.
  package let typeEnd: Int
  /// Whether there may be deletes.
  package let hasDeletes: Bool

  package init(typeEnd: Int, hasDeletes: Bool) {
    self.typeEnd = typeEnd
    self.hasDeletes = hasDeletes
  }
}

extension Array {
  /// Drops the last elements, or appends fillers. Inlinable: unspecialised it allocates for each element.
  @inlinable
  package mutating func resize(to count: Int, filler: Element) {
    if self.count > count {
      removeLast(self.count - count)
    } else if self.count < count {
      append(contentsOf: repeatElement(filler, count: count - self.count))
    }
  }
}
