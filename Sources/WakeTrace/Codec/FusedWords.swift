/// The step and key of each event in one byte, for blocks with few distinct pairs (a dictionary encoding).
struct FusedWords {
  private static let slotCount = 1_024

  private var words: [(step: Int64, place: UInt16)] = []
  private var bytes: [UInt8] = []

  /// Nil if there are more than 256 pairs of step and index of a key, or too many for the number of events.
  init?(steps: [Int64], places: [UInt16]) {
    // A hash table of indices in `words` plus 1, with linear probing; 0 is free. At most a quarter full.
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

  /// The column: the unit, the words as rank of the key and step, a byte for each event.
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
