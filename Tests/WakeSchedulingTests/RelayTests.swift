import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("Relay")
struct RelayTests {
  typealias Buffering = Relay<Int>.Buffering

  @Test(
    "delivers to all listeners of the name, in the order they were added, in every mode",
    arguments: Buffering.allCases)
  func delivers(buffering: Buffering) throws {
    var relay = Relay<Int>(events: ["a", "b"], buffering: buffering)
    let first = try relay.addListener(for: "a").listener
    _ = try relay.addListener(for: "b")
    let second = try relay.addListener(for: "a").listener
    #expect(try relay.send(1, as: "a") == .deliver(to: [first, second]))
    #expect(try relay.keptCount(for: "a") == 0)
  }

  @Test("loses events without listeners where nothing is buffered")
  func loses() throws {
    var relay = Relay<Int>(events: ["a"], buffering: .none)
    #expect(try relay.send(1, as: "a") == .lost)
    #expect(try relay.addListener(for: "a").kept == [])
  }

  @Test("keeps the newest event of each name, and hands back the one superseded")
  func keepsLatest() throws {
    var relay = Relay<Int>(events: ["a", "b"], buffering: .latest)
    #expect(try relay.send(1, as: "a") == .kept(superseding: nil))
    #expect(try relay.send(2, as: "b") == .kept(superseding: nil))
    #expect(try relay.send(3, as: "a") == .kept(superseding: 1))
    #expect(try relay.addListener(for: "a").kept == [3])
    #expect(try relay.addListener(for: "b").kept == [2])
  }

  @Test("keeps all events of each name in order")
  func keepsQueue() throws {
    var relay = Relay<Int>(events: ["a", "b"], buffering: .queue)
    for event in 0..<10 {
      let name = event.isMultiple(of: 3) ? "b" : "a"
      #expect(try relay.send(event, as: name) == .kept(superseding: nil))
    }
    #expect(try relay.keptCount(for: "a") == 6)
    #expect(try relay.addListener(for: "a").kept == [1, 2, 4, 5, 7, 8])
    #expect(try relay.addListener(for: "b").kept == [0, 3, 6, 9])
  }

  @Test("gives kept events to the first listener alone, and keeps again after the last is removed")
  func firstListener() throws {
    var relay = Relay<Int>(events: ["a"], buffering: .queue)
    _ = try relay.send(1, as: "a")
    let first = try relay.addListener(for: "a")
    let second = try relay.addListener(for: "a")
    #expect(first.kept == [1])
    #expect(second.kept == [])
    var wasThere = relay.remove(first.listener)
    #expect(wasThere)
    #expect(try relay.send(2, as: "a") == .deliver(to: [second.listener]))
    wasThere = relay.remove(second.listener)
    #expect(wasThere)
    wasThere = relay.remove(second.listener)
    #expect(!wasThere, "a listener can be removed once")
    #expect(try relay.send(3, as: "a") == .kept(superseding: nil))
    #expect(try relay.addListener(for: "a").kept == [3])
  }

  @Test("takes no event and no listener of an unsupported name, compared by bytes")
  func unsupportedName() throws {
    // The supported name is composed; the other one looks the same and is decomposed.
    var relay = Relay<Int>(events: ["\u{E9}"], buffering: .queue)
    for name in ["e\u{301}", "", "\u{E9} "] {
      #expect(throws: RelayError.self, "\(name)") { try relay.send(1, as: name) }
      #expect(throws: RelayError.self, "\(name)") { try relay.addListener(for: name) }
      do throws(RelayError) {
        _ = try relay.keptCount(for: name)
        Issue.record("\(name) is not supported")
      } catch {
        #expect(error.code == .unsupportedEvent)
        #expect(error.event == ExactName(name))
        #expect(error.description == "unsupported event: \(name)")
      }
    }
    #expect(try relay.send(1, as: "\u{E9}") == .kept(superseding: nil))
  }

  @Test("discards what is kept in the order it was sent, over all names")
  func discards() throws {
    var relay = Relay<Int>(events: ["a", "b", "c"], buffering: .latest)
    let listener = try relay.addListener(for: "c").listener
    for (event, name) in [(1, "a"), (2, "b"), (3, "a")] { _ = try relay.send(event, as: name) }
    var discarded = relay.discardAll()
    #expect(discarded == [2, 3])
    discarded = relay.discardAll()
    #expect(discarded == [])
    #expect(try relay.addListener(for: "a").kept == [])
    #expect(try relay.send(4, as: "c") == .deliver(to: [listener]), "listeners stay")
  }

  @Test("holds no payload longer than the event, whose completion is the listener's to call")
  func completion() throws {
    final class Completion {
      var calls = 0
      func callAsFunction() { calls += 1 }
    }
    var relay = Relay<Completion>(events: ["wake"], buffering: .latest)
    weak var superseded: Completion?
    do {
      let completion = Completion()
      superseded = completion
      _ = try relay.send(completion, as: "wake")
      let kept = Completion()
      guard case .kept(superseding: let old?) = try relay.send(kept, as: "wake") else {
        Issue.record("the first event was not superseded")
        return
      }
      old()
      #expect(old === completion && completion.calls == 1)
      for delivered in try relay.addListener(for: "wake").kept { delivered() }
      #expect(kept.calls == 1)
    }
    #expect(superseded == nil, "the relay still holds a payload")
  }

  @Test("does as a plain list of all that happened says", arguments: Buffering.allCases)
  func model(buffering: Buffering) throws {
    for seed in 0..<50 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var relay = Relay<Int>(events: ["a", "b", "c"], buffering: buffering)
      // The model: every event not yet delivered, lost or superseded, with its name, as sent.
      var kept: [(name: String, event: Int)] = []
      var listeners: [(name: String, listener: Relay<Int>.Listener)] = []
      for step in 0..<300 {
        let name = random.pick(["a", "b", "c"])
        let place: Comment = "seed \(seed), step \(step), \(buffering), event \(name)"
        let listening = listeners.filter { $0.name == name }.map(\.listener)
        switch random.below(20) {
        case 0..<10:
          let superseded = kept.last { $0.name == name }?.event
          let expected: Relay<Int>.Disposition
          if !listening.isEmpty {
            expected = .deliver(to: listening)
          } else {
            switch buffering {
            case .none: expected = .lost
            case .latest:
              expected = .kept(superseding: superseded)
              kept.removeAll { $0.name == name }
            case .queue: expected = .kept(superseding: nil)
            }
            if buffering != .none { kept.append((name, step)) }
          }
          #expect(try relay.send(step, as: name) == expected, place)
        case 10..<13:
          let added = try relay.addListener(for: name)
          #expect(added.kept == kept.filter { $0.name == name }.map(\.event), place)
          #expect(!listeners.contains { $0.listener == added.listener }, place)
          kept.removeAll { $0.name == name }
          listeners.append((name, added.listener))
        case 13..<19:
          guard !listeners.isEmpty else { continue }
          let removed = listeners.remove(at: random.below(listeners.count))
          let (once, twice) = (relay.remove(removed.listener), relay.remove(removed.listener))
          #expect(once && !twice, place)
        default:
          let discarded = relay.discardAll()
          #expect(discarded == kept.map(\.event), place)
          kept = []
        }
        #expect(try relay.keptCount(for: name) == kept.count { $0.name == name }, place)
      }
    }
  }
}
