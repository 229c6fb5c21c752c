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

  /// Refuses standard input that is named more than once: the second reader would find nothing or, in a file, all of it
  /// again.
  ///
  /// - Parameter paths: The files that the operands name; nil looks at the operands alone.
  func refuseRepeatedInput(_ paths: PathList? = nil) throws(UsageError) {
    // The list of `@-` is read from there.
    let lists = (operands + inputValues).count {
      $0.hasPrefix("@") && Self.isStandardInput(String($0.dropFirst()))
    }
    let files =
      (paths.map { $0.all.count(where: Self.isStandardInput) }
        ?? operands.count(where: Self.isStandardInput))
      + inputValues.count(where: Self.isStandardInput)
    guard lists + files < 2 else {
      throw repeatedInput
    }
  }

  /// Whether a path is one of the usual names of standard input.
  static func isStandardInput(_ path: String) -> Bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(path)
  }

  /// The error of standard input that is named more than once.
  var repeatedInput: UsageError {
    usage("standard input is given twice, and can be read only once")
  }

  private var otherInputs: [String] { policyFiles + [value("--scheduler")].compactMap(\.self) }

  private var policyFiles: [String] { all("--policy").filter { Policy.named($0) == nil } }

  /// Whether not everybody may read one of the traces or policies, so that what is made of them is private, too.
  func hasPrivateInput(_ traces: [TraceFile]) -> Bool {
    traces.contains(where: \.isPrivate)
      || policyFiles.contains { SystemCalls.status(of: $0)?.isPrivate ?? false }
  }
}
