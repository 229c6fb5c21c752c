import WakeEvents
import WakeScheduling
import WakeTrace

/// Some of the devices of a result by the hashes of their names: the ``most`` whose mixed hashes
/// (`UInt64.splitMixed`) are least. In JSON it is a text of 16 hexadecimal digits each.
///
/// Results with these lists show a device that two of them have: surely if both results have at most ``most`` devices, else
/// as probably as the device is among the least of both. The least of two lists are the least of all their devices, so any
/// tree of merges gives the same list (the "bottom-k sketch" of E. Cohen and H. Kaplan, "Summarizing data using bottom-k
/// sketches", 2007).
public struct DeviceSample: Hashable, Sendable, CustomStringConvertible {
  /// How many are kept.
  public static let most = 4_096

  /// In ascending order of the mixed hashes.
  public private(set) var hashes: [UInt64] = []
  /// Hashes that are not sorted into the others yet.
  private var new: [UInt64] = []
  /// The greatest mixed hash of which it is known that it may belong here.
  private var limit = UInt64.max

  /// Makes an empty list.
  public init() {}

  /// Adds a device.
  ///
  /// - Complexity: O(1) on average; ``finish()`` makes the list.
  mutating func add(_ hash: UInt64) {
    guard hash.splitMixed <= limit else { return }
    new.append(hash)
    if new.count >= Self.most { finish() }
  }

  /// Puts the devices that were added in their places.
  mutating func finish() {
    guard !new.isEmpty else { return }
    hashes = (hashes + new).sorted { $0.splitMixed < $1.splitMixed }
    new.removeAll(keepingCapacity: true)
    guard hashes.count >= Self.most else { return }
    hashes.removeLast(hashes.count - Self.most)
    limit = hashes[Self.most - 1].splitMixed
  }

  /// Reads the text of a result; nil if it is something else.
  init?(_ text: some Collection<UInt8>) {
    guard text.count % 16 == 0, text.count <= 16 * Self.most else { return nil }
    hashes.reserveCapacity(text.count / 16)
    var (hash, digits) = (UInt64(0), 0)
    for byte in text {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: return nil
      }
      hash = hash << 4 | UInt64(digit)
      digits += 1
      if digits % 16 == 0 {
        if let last = hashes.last, last.splitMixed >= hash.splitMixed { return nil }
        hashes.append(hash)
      }
    }
  }

  /// The text of a result.
  public var description: String { hashes.map { Digest(value: $0).description }.joined() }
}

extension DeviceSample: Codable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let hashes = Self(try container.decode(String.self).utf8) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected hashes of devices, 16 digits each, in order")
    }
    self = hashes
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
