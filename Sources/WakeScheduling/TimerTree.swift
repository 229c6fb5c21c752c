/// What is due and when: at most one thing for each app.
///
/// That is enough, as of a wake's deadline and its modelled completion only the first to come has an
/// effect (SPEC 4.2, 6.3, 6.4).
///
/// A tournament: each node holds the app that goes first of those below it. What is due for an app stands in
/// one number in the order of SPEC 4.2: due time, then timers before modelled completions. App numbers come
/// last and are the order of the leaves: of apps for which the same is due, the one to the left goes first.
struct TimerTree: ~Copyable {
  /// What may be due for an app.
  enum Purpose: Int {
    case timer = 0
    /// Or what comes at once after one that is counted ahead.
    case modelledCompletion = 1
  }

  /// What is due for each app, and when.
  private var keys = Table<Int64>()
  /// The app that goes first below each node: the root at 1 and the children of *n* at 2*n* and 2*n* + 1; 0 is
  /// unused. Leaves hold themselves.
  private var winners = Table<Int32>()
  /// What is due first.
  private var firstKey = nothing
  /// How many apps there is room for: a power of two.
  private var capacity = 4
  private var apps = 0

  /// What is due at this time or later never comes, as every valid time is earlier.
  static let never = Int64.max >> 1

  /// Makes a tree for no apps.
  init() {
    makeRoom()
  }

  /// The earliest due time, or `Int64.max`.
  @inline(__always)
  var nextDue: Int64 { Self.due(firstKey) }

  /// Makes room for one more app, for which nothing is due.
  mutating func appendApp() {
    apps += 1
    guard apps > capacity else { return }
    capacity *= 2
    makeRoom()
  }

  /// What is due first.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  var first: (due: Int64, app: Int, purpose: Purpose) {
    (Self.due(firstKey), Int(winners[1]), Self.purpose(firstKey))
  }

  /// Sets what is due for an app, and when, or that nothing is (``never`` or later).
  ///
  /// - Complexity: O(log *a*) in the number of apps.
  @inline(__always)
  mutating func set(_ purpose: Purpose = .timer, app: Int, due: Int64) {
    let key = Self.key(due, purpose)
    if keys[app] != key { set(key, app: app) }
  }

  /// What is due for an app, and when; `Int64.max` if nothing is.
  func due(app: Int) -> (due: Int64, purpose: Purpose) {
    (Self.due(keys[app]), Self.purpose(keys[app]))
  }

  /// Becomes a copy of another tree.
  mutating func copy(_ other: borrowing TimerTree) {
    keys.copy(other.keys)
    winners.copy(other.winners)
    firstKey = other.firstKey
    capacity = other.capacity
    apps = other.apps
  }

  /// Says what is wrong with the tree, or nil if nothing is; for tests.
  func brokenInvariant() -> String? {
    for app in 0..<capacity {
      if app >= apps, keys[app] != Self.nothing { return "there is no app \(app), and it is due" }
      if winners[capacity + app] != app { return "leaf \(app) holds another app" }
    }
    for place in 1..<capacity {
      let (left, right) = (winners[2 * place], winners[2 * place + 1])
      let first = keys[Int(left)] <= keys[Int(right)] ? left : right
      if winners[place] != first { return "node \(place) does not hold the first below it" }
    }
    return firstKey == keys[Int(winners[1])] ? nil : "what is due first is due at another time"
  }

  private mutating func set(_ key: Int64, app: Int) {
    keys[app] = key
    var place = capacity &+ app
    var first = Int32(truncatingIfNeeded: app)
    var firstKey = key
    repeat {
      // Nothing here waits for what goes first but the comparison, and no branch is hard to predict.
      let other = winners[place ^ 1]
      let otherKey = keys[Int(other)]
      // One to the left of it goes first if it is due no later.
      let wins = otherKey &- Int64(place & 1) < firstKey
      first = wins ? other : first
      firstKey = wins ? otherKey : firstKey
      place &>>= 1
      winners[place] = first
    } while place > 1
    self.firstKey = firstKey
  }

  /// Makes room for as many apps as `capacity` says, for the further of which nothing is due.
  private mutating func makeRoom() {
    keys.fill(to: capacity, with: Self.nothing)
    winners.fill(to: 2 * capacity, with: 0)
    for app in 0..<capacity { winners[capacity + app] = Int32(app) }
    for place in (1..<capacity).reversed() {
      let (left, right) = (winners[2 * place], winners[2 * place + 1])
      winners[place] = keys[Int(left)] <= keys[Int(right)] ? left : right
    }
  }

  private static let nothing = Int64.max

  /// Twice the due time, and 1 more for a modelled completion.
  @inline(__always)
  private static func key(_ due: Int64, _ purpose: Purpose) -> Int64 {
    due < never ? due &<< 1 | Int64(purpose.rawValue) : nothing
  }

  @inline(__always)
  private static func due(_ key: Int64) -> Int64 { key == nothing ? .max : key &>> 1 }

  @inline(__always)
  private static func purpose(_ key: Int64) -> Purpose {
    key & 1 == 0 || key == nothing ? .timer : .modelledCompletion
  }
}
