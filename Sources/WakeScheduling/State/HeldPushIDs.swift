import WakeEvents

/// The ids of the pushes that apps hold, for those who name pushes (``SchedulerCore/namesPushes``); the rules look at their
/// hashes alone.
///
/// Most pushes are superseded or carried soon, so that an id stays where the caller of the scheduler has it, and only those
/// still held as the call ends are copied (``keepLent(of:)``): of 13 ns a push on fitbit pushes, most was references counted.
@safe
struct HeldPushIDs: ~Copyable {
  struct Held {
    /// The id, if it was copied.
    var id: String?
    /// Where it is in `lender`, if it is lent; else at `nowhere`.
    var start = Self.nowhere
    var count: UInt32 = 0

    var isLent: Bool { start != Self.nowhere }

    static var nowhere: UInt32 { BriefInput.unreadID }
  }

  /// By app number, as far as apps had pushes.
  private var held = UncheckedArray<Held>()
  /// The apps whose ids are lent.
  private var borrowers = UncheckedArray<Int32>()
  /// The memory of lent ids. Valid until the call ends in which it was set.
  private var lender = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  /// Notes the id of a push that an app holds from now on.
  ///
  /// - Parameter ids: The ids of pushes, among which it is. ``keepLent(of:)`` must follow while this memory is valid.
  @inline(__always)
  mutating func hold(_ push: BriefInput, of ids: UnsafeBufferPointer<UInt8>, by app: Int) {
    // Stored properties, as a property of another module that is computed is a call.
    let start = push.type.index
    precondition(start != Held.nowhere, "the ids of pushes were not read")
    if app >= held.count { held.fill(to: app + 1, with: Held()) }
    unsafe lender = ids
    if !held[app].isLent { borrowers.append(Int32(truncatingIfNeeded: app)) }
    held[app].start = start
    held[app].count = push.query.index
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
    let bytes = Int(held[app].start)..<Int(held[app].start) + Int(held[app].count)
    let count = unsafe lender.count
    precondition(bytes.upperBound <= count, "an id is at \(bytes) of \(count) bytes")
    return unsafe String(decoding: lender[bytes], as: UTF8.self)
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
      held[app].start = Held.nowhere
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
    unsafe lender = UnsafeBufferPointer(start: nil, count: 0)
  }
}
