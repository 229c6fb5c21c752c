/// What is due and when: at most one thing for each app.
///
/// That is enough, as of a wake's deadline and its modelled completion only the first to come has an
/// effect (SPEC 4.2, 6.3, 6.4).
///
/// A tournament: its leaves are the apps, every other node repeats the first of its children. Who is first
/// is one comparison without branches, as what is due stands in one number in the order of SPEC 4.2: due
/// time, then timers before modelled completions. App numbers come last and are the order of the leaves: of
/// nodes that say the same, the one to the left is first.
struct TimerTree: ~Copyable {
  /// What may be due for an app.
  enum Purpose: Int {
    case timer = 0
    case modelledCompletion = 1
  }

  /// The root at 1 and the children of *n* at 2*n* and 2*n* + 1; 0 is unused.
  private var nodes = Table<Int64>()
  /// How many apps there is room for: a power of two.
  private var capacity = 4
  private var apps = 0

  /// What is due at this time or later never comes, as every valid time is earlier.
  static let never = Int64.max >> 1

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
  ///
  /// - Complexity: O(log *a*) in the number of apps.
  @inline(__always)
  var first: (due: Int64, app: Int, purpose: Purpose) {
    let first = nodes[1]
    var place = 1
    while place < capacity {
      place &<<= 1
      // No branch, as it is hard to predict: 1 if the first lies to the right, else 0.
      let other = nodes[place] ^ first
      place |= Int(UInt64(bitPattern: other | (0 &- other)) &>> 63)
    }
    return (Self.due(first), place &- capacity, Self.purpose(first))
  }

  /// Sets what is due for an app, and when, or that nothing is (``never`` or later).
  ///
  /// - Complexity: O(log *a*) in the number of apps.
  @inline(__always)
  mutating func set(_ purpose: Purpose = .timer, app: Int, due: Int64) {
    set(Self.key(due, purpose), app: app)
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
      if place >= capacity + apps {
        if nodes[place] != Self.nothing { return "leaf \(place) belongs to no app" }
      } else if place < capacity, nodes[place] != min(nodes[2 * place], nodes[2 * place + 1]) {
        return "node \(place) is not the first of its children"
      }
    }
    return nil
  }

  private mutating func set(_ leaf: Int64, app: Int) {
    var place = capacity &+ app
    guard nodes[place] != leaf else { return }
    nodes[place] = leaf
    var first = leaf
    repeat {
      first = min(first, nodes[place ^ 1])
      place &>>= 1
      nodes[place] = first
    } while place > 1
  }

  private mutating func makeNodes() {
    nodes = Table(capacity: 2 * capacity)
    nodes.fill(to: 2 * capacity, with: Self.nothing)
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
