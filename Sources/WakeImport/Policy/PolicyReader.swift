internal import WakeEvents
public import WakeScheduling
internal import WakeJSON

/// Reads policies from JSON (page Rules, "Policy").
///
/// A policy is an object whose keys override those of its `preset`. Whatever that page or RFC 8259 does not allow is
/// an ``ImportError`` with file, line and key, such as
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

  /// The policy that an argument names, a preset or a file, and the name of the preset, which the file overrides.
  package static func read(
    argument name: String
  ) throws(ImportError) -> (policy: Policy, preset: String) {
    if let policy = Policy.named(name) { return (policy, name) }
    let file: InputFile
    do throws(ImportError) {
      file = try InputFile(path: name)
    } catch var error {
      // Such as `IOS`.
      error.message += "; the presets are " + Policy.presets.joined(separator: ", ")
      throw error
    }
    return try PolicyReader(file: file.name).readNamed(try file.readAll(limit: 16 << 20))
  }

  /// The policy that `bytes` hold.
  ///
  /// - Complexity: O(bytes).
  /// - Throws: ``ImportError``, which names the field and what it may be.
  public func read(_ bytes: [UInt8]) throws(ImportError) -> Policy {
    try readNamed(bytes).policy
  }

  /// The policy that `bytes` hold, and the name of the preset that it overrides.
  package func readNamed(
    _ bytes: [UInt8]
  ) throws(ImportError) -> (policy: Policy, preset: String) {
    try bytes.withJSONBytes { bytes throws(ImportError) in
      let text = bytes.withoutByteOrderMark
      do throws(JSONError) {
        return try text.policy()
      } catch {
        throw error.located(in: text, file: file, line: 1)
      }
    }
  }
}

extension Policy {
  /// The names of the presets.
  package static let presets = ["ios", "watchos"]

  /// The preset of a name: `ios` or `watchos`; else nil.
  public static func named(_ name: String) -> Policy? {
    switch name {
    case "ios": .iOS
    case "watchos": .watchOS
    default: nil
    }
  }
}
