package import CKernels

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
  /// What kernels are told.
  package let kernelsPath: kernels_path

  package init(kernelsPath: kernels_path) {
    self.kernelsPath = kernelsPath
  }

  package static let portable = ProcessorPath(kernelsPath: KERNELS_PORTABLE)
  /// All paths, in order: each includes those before it.
  package static let all = [
    KERNELS_PORTABLE, KERNELS_PCLMUL, KERNELS_AVX512, KERNELS_AVX512_VBMI,
  ].map(ProcessorPath.init)

  /// What `ROUSE_CPU` says for it.
  package var description: String {
    switch kernelsPath {
    case KERNELS_PORTABLE: "portable"
    case KERNELS_PCLMUL: "pclmul"
    case KERNELS_AVX512: "avx512"
    case KERNELS_AVX512_VBMI: "avx512vbmi"
    default: "\(kernelsPath.rawValue)"
    }
  }

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

  /// The available path of that name; nil for nil.
  static func requested(by name: String?) throws(ProcessorPathError) -> ProcessorPath? {
    guard let name else { return nil }
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
