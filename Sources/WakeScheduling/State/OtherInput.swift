import WakeEvents

/// An input other than a save or delete: a ``BriefInput``, and what of a query or push does not fit into that. It refers to
/// memory that its caller holds, as a copy of an `Input` would count references.
@safe
struct OtherInput {
  private let briefs: UnsafeBufferPointer<BriefInput>
  /// Its place in `briefs`. Checked when the input is read, and not before, as a scheduler first looks at the kind.
  private let place: Int
  /// All predicates of the inputs, of which ``BriefInput/number`` is one.
  private let predicates: UnsafeBufferPointer<Predicate>
  /// The ids of all pushes of the inputs in UTF-8. Empty if the reader was not asked for them.
  let pushIDs: UnsafeBufferPointer<UInt8>

  /// Makes the input at a place of columns.
  @inline(__always)
  init(
    at place: Int, of briefs: UnsafeBufferPointer<BriefInput>,
    _ predicates: UnsafeBufferPointer<Predicate>, _ pushIDs: UnsafeBufferPointer<UInt8>
  ) {
    unsafe self.briefs = unsafe briefs
    self.place = place
    unsafe self.predicates = unsafe predicates
    unsafe self.pushIDs = unsafe pushIDs
  }

  /// Makes an input with the fields of `brief`; predicate and id stay those of `other`, as where reasons are lifted
  /// (``WaitReasons``).
  init(_ brief: UnsafePointer<BriefInput>, insteadOf other: OtherInput) {
    unsafe self.init(
      at: 0, of: UnsafeBufferPointer(start: brief, count: 1), other.predicates, other.pushIDs)
  }

  /// What a scheduler needs of it.
  @inline(__always)
  var brief: BriefInput {
    let count = unsafe briefs.count
    precondition(place < count, "an input is not among the others")
    // Not nil, as there is one at the place.
    return unsafe briefs.baseAddress.unsafelyUnwrapped[place]
  }

  /// The predicate of an observer query that starts.
  @inline(__always)
  var predicate: Predicate? {
    let brief = brief
    guard brief.isOn else { return nil }
    let place = Int(brief.number)
    let count = unsafe predicates.count
    precondition(place < count, "a predicate is not among the predicates")
    return unsafe predicates[place]
  }

  /// Calls `body` with a single input.
  static func with(_ input: Input, _ brief: BriefInput, _ body: (OtherInput) -> Void) {
    var brief = brief
    var predicate = Predicate()
    var pushID = ""
    switch input {
    case .execute(_, _, _, let own?):
      // The only one: its place in `brief` is 0.
      predicate = own
    case .push(_, let push):
      pushID = push.id
      brief.setID(at: 0..<pushID.utf8.count)
    default: break
    }
    unsafe withUnsafePointer(to: brief) { brief in
      unsafe withUnsafePointer(to: predicate) { predicate in
        pushID.withUTF8 { pushID in
          body(
            unsafe OtherInput(
              at: 0, of: UnsafeBufferPointer(start: brief, count: 1),
              UnsafeBufferPointer(start: predicate, count: 1), pushID))
        }
      }
    }
  }
}
