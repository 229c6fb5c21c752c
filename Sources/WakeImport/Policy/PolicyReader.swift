internal import WakeEvents
public import WakeScheduling

/// Reads policies from JSON (SPEC 3).
///
/// A policy is one object; the preset that it names, `ios` if it names none, is changed key by key.
/// Everything that SPEC 3 does not allow, and everything that RFC 8259 does not allow, is an
/// ``ImportError`` that names the file, the line and the key, such as
/// `policy.json:3: field "behaviour.completesAfter": -1 is not from 0 to 1000000000`.
public struct PolicyReader {
  /// The name of the file, for messages.
  public let file: String

  /// Makes a reader.
  ///
  /// - Parameter file: The name of the file, for messages.
  public init(file: String) {
    self.file = file
  }

  /// The policy that `bytes` hold.
  ///
  /// - Complexity: O(bytes).
  public func read(_ bytes: [UInt8]) throws(ImportError) -> Policy {
    try bytes.withJSONBytes { bytes throws(ImportError) in
      let text = bytes.withoutByteOrderMark
      do throws(FieldError) {
        return try text.policy()
      } catch {
        throw error.located(in: text, file: file, line: 1)
      }
    }
  }

  /// The policy that a file holds that is open for reading, from its present place on.
  ///
  /// - Parameter descriptor: The file's descriptor, which stays open.
  /// - Throws: ``ImportError``, also for a file of more than 16 MiB.
  public func read(descriptor: Int32) throws(ImportError) -> Policy {
    let source = DescriptorSource(descriptor: descriptor, file: file)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      var span = chunk.mutableSpan
      let count = try source.read(into: &span)
      if count == 0 { return try read(bytes) }
      bytes.append(contentsOf: chunk[..<count])
      if bytes.count > 16 << 20 {
        throw ImportError(
          code: .outOfRange, file: file, message: "a policy has at most 16777216 bytes")
      }
    }
  }
}

extension Policy {
  /// The preset that is called `name`: `ios` or `watchos`; nil if none is.
  public static func named(_ name: String) -> Policy? {
    switch name {
    case "ios": .iOS
    case "watchos": .watchOS
    default: nil
    }
  }
}
