import CProbes

/// What a measurement is about: between its beginning and its end, profilers and tracers listen.
///
/// `perf record`, if it waits to be told, is switched on for it, and the probes `rouse:region_begin` and
/// `rouse:region_end` stand at its ends.
public struct MeasuredRegion: Sendable {
  /// Its name, which the probes tell.
  public let name: String
  private let perf: PerfControl?

  /// Makes a region.
  ///
  /// - Parameter perf: The `perf record` that is to see this region alone.
  public init(_ name: String, perf: PerfControl? = nil) {
    self.name = name
    self.perf = perf
  }

  /// Measures `body`.
  ///
  /// - Throws: What `body` throws, and ``PerfControlError`` if perf does not do as it is told.
  public func measure<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    try perf?.enable()
    begin()
    do {
      let result = try body()
      end()
      try perf?.disable()
      return result
    } catch {
      end()
      // What `body` threw says more than what perf may have to say.
      try? perf?.disable()
      throw error
    }
  }

  // One place in the code for each probe, however often this type is specialised.
  @inline(never)
  private func begin() { unsafe name.withCString { unsafe rouse_probe_region_begin($0) } }

  @inline(never)
  private func end() { unsafe name.withCString { unsafe rouse_probe_region_end($0) } }
}
