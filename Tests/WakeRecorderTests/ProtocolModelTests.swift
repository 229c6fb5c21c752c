import Testing

/// A model of the protocol between a producer, its consumer and the consumer's successors, of which every interleaving
/// is tried. Steps have the names of the functions that they stand for, and are as atomic as those: one access to
/// shared memory, or one write to the trace. Memory is sequentially consistent here; the recorder's tests under
/// ThreadSanitizer look at the orderings.
private struct ProtocolModel: Hashable {
  /// What the code must not do; the model must notice each.
  enum Mistake: CaseIterable {
    case headBeforeSlot, tailBeforeWrite, commitBeforeWrite, noDoubt, limitOneTooFar
  }

  /// As `RingProgress`.
  struct Progress: Hashable {
    var tail = 0
    var sequence = 0
  }

  struct Block: Hashable {
    var sequence: Int
    var events: [Slot]
  }

  /// The two words of a slot; both are the event's number.
  struct Slot: Hashable {
    var word0 = -1
    var word1 = -1
  }

  /// `ProducerCell`: `reserve`, `makeRoom`, `put` twice, `publish`.
  enum ProducerStep: Hashable { case reserve, checkHead, makeRoom, put0, put1, publish, ended }

  /// `RingConsumer.drain` and `Ring`.
  enum ConsumerStep: Hashable {
    case open, readHead, read0, read1, prepareWords, prepareFlag, write, commitCurrent, commitFlag,
      commitTail
  }

  // Shared memory, and the trace. They survive kills.
  var reserved = 0
  var head = 0
  var tail = 0
  var slots: [Slot]
  var current = 0
  var isWriting = false
  var stored = [Progress(), Progress()]
  var trace: [Block] = []

  // The producer's own memory.
  var producer = ProducerStep.reserve
  var next = 0
  var position = 0
  var limit = 0
  var published: [Int] = []

  // The consumer's own memory.
  var consumer = ConsumerStep.open
  var valid = Progress()
  var doubt: Progress?
  var end = 0
  var taken: [Slot] = []
  var killsLeft: Int

  let events: Int
  let blocks: Bool
  let mistake: Mistake?

  init(capacity: Int, events: Int, kills: Int, blocks: Bool, mistake: Mistake?) {
    slots = Array(repeating: Slot(), count: capacity)
    (self.events, killsLeft, self.blocks, self.mistake) = (events, kills, blocks, mistake)
  }

  /// The states that one step of either side, or a kill, leads to.
  var successors: [ProtocolModel] {
    var states: [ProtocolModel] = []
    func add(_ step: (inout ProtocolModel) -> Bool) {
      var state = self
      if step(&state) { states.append(state) }
    }
    add { $0.stepProducer() }
    add { $0.stepConsumer() }
    if producer != .ended {
      add {
        $0.producer = .ended; return true
      }
    }
    if killsLeft > 0, consumer != .open {
      add {
        $0.killConsumer(); return true
      }
    }
    return states
  }

  private mutating func killConsumer() {
    killsLeft -= 1
    (consumer, valid, doubt, end, taken) = (.open, Progress(), nil, 0, [])
  }

  /// One step; false if the producer waits or has ended.
  private mutating func stepProducer() -> Bool {
    switch producer {
    case .reserve:
      position = reserved
      reserved = position + 1
      producer = .checkHead
    case .checkHead:
      guard head == position else { return false }
      producer = position < limit ? firstPut : .makeRoom
    case .makeRoom:
      let room = tail + slots.count + (mistake == .limitOneTooFar ? 1 : 0)
      if position >= room, blocks {
        // A spin that changes nothing is no step.
        guard limit != room else { return false }
        limit = room
        return true
      }
      limit = room
      if position < room {
        producer = firstPut
      } else {
        reserved = position
        goOn()
      }
    case .put0:
      slots[position % slots.count].word0 = next
      producer = .put1
    case .put1:
      slots[position % slots.count].word1 = next
      if mistake == .headBeforeSlot { goOn() } else { producer = .publish }
    case .publish:
      head = position + 1
      published.append(next)
      if mistake == .headBeforeSlot { producer = .put0 } else { goOn() }
    case .ended: return false
    }
    return true
  }

  private var firstPut: ProducerStep { mistake == .headBeforeSlot ? .publish : .put0 }

  private mutating func goOn() {
    next += 1
    producer = next < events ? .reserve : .ended
  }

  /// One step; false if nothing waits.
  private mutating func stepConsumer() -> Bool {
    switch consumer {
    case .open:
      valid = stored[current]
      let other = stored[1 - current]
      let isDoubtful = isWriting && other.sequence == valid.sequence + 1 && mistake != .noDoubt
      let isWritten = trace.contains { $0.sequence == valid.sequence }
      doubt = isDoubtful && isWritten ? other : nil
      consumer = doubt == nil ? .readHead : .commitCurrent
      if doubt == nil { isWriting = false }
    case .readHead:
      guard head != valid.tail else { return false }
      (end, taken) = (head, [])
      consumer = .read0
    case .read0:
      taken.append(Slot(word0: slots[(valid.tail + taken.count) % slots.count].word0))
      consumer = .read1
    case .read1:
      let place = (valid.tail + taken.count - 1) % slots.count
      taken[taken.count - 1].word1 = slots[place].word1
      consumer = valid.tail + taken.count < end ? .read0 : .prepareWords
    case .prepareWords:
      doubt = Progress(tail: end, sequence: valid.sequence + 1)
      stored[1 - current] = Progress(tail: end, sequence: valid.sequence + 1)
      if mistake == .tailBeforeWrite { tail = end }
      consumer = .prepareFlag
    case .prepareFlag:
      isWriting = true
      consumer = mistake == .commitBeforeWrite ? .commitCurrent : .write
    case .write:
      trace.append(Block(sequence: valid.sequence, events: taken))
      consumer = mistake == .commitBeforeWrite ? .commitFlag : .commitCurrent
    case .commitCurrent:
      current = 1 - current
      consumer = mistake == .commitBeforeWrite && !taken.isEmpty ? .write : .commitFlag
    case .commitFlag:
      isWriting = false
      consumer = .commitTail
    case .commitTail:
      valid = doubt ?? valid
      doubt = nil
      tail = valid.tail
      consumer = .readHead
    }
    return true
  }

  /// What is wrong in this state; nil if nothing is.
  var violation: String? {
    let taken = trace.flatMap(\.events)
    if let torn = taken.first(where: { $0.word0 != $0.word1 }) { return "a torn event \(torn)" }
    let numbers = taken.map(\.word0)
    if Set(numbers).count < numbers.count { return "an event is there twice: \(numbers)" }
    if trace.map(\.sequence) != Array(0..<trace.count) { return "blocks \(trace.map(\.sequence))" }
    guard producer == .ended, consumer == .readHead, head == valid.tail else { return nil }
    return numbers == published ? nil : "\(published) were recorded, and the trace has \(numbers)"
  }
}

@Suite("The protocol of producer, consumer and successors, in every interleaving")
struct ProtocolModelTests {
  /// Tries all interleavings, up to the first violation.
  private func explore(_ start: ProtocolModel) -> (states: Int, violation: String?) {
    var seen: Set<ProtocolModel> = [start]
    var waiting = [start]
    while let state = waiting.popLast() {
      if let violation = state.violation { return (seen.count, violation) }
      for successor in state.successors where seen.insert(successor).inserted {
        waiting.append(successor)
      }
    }
    return (seen.count, nil)
  }

  @Test(
    "nothing returned is lost or there twice, and no torn event is taken", arguments: [false, true])
  func protocolHolds(blocks: Bool) {
    for (capacity, events, kills) in [(1, 3, 2), (2, 4, 1), (2, 3, 2)] {
      let found = explore(
        ProtocolModel(
          capacity: capacity, events: events, kills: kills, blocks: blocks, mistake: nil))
      #expect(found.violation == nil, "\(capacity) slots, \(events) events, \(kills) kills")
      #expect(found.states > 500, "only \(found.states) states")
    }
  }

  @Test("a protocol with a mistake fails", arguments: ProtocolModel.Mistake.allCases)
  fileprivate func mistakes(mistake: ProtocolModel.Mistake) {
    let found = explore(
      ProtocolModel(capacity: 2, events: 4, kills: 1, blocks: false, mistake: mistake))
    #expect(found.violation != nil, "\(mistake) is not noticed in \(found.states) states")
  }
}
