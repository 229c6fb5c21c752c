import Foundation
import WakeEvents
import WakeTestSupport
import WakeTrace

/// What a report's page has packed for its timeline, read back as the page's script does.
struct ReportColumns {
  /// `device app number t saves outcome end`, sorted.
  private(set) var wakes: [String] = []
  /// The lines of the wait log as `device wake app item name saves since stretches`, sorted.
  private(set) var waits: [String] = []
  /// How many stretches of a track begin before the one before them ends.
  private(set) var overlaps = 0
  /// For how long anything was owed, by app.
  private(set) var behind: [ExactName: Int64] = [:]
  /// What is pending at the end, by app.
  private(set) var pending: [ExactName: Int64] = [:]
  private let reasons: [String]
  private let outcomes: [String]

  init(page: String) throws {
    let heads = try JSONValue.parsing(Self.element("heads", of: page))
    reasons = heads["reasons"]?.elements.compactMap(\.string) ?? []
    outcomes = heads["outcomes"]?.elements.compactMap(\.string) ?? []
    for (place, head) in (heads["devices"]?.elements ?? []).enumerated() {
      let text = Self.element("columns-\(place)", of: page)
      let packed = [UInt8](Data(base64Encoded: text) ?? Data())
      var bytes: [UInt8] = []
      let length = Int(head["bytes"]?.wholeNumber ?? 0)
      try Inflater().inflate(packed, in: packed.indices, length: length, into: &bytes)
      var columns = Columns(bytes: Array(bytes[..<length]))
      try read(head, &columns)
    }
    wakes.sort()
    waits.sort()
  }

  /// The text of a script element.
  private static func element(_ id: String, of page: String) -> String {
    guard let start = page.range(of: "id=\"\(id)\">"),
      let end = page.range(of: "</script>", range: start.upperBound..<page.endIndex)
    else { return "" }
    return String(page[start.upperBound..<end.lowerBound])
  }

  private mutating func read(_ head: JSONValue, _ columns: inout Columns) throws {
    let device = head["name"]?.string ?? ""
    let base = Int64(head["base"]?.string ?? "") ?? 0
    let unit = head["unit"]?.wholeNumber ?? 1
    let end = base + (head["length"]?.wholeNumber ?? 0) * unit
    let count = { (value: JSONValue, key: String) in Int(value[key]?.wholeNumber ?? 0) }
    _ = columns.take(2 * count(head, "conditions"))
    for app in head["apps"]?.elements ?? [] {
      let name = app["name"]?.string ?? ""
      _ = columns.take(2 * count(app, "conditions"))
      let all = count(app, "wakes")
      let numbers = columns.rising(all)
      let times = columns.rising(all).map { base + $0 * unit }
      let lengths = columns.take(all)
      let kinds = columns.take(all).map { outcomes[Int($0 & 3)] }
      let saves = columns.take(all)
      for wake in 0..<all {
        let isOpen = kinds[wake] == "open"
        wakes.append(
          "\(device) \(name) \(times[wake]) \(saves[wake]) \(kinds[wake]) "
            + (isOpen ? "-" : "\(times[wake] + lengths[wake] * unit)"))
      }
      let arrivals = count(app, "arrivals")
      _ = columns.take(arrivals)
      let arrived = columns.take(arrivals).reduce(0, +)
      let settlements = count(app, "settlements")
      _ = columns.take(settlements)
      let settled = columns.take(settlements).reduce(0) { $0 + ($1 >> 1 ^ -($1 & 1)) }
      pending[ExactName(name), default: 0] += arrived + settled - saves.reduce(0, +)
      var spans: [(since: Int64, until: Int64)] = []
      defer { behind[ExactName(name), default: 0] += Self.union(spans) }
      for track in app["tracks"]?.elements ?? [] {
        let rows = count(track, "rows")
        let ends = columns.rising(count(track, "gone")).map { base + $0 * unit }
        spans += zip(ends, columns.take(ends.count)).map { (since: $0 - $1 * unit, until: $0) }
        let wake = columns.rising(rows).map { Int($0) }
        let until = wake.map { $0 < all ? times[$0] : end }
        let since = zip(until, columns.take(rows)).map { $0 - $1 * unit }
        if track["item"]?.string == "type" {
          spans += zip(since, until).map { (since: $0, until: $1) }
        }
        let carried = columns.take(rows)
        let counts = columns.take(rows)
        let own = columns.take(counts.reduce(0) { $0 + max(0, Int($1 >> 3) - 1) })
        let sets = columns.take(counts.reduce(0) { $0 + Int($1 >> 3) })
        let isPush = track["item"]?.string == "push"
        let names = isPush ? columns.texts(columns.take(rows)) : []
        var (nextLength, nextSet) = (0, 0)
        var last: [(length: Int64, set: Int64)] = []
        var busyUntil = Int64.min
        for row in 0..<rows {
          let continues = counts[row] & 1 == 1
          var stretches = continues ? last : []
          var time = continues ? until[row - 1] : since[row]
          if counts[row] >> 3 > 0, time < busyUntil { overlaps += 1 }
          busyUntil = until[row]
          for stretch in 0..<Int(counts[row] >> 3) {
            let isLast = stretch + 1 == Int(counts[row] >> 3)
            let length = isLast ? until[row] - time : own[nextLength] * unit
            if !isLast { nextLength += 1 }
            time += length
            // What came back and had the same reasons at once.
            if let last = stretches.last, last.set == sets[nextSet] {
              stretches[stretches.count - 1].length += length
            } else {
              stretches.append((length, sets[nextSet]))
            }
            nextSet += 1
          }
          last = stretches
          waits.append(
            [
              device, wake[row] < all ? "\(numbers[wake[row]])" : "-", name,
              track["item"]?.string ?? "", track["name"]?.string ?? (isPush ? names[row] : ""),
              "\(carried[row])", "\(since[row])", stretches.map(words).joined(separator: ","),
            ].joined(separator: " "))
        }
      }
    }
    if columns.place != columns.bytes.count { throw Leftover() }
  }

  private func words(_ stretch: (length: Int64, set: Int64)) -> String {
    let why = reasons.indices.filter { stretch.set >> Int64($0) & 1 == 1 }
    return "\(stretch.length):" + why.map { reasons[$0] }.joined(separator: "+")
  }

  /// The length of all spans together.
  private static func union(_ spans: [(since: Int64, until: Int64)]) -> Int64 {
    var (length, end) = (Int64(0), Int64.min)
    for span in spans.sorted(by: { $0.since < $1.since }) where span.until > end {
      length += span.until - max(span.since, end)
      end = span.until
    }
    return length
  }

  /// More columns than the head says.
  private struct Leftover: Error {}
}

/// Numbers of seven bits a byte (LEB128).
private struct Columns {
  let bytes: [UInt8]
  private(set) var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func take(_ count: Int) -> [Int64] {
    (0..<count).map { _ in
      var (number, shift) = (Int64(0), Int64(0))
      while true {
        let byte = Int64(bytes[place])
        place += 1
        number |= (byte & 127) << shift
        if byte < 128 { return number }
        shift += 7
      }
    }
  }

  mutating func rising(_ count: Int) -> [Int64] {
    var last: Int64 = 0
    return take(count).map {
      last += $0
      return last
    }
  }

  mutating func texts(_ sizes: [Int64]) -> [String] {
    sizes.map { size in
      place += Int(size)
      return String(decoding: bytes[place - Int(size)..<place], as: UTF8.self)
    }
  }
}
