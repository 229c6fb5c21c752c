import WakeEvents
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
    let place = bytes.append(text)
    places[Int(groups[group]) + number % Self.groupSize] = place
    return place
  }

  /// Appends a text or a part of it to a line that has room for it, and for ``TextRoom/shortText`` bytes.
  @inline(__always)
  func append(_ place: Range<Int>, to line: inout TextRoom) { bytes.append(place, to: &line) }
}

/// Texts that lines repeat by app and type, as far as a few of them are known.
struct PairTexts: ~Copyable {
  private struct Entry {
    var app = App(index: .max)
    var type = SampleType(index: .max)
    /// In ``bytes``; empty where no text is known.
    var place = 0..<0
  }

  private var bytes = TextBytes()
  /// Each pair has one place, if no other has taken that since.
  private var entries = [Entry](repeating: Entry(), count: 1 << Self.bits)
  private static let bits = 8
  /// With more bytes all texts are forgotten, as most are those of pairs that others have replaced.
  private static let mostBytes = 1 << 18

  @inline(__always)
  private static func index(of app: App, _ type: SampleType) -> Int {
    let pair = UInt64(app.index) << 32 | UInt64(type.index)
    return Int(truncatingIfNeeded: (pair &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(64 - bits))
  }

  /// Where the text of an app and a type is; empty if it is not known.
  @inline(__always)
  func place(of app: App, _ type: SampleType) -> Range<Int> {
    let entry = entries[Self.index(of: app, type)]
    return entry.app == app && entry.type == type ? entry.place : 0..<0
  }

  /// Sets the text of an app and a type.
  ///
  /// - Returns: Where it is.
  mutating func set(_ app: App, _ type: SampleType, to text: [UInt8]) -> Range<Int> {
    if bytes.count > Self.mostBytes {
      bytes = TextBytes()
      for place in entries.indices { entries[place] = Entry() }
    }
    let place = bytes.append(text)
    entries[Self.index(of: app, type)] = Entry(app: app, type: type, place: place)
    return place
  }

  /// Appends a text to a line that has room for it, and for ``TextRoom/shortText`` bytes.
  @inline(__always)
  func append(_ place: Range<Int>, to line: inout TextRoom) { bytes.append(place, to: &line) }
}
