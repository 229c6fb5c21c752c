/// What is due and when: at most one thing for each app.
///
/// That is enough, as of a wake's deadline and its modelled completion only the first to come has an
/// effect (SPEC 4.2, 6.3, 6.4).
///
/// A tournament: its leaves are the apps, every other node repeats the first of its children. Who is first
/// is one comparison without branches, as what is due stands in one number in the order of SPEC 4.2: due
/// time, then timers before modelled completions, then app number.
struct TimerTree: ~Copyable {
  /// What may be due for an app.
  enum Purpose: Int {
    case timer = 0
    case modelledCompletion = 1
  }

  /// The root at 1 and the children of *n* at 2*n* and 2*n* + 1; 0 is unused.
  private var nodes = Table<Int128>()
  /// How many apps there is room for: a power of two.
  private var capacity = 4
  private var apps = 0

  /// Makes a tree for no apps.
  init() {
    makeNodes()
  }

  /// The earliest due time, or `Int64.max`.
  @inline(__always)
  var nextDue: Int64 { Self.due(nodes[1]) }

  /// Makes room for one more app, for which nothing is due.
  mutating func appendApp() {
    apps += 1
    guard apps > capacity else { return }
    let leaves = (0..<capacity).map { nodes[capacity + $0] }
    capacity *= 2
    makeNodes()
    for (app, leaf) in leaves.enumerated() { set(leaf, app: app) }
  }

  /// What is due first.
  @inline(__always)
  var first: (due: Int64, app: Int, purpose: Purpose) {
    let first = nodes[1]
    return (Self.due(first), Self.app(first), Self.purpose(first))
  }

  /// Sets what is due for an app, and when, or that nothing is (`Int64.max`).
  ///
  /// - Complexity: O(log *a*) in the number of apps.
  @inline(__always)
  mutating func set(_ purpose: Purpose = .timer, app: Int, due: Int64) {
    set(Self.key(due, purpose, app), app: app)
  }

  /// What is due for an app, and when; `Int64.max` if nothing is.
  func due(app: Int) -> (due: Int64, purpose: Purpose) {
    let leaf = nodes[capacity + app]
    return (Self.due(leaf), Self.purpose(leaf))
  }

  /// Becomes a copy of another tree.
  mutating func copy(_ other: borrowing TimerTree) {
    nodes.copy(other.nodes)
    capacity = other.capacity
    apps = other.apps
  }

  /// Says what is wrong with the tree, or nil if nothing is; for tests.
  func brokenInvariant() -> String? {
    for place in 1..<2 * capacity {
      if place >= capacity {
        if Self.app(nodes[place]) != place - capacity { return "leaf \(place) moved" }
      } else if nodes[place] != min(nodes[2 * place], nodes[2 * place + 1]) {
        return "node \(place) is not the first of its children"
      }
    }
    return nil
  }

  private mutating func set(_ leaf: Int128, app: Int) {
    var place = capacity + app
    guard nodes[place] != leaf else { return }
    nodes[place] = leaf
    var first = leaf
    while place > 1 {
      first = min(first, nodes[place ^ 1])
      place >>= 1
      nodes[place] = first
    }
  }

  private mutating func makeNodes() {
    nodes = Table(capacity: 2 * capacity)
    nodes.fill(to: 2 * capacity, with: 0)
    for place in (1..<2 * capacity).reversed() {
      // With nothing due, every node repeats its leftmost leaf.
      nodes[place] =
        place < capacity ? nodes[2 * place] : Self.key(.max, .timer, place - capacity)
    }
  }

  @inline(__always)
  private static func key(_ due: Int64, _ purpose: Purpose, _ app: Int) -> Int128 {
    Int128(due) &<< 64 | Int128(purpose.rawValue &<< 32 | app)
  }

  @inline(__always)
  private static func due(_ key: Int128) -> Int64 { Int64(truncatingIfNeeded: key &>> 64) }

  @inline(__always)
  private static func app(_ key: Int128) -> Int { Int(UInt32(truncatingIfNeeded: key)) }

  @inline(__always)
  private static func purpose(_ key: Int128) -> Purpose {
    Int64(truncatingIfNeeded: key) >> 32 == 0 ? .timer : .modelledCompletion
  }
}
