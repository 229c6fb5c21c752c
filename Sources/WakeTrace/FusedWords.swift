/// Step and mark of each event in one byte, where a block has few pairs of them.
struct FusedWords {
  private static let slotCount = 1_024

  private var words: [(step: Int64, place: UInt16)] = []
  private var bytes: [UInt8] = []

  /// Nil if there are more pairs than a byte tells apart, or too many for the events they stand for.
  ///
  /// - Parameter places: For each event where its mark stands.
  init?(steps: [Int64], places: [UInt16]) {
    // Places in `words` plus 1 by hash; 0 is free. A quarter full at most.
    var slots = [UInt16](repeating: 0, count: Self.slotCount)
    bytes = [UInt8](repeating: 0, count: steps.count)
    for row in steps.indices {
      let (step, place) = (steps[row], places[row])
      var slot = Self.slot(step, place)
      while true {
        let word = Int(slots[slot])
        guard word > 0 else {
          guard words.count < 256 else { return nil }
          bytes[row] = UInt8(words.count)
          words.append((step, place))
          slots[slot] = UInt16(words.count)
          break
        }
        if words[word - 1] == (step, place) {
          bytes[row] = UInt8(word - 1)
          break
        }
        slot = (slot + 1) & (Self.slotCount - 1)
      }
    }
    guard words.count * 16 <= max(256, steps.count) else { return nil }
  }

  @inline(__always)
  private static func slot(_ step: Int64, _ place: UInt16) -> Int {
    let mixed = UInt64(bitPattern: step) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(place)
    return Int(truncatingIfNeeded: (mixed &* 0xD6E8_FEB8_6659_FD93) &>> 54)
  }

  /// The column: the unit, the words as mark and step, a byte for each event.
  ///
  /// - Parameter ranks: The number of each mark.
  func encode(unit: Int64, ranks: [UInt32]) -> [Section] {
    var head = ByteWriter()
    head.appendVarint(UInt64(unit))
    head.append(UInt8(words.count - 1))
    for word in words {
      head.appendVarint(UInt64(ranks[Int(word.place)]))
      head.appendZigzag(word.step)
    }
    return [
      Section(kind: .plain, bytes: head.bytes), Section(kind: .symbols, bytes: bytes),
    ]
  }
}
