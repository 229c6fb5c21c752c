import WakeEvents

/// An input other than a save or delete, in both forms: ``BriefInput``, and `Input` for what that lacks, unless its reader was
/// not asked for that. It refers to memory that its caller holds, as a copy of an `Input` would count references.
@safe
struct OtherInput {
  private let briefs: UnsafePointer<BriefInput>?
  private let inputs: UnsafePointer<Input>?
  /// Its place from both addresses on, and how many inputs there are. Checked when the input is read, and not before, as a
  /// scheduler first looks at the kind.
  private let place: Int
  private let count: Int
  /// All predicates of the inputs, of which ``BriefInput/number`` is one; nil if the predicate must be read from the `Input`.
  /// They lie side by side, while an `Input` is 88 bytes and most often in no cache.
  private let predicates: UnsafeBufferPointer<Predicate>?

  /// Makes the input at a place of both.
  @inline(__always)
  init(
    at place: Int, of briefs: UnsafePointer<BriefInput>?, _ inputs: UnsafePointer<Input>?,
    count: Int, predicates: UnsafeBufferPointer<Predicate>? = nil
  ) {
    unsafe self.briefs = unsafe briefs
    unsafe self.inputs = unsafe inputs
    self.place = place
    self.count = count
    unsafe self.predicates = unsafe predicates
  }

  /// Makes an input with the fields of `brief`; texts and predicate stay those of `other`, as where reasons are lifted
  /// (``WaitReasons``).
  init(_ brief: UnsafePointer<BriefInput>, insteadOf other: OtherInput) {
    unsafe self.briefs = unsafe brief
    unsafe inputs = unsafe other.inputs.map { unsafe $0 + other.place }
    place = 0
    count = 1
    unsafe predicates = unsafe other.predicates
  }

  /// What a scheduler needs of it.
  @inline(__always)
  var brief: BriefInput {
    precondition(place < count, "an input is not among the others")
    // Not nil, as there is one at the place.
    return unsafe briefs.unsafelyUnwrapped[place]
  }

  private var input: UnsafePointer<Input> {
    precondition(place < count, "an input is not among the others")
    guard let inputs = unsafe inputs else { preconditionFailure("an input was read in brief") }
    return unsafe inputs + place
  }

  /// The predicate of an observer query that starts.
  @inline(__always)
  var predicate: Predicate? {
    let brief = brief
    guard brief.isOn else { return nil }
    guard let predicates = unsafe self.predicates else { return unsafe Self.predicate(of: input) }
    let place = Int(brief.number)
    let count = predicates.count
    precondition(place < count, "a predicate is not among the predicates")
    return unsafe predicates[place]
  }

  /// The id of a push.
  @inline(__always)
  var pushName: String? { unsafe Self.pushName(of: input) }

  // Static, with an address of the input: to call a method that is not inlined, all fields would be stored in memory first,
  // for every input.

  @inline(never)
  private static func predicate(of input: UnsafePointer<Input>) -> Predicate? {
    guard case .execute(_, _, _, let predicate) = unsafe input.pointee else { return nil }
    return predicate
  }

  @inline(never)
  private static func pushName(of input: UnsafePointer<Input>) -> String? {
    guard case .push(_, let push) = unsafe input.pointee else { return nil }
    return push.id
  }
}
