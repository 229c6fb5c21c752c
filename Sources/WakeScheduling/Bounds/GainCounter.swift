/// Counts gains by size: each size by itself as long as there are few of them, then in buckets.
package struct GainCounter: Sendable {
  /// All gains that there can be.
  package static let everything = 1...Int64.max
  /// Sizes that are kept by themselves, if nothing else is said: 256 kB of them.
  package static let usualSizes = 8_192

  private let range: ClosedRange<Int64>
  private let mostSizes: Int
  private var sizes = GainSizes()
  /// Instead of ``sizes``, once there are too many.
  private var buckets: GainBuckets?
  /// The latest gain and how often it came in a row. Not yet added to ``sizes`` or ``buckets``: equal gains often follow
  /// each other and are added together.
  private var latest: Int64 = 0
  private var latestTimes = 0

  /// Makes a counter of the gains within a range; others are left out.
  package init(_ range: ClosedRange<Int64> = everything, mostSizes: Int = usualSizes) {
    self.range = range
    self.mostSizes = mostSizes
  }

  /// Counts a gain, which is at least 1.
  @inline(__always)
  package mutating func add(_ gain: Int64) {
    if gain != latest {
      countLatest()
      latest = gain
    }
    latestTimes &+= 1
  }

  private mutating func countLatest() {
    let (gain, times) = (latest, latestTimes)
    latestTimes = 0
    guard times > 0, range.contains(gain) else { return }
    guard buckets == nil else {
      buckets?.add(gain, times: times)
      return
    }
    sizes.add(gain, times: times)
    guard sizes.used > mostSizes else { return }
    var all = GainBuckets(from: range.lowerBound)
    sizes.forEach { all.add($0, times: $1) }
    buckets = all
    sizes = GainSizes()
  }

  /// What was counted, the greatest gains first.
  ///
  /// - Complexity: O(*n* log *n*) in the different sizes, or O(buckets).
  package var cells: [GainCell] {
    var counter = self
    counter.countLatest()
    return counter.countedCells
  }

  /// ``cells`` without ``latest``.
  private var countedCells: [GainCell] {
    var cells: [GainCell] = []
    if let buckets {
      cells = buckets.cells
      // The last bucket may reach beyond the range.
      for place in cells.indices where cells[place].values.upperBound > range.upperBound {
        cells[place].values = cells[place].values.lowerBound...range.upperBound
      }
    } else {
      sizes.forEach { gain, count in
        cells.append(GainCell(values: gain...gain, count: count, sum: gain * Int64(count)))
      }
      cells.sort { $0.values.lowerBound > $1.values.lowerBound }
    }
    return cells
  }
}

/// How often there is a gain of each size: a hash table with linear probing (Knuth, The Art of Computer Programming 3,
/// 6.4).
private struct GainSizes {
  /// Different sizes.
  private(set) var used = 0
  /// A gain and how often there is one; 0 is none.
  private var slots = [(gain: Int64, count: Int)](repeating: (0, 0), count: 16)

  mutating func add(_ gain: Int64, times count: Int = 1) {
    let first = place(of: gain)
    // A span, so that Swift checks once whether the array is shared.
    var span = slots.mutableSpan
    let mask = span.count - 1
    var place = first
    while span[place].gain != gain, span[place].gain != 0 { place = (place + 1) & mask }
    let isNew = span[place].gain == 0
    span[place] = (gain, span[place].count + count)
    if isNew {
      used += 1
      if 2 * used > slots.count { grow() }
    }
  }

  func forEach(_ body: (Int64, Int) -> Void) {
    for slot in slots where slot.gain != 0 { body(slot.gain, slot.count) }
  }

  /// The upper bits of the product with 2^64 divided by the golden ratio.
  private func place(of gain: Int64) -> Int {
    let product = UInt64(bitPattern: gain) &* 0x9E37_79B9_7F4A_7C15
    return Int(product >> UInt64(slots.count.leadingZeroBitCount + 1))
  }

  private mutating func grow() {
    var larger = GainSizes()
    larger.slots = Array(repeating: (0, 0), count: 2 * slots.count)
    forEach { larger.add($0, times: $1) }
    self = larger
  }
}

/// Gains in buckets whose width is at most a 2^bits-th of their distance from the least gain, as in a high dynamic range
/// histogram: the first 2^(bits + 1) buckets have width 1, and each further 2^bits cover one doubling.
package struct GainBuckets: Sendable {
  private struct Bucket {
    var count = 0
    var sum: Int64 = 0
  }

  private let least: Int64
  private let bits: Int
  /// Pages of 2^bits buckets; empty until one of them is used.
  private var pages: [[Bucket]]

  /// - Parameters:
  ///   - least: No gain is less.
  ///   - bits: log2 of the buckets for each doubling.
  package init(from least: Int64, bits: Int = 10) {
    self.least = least
    self.bits = bits
    pages = Array(repeating: [], count: 64 - bits)
  }

  /// Counts equal gains.
  package mutating func add(_ gain: Int64, times count: Int) {
    add(GainCell(values: gain...gain, count: count, sum: gain * Int64(count)))
  }

  /// Counts gains that belong to one bucket.
  package mutating func add(_ cell: GainCell) {
    let offset = cell.values.lowerBound - least
    let exponent = max(0, 63 - bits - offset.leadingZeroBitCount)
    let bucket = (exponent << bits) + Int(offset >> Int64(exponent))
    let (page, place) = (bucket >> bits, bucket & ((1 << bits) - 1))
    if pages[page].isEmpty { pages[page] = Array(repeating: Bucket(), count: 1 << bits) }
    pages[page][place].count += cell.count
    pages[page][place].sum += cell.sum
  }

  /// The buckets that are not empty, the greatest gains first.
  package var cells: [GainCell] {
    var cells: [GainCell] = []
    for page in pages.indices.reversed() {
      for place in pages[page].indices.reversed() where pages[page][place].count > 0 {
        let bucket = pages[page][place]
        cells.append(
          GainCell(values: values(page, place), count: bucket.count, sum: bucket.sum))
      }
    }
    return cells
  }

  private func values(_ page: Int, _ place: Int) -> ClosedRange<Int64> {
    let exponent = max(0, page - 1)
    let first = Int64((page - exponent) << bits + place) << Int64(exponent)
    let (last, isBeyond) = (least + first).addingReportingOverflow(Int64(1) << exponent - 1)
    return least + first...(isBeyond ? .max : last)
  }
}
