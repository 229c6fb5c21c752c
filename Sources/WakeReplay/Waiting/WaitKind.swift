package import WakeEvents
package import WakeScheduling

/// What an app's waits are grouped by when they are summed: a sample type, all pushes, or the refresh.
package enum WaitKind: Hashable, Sendable {
  case push, refresh
  case type(SampleType)

  package init(_ item: Wait.Item) {
    switch item {
    case .type(let type): self = .type(type)
    case .push: self = .push
    case .refresh: self = .refresh
    }
  }

  /// The kind at a place of an array; inverse of ``place``.
  init(place: Int) {
    switch place {
    case 0: self = .push
    case 1: self = .refresh
    default: self = .type(SampleType(index: UInt32(place - 2)))
    }
  }

  /// A place in an array: pushes and refreshes, then the types by their index.
  var place: Int {
    switch self {
    case .push: 0
    case .refresh: 1
    case .type(let type): 2 + Int(type.index)
    }
  }

  /// The word in the wait log and in results.
  package var word: String {
    switch self {
    case .push: "push"
    case .refresh: "refresh"
    case .type: "type"
    }
  }
}

extension Wait.Item {
  package var kind: WaitKind { WaitKind(self) }

  /// The sample type or the push's id.
  func name(_ symbols: Symbols) -> String? {
    switch self {
    case .type(let type): symbols.types.name(of: type)
    case .push(let id): id
    case .refresh: nil
    }
  }
}
