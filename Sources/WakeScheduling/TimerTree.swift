/// What is due and when: one timer and at most one modelled completion for each app.
///
/// A tournament in the order of SPEC 4.2: due time, then timers before modelled completions, then app
/// number. Its leaves are the entries, all timers by app and then all modelled completions by app, so
/// that the lesser leaf wins a tie; every other node repeats the first of its children. A change
/// climbs from its leaf only as far as it changes who is first.
struct TimerTree {
  /// The two things that may be due for an app.
  enum Purpose: Int {
    case timer = 0
    case modelledCompletion = 1
  }

  private struct Node: Comparable {
    /// `Int64.max` if nothing is due.
    var due = Int64.max
    var leaf: Int

    static func < (left: Node, right: Node) -> Bool {
      left.due != right.due ? left.due < right.due : left.leaf < right.leaf
    }
  }

  /// The root at 1 and the children of *n* at 2*n* and 2*n* + 1; 0 is unused.
  private var nodes: [Node]
  /// How many apps there is room for: a power of two.
  private var capacity: Int
  private var apps = 0

  /// Makes a tree for no apps.
  init() {
    self.init(capacity: 4)
  }

  private init(capacity: Int) {
    let leaves = 2 * capacity
    self.capacity = capacity
    nodes = (0..<2 * leaves).map { Node(leaf: $0 - leaves) }
    // With nothing due, every node repeats its leftmost leaf.
    for place in (1..<leaves).reversed() { nodes[place] = nodes[2 * place] }
  }

  /// The earliest due time, or `Int64.max`.
  var nextDue: Int64 { nodes[1].due }

  /// Makes room for one more app, for which nothing is due.
  mutating func appendApp() {
    apps += 1
    guard apps > capacity else { return }
    var larger = TimerTree(capacity: 2 * capacity)
    larger.apps = apps
    for app in 0..<capacity {
      larger.set(.timer, app: app, due: due(.timer, app: app))
      larger.set(.modelledCompletion, app: app, due: due(.modelledCompletion, app: app))
    }
    self = larger
  }

  /// What is due first.
  var first: (due: Int64, app: Int, purpose: Purpose)? {
    let first = nodes[1]
    guard first.due != .max else { return nil }
    return first.leaf < capacity
      ? (first.due, first.leaf, .timer)
      : (first.due, first.leaf - capacity, .modelledCompletion)
  }

  /// Sets when an app's entry is due, or that it is not (`Int64.max`).
  ///
  /// - Complexity: O(log *a*) in the number of apps.
  mutating func set(_ purpose: Purpose, app: Int, due: Int64) {
    var place = place(of: purpose, app: app)
    var nodes = nodes.mutableSpan
    guard nodes[place].due != due else { return }
    nodes[place].due = due
    var first = nodes[place]
    while place > 1 {
      first = min(first, nodes[place ^ 1])
      place >>= 1
      if nodes[place] == first { return }
      nodes[place] = first
    }
  }

  /// When an app's entry is due; `Int64.max` if it is not.
  func due(_ purpose: Purpose, app: Int) -> Int64 {
    nodes[place(of: purpose, app: app)].due
  }

  /// Says what is wrong with the tree, or nil if nothing is; for tests.
  func brokenInvariant() -> String? {
    for place in nodes.indices.dropFirst() {
      if place >= 2 * capacity {
        if nodes[place].leaf != place - 2 * capacity { return "leaf \(place) moved" }
      } else if nodes[place] != min(nodes[2 * place], nodes[2 * place + 1]) {
        return "node \(place) is not the first of its children"
      }
    }
    return nil
  }

  private func place(of purpose: Purpose, app: Int) -> Int {
    (2 + purpose.rawValue) * capacity + app
  }
}
