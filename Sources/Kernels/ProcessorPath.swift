import CKernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A set of instructions that kernels may use.
///
/// Whoever calls kernels takes a path, so that tests compare paths within one process. Results do not depend on
/// it.
package struct ProcessorPath: Hashable, Sendable, CustomStringConvertible {
  /// The number that kernels take, which stands for the path in the list of `cpu.c`.
  package let kernelsPath: UInt32

  package static let portable = ProcessorPath(kernelsPath: 0)
  /// All paths of this architecture, in order: each includes those before it.
  package static let all = (0..<kernels_path_count()).map(ProcessorPath.init)

  /// The path's name in `ROUSE_CPU`.
  package var description: String { unsafe String(cString: kernels_path_name(kernelsPath)) }

  /// The paths that this processor can run, in order.
  package static let available = all.filter { kernels_is_available($0.kernelsPath) }

  /// The environment variable that chooses ``standard``.
  package static let variable = "ROUSE_CPU"

  /// The path that `ROUSE_CPU` names, else the last available one. If the variable names no available path, it has
  /// no effect: programs report that by ``checkEnvironment()``.
  package static let standard: ProcessorPath = {
    let best = available.last ?? portable
    return (try? requested(by: environmentValue)) ?? best
  }()

  /// Reports that `ROUSE_CPU` names no path, or one that this processor cannot run.
  package static func checkEnvironment() throws(ProcessorPathError) {
    _ = try requested(by: environmentValue)
  }

  private static var environmentValue: String? {
    unsafe getenv(variable).map { unsafe String(cString: $0) }
  }

  /// The available path of that name; nil for nil and for an empty name.
  static func requested(by name: String?) throws(ProcessorPathError) -> ProcessorPath? {
    guard let name, !name.isEmpty else { return nil }
    guard let path = available.first(where: { $0.description == name }) else {
      throw ProcessorPathError(name: name)
    }
    return path
  }
}

/// `ROUSE_CPU` names a path that does not exist or that this processor cannot run.
package struct ProcessorPathError: Error, CustomStringConvertible {
  let name: String

  package var description: String {
    let exists = ProcessorPath.all.contains { $0.description == name }
    return "\(ProcessorPath.variable)=\(name): "
      + (exists ? "this processor cannot run that path" : "no such processor path")
      + "; choose \(ProcessorPath.available.map(\.description).joined(separator: ", "))"
  }
}
