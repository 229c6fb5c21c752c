import WakeJSON

/// Texts that the lines of a log repeat, such as the names of apps, by number. In one array, so that Swift counts no reference
/// for each text.
struct LineTexts: ~Copyable {
  private var bytes: [UInt8] = []
  /// Empty where a text is not known yet.
  private var places: [Range<Int>] = []

  /// What each line of a device begins with.
  ///
  /// - Parameter key: The first key behind the device's name, which a device without a name has not.
  static func head(device: String, before key: StaticString) -> [UInt8] {
    var json = JSONWriter(.line)
    json.beginObject()
    if !device.isEmpty { json.member("device", device) }
    json.key(key)
    return json.bytes
  }

  /// The number of bytes of a text; 0 if it is not known yet.
  func count(of number: Int) -> Int { number < places.count ? places[number].count : 0 }

  /// Sets a text, which is not empty.
  mutating func set(_ number: Int, to text: [UInt8]) {
    while number >= places.count { places.append(0..<0) }
    places[number] = bytes.count..<bytes.count + text.count
    bytes += text
  }

  /// Appends a text, without the first of its bytes, to a line that has room for it.
  @inline(__always)
  func append(_ number: Int, droppingFirst dropped: Int = 0, to line: inout OutputSpan<UInt8>) {
    line.append(bytes.span.extracting(places[number].dropFirst(dropped)))
  }
}
