import CommandLineSupport
import WakeImport
import WakeScheduling
import WakeTrace

/// A policy that an argument names: a preset or a file.
struct NamedPolicy {
  let policy: Policy
  /// The name of the preset, or of the one that the file overrides.
  let preset: String

  /// Reads the policy that an argument names.
  init(argument name: String) throws {
    (policy, preset) = try PolicyReader.read(argument: name)
  }
}

extension NamedPolicy {
  /// The policy in words for a page, as the file that an argument names may be a pipe: `watchos`, `a.json over watchos`.
  func words(as argument: String) -> String {
    if Policy.named(argument) != nil { return argument }
    let isPipe = argument == "-" || argument.hasPrefix("/dev/") || argument.hasPrefix("/proc/")
    return (isPipe ? "from a pipe" : argument) + " over \(preset)"
  }
}

extension Arguments {
  /// The files that are read: the operands, the policy, if it is a file, and a scheduler.
  var inputs: [String] { operands + otherInputs }

  /// The same with the files that the operands name.
  func inputs(_ paths: PathList) -> [String] { paths.inputs + otherInputs }

  private var otherInputs: [String] { policyFiles + [value("--scheduler")].compactMap(\.self) }

  private var policyFiles: [String] { all("--policy").filter { Policy.named($0) == nil } }

  /// Whether not everybody may read one of the traces or policies, so that what is made of them is private, too.
  func hasPrivateInput(_ traces: [TraceFile]) -> Bool {
    traces.contains(where: \.isPrivate)
      || policyFiles.contains { SystemCalls.status(of: $0)?.isPrivate ?? false }
  }
}
