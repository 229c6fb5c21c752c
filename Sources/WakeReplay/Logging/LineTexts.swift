import WakeJSON

/// Texts that the lines of a log repeat, such as the names of apps, by number. In one array, so that Swift counts no reference
/// for each text.
struct LineTexts: ~Copyable {
  private var bytes = TextBytes()
  /// The places of texts in ``bytes``, in groups of ``groupSize`` numbers; empty where a text is not known yet. A device may
  /// have a few of many numbers.
  private var places: [Range<Int>] = []
  /// By number divided by ``groupSize``: the group's place in ``places``; -1 where there is none.
  private var groups: [Int32] = []
  private static let groupSize = 32
  /// How many bytes the longest text has.
  private(set) var longest = 0

  /// What each line of a device begins with.
  ///
  /// - Parameter key: The key that follows the device's name, or comes first where the device has none.
  static func head(device: String, before key: StaticString) -> [UInt8] {
    var json = JSONWriter(.line)
    json.beginObject()
    if !device.isEmpty { json.member("device", device) }
    json.key(key)
    return json.bytes
  }

  /// Where a text is, to append it; empty if it is not known yet.
  @inline(__always)
  func place(of number: Int) -> Range<Int> {
    let group = number / Self.groupSize
    guard group < groups.count, groups[group] >= 0 else { return 0..<0 }
    return places[Int(groups[group]) + number % Self.groupSize]
  }

  /// Sets a text that is not known yet.
  ///
  /// - Returns: Where it is.
  @discardableResult
  mutating func set(_ number: Int, to text: [UInt8]) -> Range<Int> {
    let group = number / Self.groupSize
    while group >= groups.count { groups.append(-1) }
    if groups[group] < 0 {
      groups[group] = Int32(places.count)
      places.append(contentsOf: repeatElement(0..<0, count: Self.groupSize))
    }
    longest = max(longest, text.count)
    let place = bytes.append(text)
    places[Int(groups[group]) + number % Self.groupSize] = place
    return place
  }

  /// Appends a text or a part of it to a line that has room for it, and for ``TextRoom/shortText`` bytes.
  @inline(__always)
  func append(_ place: Range<Int>, to line: inout TextRoom) { bytes.append(place, to: &line) }
}
