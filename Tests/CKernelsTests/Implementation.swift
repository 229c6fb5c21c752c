import CKernels
import KernelStandIn
import Kernels

/// The kernels of one path: compiled for this processor, or against the intrinsics in plain C.
struct Implementation: Sendable, CustomStringConvertible {
  let path: UInt32
  let isStandIn: Bool

  /// Every path in plain C, and those that this processor can run.
  static let all =
    (0..<stand_in_path_count()).map { Implementation(path: $0, isStandIn: true) }
    + ProcessorPath.available.map { Implementation(path: $0.kernelsPath, isStandIn: false) }
  static let expandingColumns = all.filter(\.expandsColumns)

  var description: String {
    unsafe isStandIn
      ? "\(String(cString: stand_in_path_name(path))) in plain C"
      : String(cString: kernels_path_name(path))
  }

  var expandsColumns: Bool {
    isStandIn ? stand_in_expands_columns(path) : kernels_expands_columns(path)
  }

  func crc(_ previous: UInt32, _ bytes: [UInt8], _ plain: kernels_plain_crc) -> UInt32 {
    let crc = unsafe isStandIn ? stand_in_crc : kernels_crc
    return unsafe crc(path, previous, bytes, bytes.count, plain)
  }

  func expandTimes(
    _ column: UnsafePointer<kernels_column>, _ count: Int, _ unit: Int64, _ time: Int64,
    _ times: UnsafeMutablePointer<Int64>
  ) -> Bool {
    let expand = unsafe isStandIn ? stand_in_expand_times : kernels_expand_times
    return unsafe expand(path, column, count, unit, time, times)
  }

  func expandKeys(
    _ column: UnsafePointer<kernels_column>, _ count: Int, _ keys: kernels_event_keys,
    _ rows: kernels_rows
  ) -> Bool {
    let expand = unsafe isStandIn ? stand_in_expand_keys : kernels_expand_keys
    return unsafe expand(path, column, count, keys, rows)
  }

  func expandWords(
    _ words: [UInt8], _ wordCount: Int, steps: [Int64], unit: Int64, _ types: [UInt32],
    _ time: Int64
  ) -> (times: [Int64], types: [UInt32]) {
    // One row more, which must stay as it is.
    var times = [Int64](repeating: 42, count: words.count + 1)
    var found = [UInt32](repeating: 42, count: words.count + 1)
    let expand = unsafe isStandIn ? stand_in_expand_words : kernels_expand_words
    let products = steps.map { $0 &* unit }
    let multiples = steps.map { UInt16(clamping: $0) }
    let (lowest, highest) = (steps.prefix(wordCount).min() ?? 0, steps.prefix(wordCount).max() ?? 0)
    unsafe products.withUnsafeBufferPointer { products in
      unsafe types.withUnsafeBufferPointer { types in
        unsafe multiples.withUnsafeBufferPointer { multiples in
          var meanings = unsafe kernels_words(
            count: wordCount, steps: products.baseAddress, types: types.baseAddress,
            multiples: multiples.baseAddress,
            highest_multiple: lowest < 0 ? .max : UInt16(clamping: highest), unit: unit)
          unsafe expand(path, words, words.count, &meanings, time, &times, &found)
        }
      }
    }
    return (times, found)
  }

  func sumWakeHashes(_ wakes: [UInt64], _ count: Int) -> UInt64 {
    let sum = unsafe isStandIn ? stand_in_sum_wake_hashes : kernels_sum_wake_hashes
    return unsafe sum(path, wakes, count)
  }

  func sumCohortHashes(_ cohorts: [UInt64], _ count: Int) -> UInt64 {
    let sum = unsafe isStandIn ? stand_in_sum_cohort_hashes : kernels_sum_cohort_hashes
    return unsafe sum(path, cohorts, count)
  }

  func boundRows(_ times: [Int64], _ kinds: [UInt8], _ types: [UInt32]) -> kernels_row_bounds {
    let bound = unsafe isStandIn ? stand_in_bound_rows : kernels_bound_rows
    return unsafe bound(path, times, kinds, types, times.count)
  }

  var countsTypes: Bool { isStandIn ? stand_in_counts_types(path) : kernels_counts_types(path) }

  /// Counts rows; returns how many of them.
  func countTypes(_ types: [UInt32], _ counts: inout [kernels_type_count]) -> Int {
    let count = unsafe isStandIn ? stand_in_count_types : kernels_count_types
    return unsafe count(path, types, types.count, counts.count, &counts)
  }

  func findRows(_ types: [UInt32], of set: [UInt32]) -> UInt64 {
    let find = unsafe isStandIn ? stand_in_find_rows : kernels_find_rows
    return unsafe find(path, types, types.count, set)
  }
}
