import CProbes

/// A region of the program that profilers and tracers observe.
///
/// `perf record` is switched on for it (see ``PerfControl``), and the USDT probes `rouse:region_begin` and
/// `rouse:region_end` mark its ends.
public struct MeasuredRegion: Sendable {
  /// The name, an argument of the probes.
  public let name: String
  private let perf: PerfControl?

  /// Makes a region.
  ///
  /// - Parameters:
  ///   - name: The name in the probes.
  ///   - perf: Controls a `perf record` that is to sample this region only.
  public init(_ name: String, perf: PerfControl? = nil) {
    self.name = name
    self.perf = perf
  }

  /// Runs `body` as the region.
  ///
  /// - Throws: What `body` throws, and ``PerfControlError`` if perf cannot be controlled.
  public func measure<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    try perf?.sample(true)
    begin()
    do {
      let result = try body()
      end()
      try perf?.sample(false)
      return result
    } catch {
      end()
      // The error of `body` takes precedence over one of perf.
      try? perf?.sample(false)
      throw error
    }
  }

  // Not inlined, so that each probe has one address.
  @inline(never)
  private func begin() { unsafe name.withCString { unsafe rouse_probe_region_begin($0) } }

  @inline(never)
  private func end() { unsafe name.withCString { unsafe rouse_probe_region_end($0) } }
}
