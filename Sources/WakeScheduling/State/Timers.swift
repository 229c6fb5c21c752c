/// What is due for each app, and when: at most one thing (rule 4.4). Of a wake's deadline and its modelled completion
/// only the first to come has an effect (rules 4.2, 6.3, 6.4). A paced replay orders its devices by timers too.
///
/// A key holds what rule 4.2 orders by: due time, then timers before modelled completions; equal keys go by app number.
///
/// A tournament tree (Knuth, The Art of Computer Programming 3, 5.4.1) finds the first key. Each node holds the app with the
/// least key below it: the root at 1, the children of n at 2n and 2n + 1, leaf i at capacity + i. Setting a key plays the
/// matches from its leaf to the root. Of equal keys the left one wins, which has the lower app number.
package struct Timers: ~Copyable {
  /// What may be due for an app.
  package enum Purpose: Int {
    case timer = 0
    case modelledCompletion = 1
  }

  /// What is due at this time or later never comes, as every valid time is earlier.
  static let never = Int64.max >> 1

  /// The key of each app.
  private(set) var keys = UncheckedArray<Int64>()
  /// The nodes of the tree; place 0 is unused.
  private(set) var winners = UncheckedArray<Int32>()
  /// The number of leaves: a power of two.
  private(set) var capacity = 2
  private(set) var firstKey = nothing
  private(set) var apps = 0

  package init() { growTree() }

  /// The earliest due time, or `Int64.max`.
  @inline(__always)
  package var nextDue: Int64 { Self.due(firstKey) }

  /// Whether something is due at or before a time, before ``never``.
  @inline(__always)
  func mayBeDue(by time: Int64) -> Bool { firstKey &>> 1 <= time }

  /// What is due first.
  @inline(__always)
  package var first: (due: Int64, app: Int, purpose: Purpose) {
    (Self.due(firstKey), Int(winners[1]), Self.purpose(firstKey))
  }

  /// Adds an app for which nothing is due.
  package mutating func appendApp() {
    apps += 1
    guard apps > capacity else { return }
    capacity *= 2
    growTree()
  }

  /// Sets what is due for an app, and when; ``never`` or later is nothing.
  ///
  /// - Complexity: O(log apps).
  @inline(__always)
  package mutating func set(_ purpose: Purpose = .timer, app: Int, due: Int64) {
    let key = Self.key(due, purpose)
    if keys[app] != key { play(app: app, key: key) }
  }

  /// What is due for an app, and when; `Int64.max` is nothing.
  func due(app: Int) -> (due: Int64, purpose: Purpose) {
    (Self.due(keys[app]), Self.purpose(keys[app]))
  }

  /// Asks the processor to fetch them.
  func prefetch() {
    keys.prefetch()
    winners.prefetch()
  }

  /// Becomes a copy of other timers.
  mutating func copy(_ other: borrowing Timers) {
    keys.copy(other.keys)
    winners.copy(other.winners)
    firstKey = other.firstKey
    capacity = other.capacity
    apps = other.apps
  }

  private mutating func growTree() {
    keys.fill(to: capacity, with: Self.nothing)
    winners.fill(to: 2 * capacity, with: 0)
    for app in 0..<capacity { winners[capacity + app] = Int32(app) }
    for node in (1..<capacity).reversed() { winners[node] = winner(below: node) }
  }

  func winner(below node: Int) -> Int32 {
    let (left, right) = (winners[2 * node], winners[2 * node + 1])
    return keys[Int(left)] <= keys[Int(right)] ? left : right
  }

  /// Sets the key of an app, and plays the matches from its leaf to the root.
  private mutating func play(app: Int, key: Int64) {
    keys[app] = key
    var node = capacity &+ app
    var winner = Int32(truncatingIfNeeded: app)
    var winnerKey = key
    repeat {
      let rival = winners[node ^ 1]
      // A left rival also wins with an equal key. Without branches, as the outcome is hard to predict.
      let rivalKey = keys[Int(rival)]
      let loses = rivalKey < winnerKey &+ Int64(node & 1)
      winner = loses ? rival : winner
      winnerKey = loses ? rivalKey : winnerKey
      node &>>= 1
      winners[node] = winner
    } while node > 1
    firstKey = winnerKey
  }

  /// Even, and no greatest number, so that one more is still greater.
  static let nothing = Int64.max &- 1

  /// Twice the due time, plus 1 for a modelled completion.
  @inline(__always)
  private static func key(_ due: Int64, _ purpose: Purpose) -> Int64 {
    due < never ? due &<< 1 | Int64(purpose.rawValue) : nothing
  }

  @inline(__always)
  private static func due(_ key: Int64) -> Int64 { key == nothing ? .max : key &>> 1 }

  @inline(__always)
  private static func purpose(_ key: Int64) -> Purpose {
    key & 1 == 0 ? .timer : .modelledCompletion
  }
}
