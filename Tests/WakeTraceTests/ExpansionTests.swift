import CExpansion
import Testing
import WakeTestSupport

@testable import WakeTrace

/// What no block happens to hold: a lie in one row alone, and every number of words.
@Suite(
  "Two eights of rows",
  .enabled(if: Eights.areSupported, "this processor cannot read rows by eights"))
struct ExpansionTests {
  /// Looks up rows in three marks, of which all rows have one but `liar`; says whether that was refused.
  private static func areRefused(rows count: Int, from first: Int, liar: Int?) -> Bool {
    var bases = [Int32](repeating: 0, count: 16)
    (bases[1], bases[2]) = (2, 3)
    let bits = [UInt8](repeating: 0, count: 16)
    var payload = [UInt8](repeating: 0x11, count: (first + count + 1) / 2 + Int(EXPANSION_PADDING))
    if let liar { payload[(first + liar) / 2] += (first + liar) % 2 == 0 ? 1 : 0x10 }
    let subjects = (0..<3 as Range<UInt32>).map { expansion_subject(type: 7 + $0, kind: UInt8($0)) }
    let sources: [UInt32] = [5, 6, EXPANSION_HOME]
    var types = [UInt32](repeating: 0, count: first + count)
    var kinds = [UInt8](repeating: 0, count: first + count)
    let areWritten = unsafe payload.withUnsafeBufferPointer { payload in
      unsafe bases.withUnsafeBufferPointer { bases in
        unsafe bits.withUnsafeBufferPointer { bits in
          unsafe subjects.withUnsafeBufferPointer { subjects in
            unsafe sources.withUnsafeBufferPointer { sources in
              unsafe types.withUnsafeMutableBufferPointer { types in
                unsafe kinds.withUnsafeMutableBufferPointer { kinds in
                  guard let end = payload.baseAddress else { return false }
                  var column = unsafe expansion_column(
                    bases: bases.baseAddress, bits: bits.baseAddress, symbols: end,
                    mantissas: end + (first + count + 1) / 2, bit: 0, end: 0)
                  let marks = unsafe expansion_marks(
                    subjects: subjects.baseAddress, sources: sources.baseAddress, count: 3)
                  let rows = unsafe expansion_rows(
                    types: types.baseAddress, kinds: kinds.baseAddress, sources: nil)
                  return unsafe expansion_write_marks(&column, first, count, marks, 1, rows)
                }
              }
            }
          }
        }
      }
    }
    if areWritten {
      #expect(
        types.suffix(count).allSatisfy { $0 == 9 } && kinds.suffix(count).allSatisfy { $0 == 2 })
    }
    return !areWritten
  }

  @Test("are refused for a mark that there is not, whichever of them names it")
  func marks() {
    for count in Array(1...33) + [255, 256, 257, 263, 272] {
      for first in 0...1 {
        #expect(
          !Self.areRefused(rows: count, from: first, liar: nil), "\(count) rows from \(first)")
        for liar in 0..<count {
          #expect(
            Self.areRefused(rows: count, from: first, liar: liar),
            "row \(liar) of \(count) from \(first)")
        }
      }
    }
  }

  @Test("have the steps and types of their words, however many words there are")
  func words() {
    var random = SplitMix64(seed: 1)
    let room = Int(EXPANSION_MOST_WORDS)
    let steps = (0..<room).map { _ in Int64(bitPattern: random.next()) }
    let types = (0..<room).map { _ in UInt32(truncatingIfNeeded: random.next()) }
    for wordCount in 1...room {
      // The last word is among them, and each length of what 16 leave.
      let count = 29 + wordCount
      let words = (0..<count).map { UInt8($0 % 3 == 0 ? wordCount - 1 : random.below(wordCount)) }
      var found = (
        times: [Int64](repeating: 0, count: count), types: [UInt32](repeating: 0, count: count)
      )
      unsafe expansion_write_words(
        words, words.count, wordCount, steps, types, 5, &found.times, &found.types)
      var time: Int64 = 5
      let times = words.map { word in
        time &+= steps[Int(word)]
        return time
      }
      #expect(found.times == times, "\(wordCount) words")
      #expect(found.types == words.map { types[Int($0)] }, "\(wordCount) words")
    }
  }
}
