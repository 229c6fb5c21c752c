import WakeEvents

/// The ids of the pushes that apps hold, for those who name pushes (``SchedulerCore/namesPushes``); the rules look at their
/// hashes alone.
///
/// Most pushes are superseded or carried soon, so that an id stays where the caller of the scheduler has it, and only those
/// still held as the call ends are copied (``keepLent(of:)``): of 13 ns a push on fitbit pushes, most was references counted.
@safe
struct HeldPushIDs: ~Copyable {
  struct Held {
    /// The id, if it was copied. It stays until the app's next push, also when the push is not held any more.
    var id: String?
    /// Where it is in ``HeldPushIDs/lentBytes``, if it is lent.
    var start: UInt32 = 0
    var count = Self.notLent

    var isLent: Bool { count != Self.notLent }

    /// More bytes than an id has.
    static let notLent = UInt32.max
  }

  /// By app number, as far as apps had pushes.
  private(set) var held = UncheckedArray<Held>()
  /// The apps whose ids are lent.
  private(set) var borrowers = UncheckedArray<Int32>()
  /// The memory of lent ids, in UTF-8. Valid until the call ends in which it was set.
  private var lentBytes = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  /// Notes the id of a push that an app holds from now on.
  ///
  /// - Parameter ids: The ids of pushes, among which it is. ``keepLent(of:)`` must follow while this memory is valid.
  @inline(__always)
  mutating func hold(_ push: BriefInput, of ids: UnsafeBufferPointer<UInt8>, by app: Int) {
    // `BriefInput.idRange`, of stored properties: one of another module that is computed is a call.
    let (start, count) = (push.type.index, push.query.index)
    precondition(Int(start) + Int(count) <= ids.count, "the ids of pushes were not read")
    if app >= held.count { held.fill(to: app + 1, with: Held()) }
    unsafe lentBytes = ids
    if !held[app].isLent { borrowers.append(Int32(truncatingIfNeeded: app)) }
    (held[app].start, held[app].count) = (start, count)
  }

  /// The id of the push that an app holds, or that the wake carries which has just begun.
  subscript(app: Int) -> String {
    precondition(app < held.count, "the id of the push of app \(app) was not noted")
    guard held[app].isLent else {
      guard let id = held[app].id else {
        preconditionFailure("the id of the push of app \(app) was not kept")
      }
      return id
    }
    let start = Int(held[app].start)
    // In its bounds, as `hold` has checked.
    let bytes = unsafe lentBytes[start..<start + Int(held[app].count)]
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// Copies the ids that are lent to apps which still hold their pushes, and forgets the others.
  @inline(__always)
  mutating func keepLent(of apps: borrowing UncheckedArray<AppState>) {
    if borrowers.count > 0 { copyLent(of: apps) }
  }

  @inline(never)
  private mutating func copyLent(of apps: borrowing UncheckedArray<AppState>) {
    for place in borrowers.indices {
      let app = Int(borrowers[place])
      held[app].id = apps[app].holdsPush ? self[app] : nil
      held[app].count = Held.notLent
    }
    returnAll()
  }

  /// Forgets all.
  mutating func removeAll() {
    held.removeAll()
    returnAll()
  }

  private mutating func returnAll() {
    borrowers.removeAll()
    unsafe lentBytes = UnsafeBufferPointer(start: nil, count: 0)
  }
}
