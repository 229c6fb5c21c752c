import RegionHooks

/// The measured region: the only function in which benchmarks run, so that tools can find it.
enum Region {
  /// Runs `body` within the C function `rouse_measured_region`.
  static func run(_ body: () throws -> UInt64) throws -> UInt64 {
    try withoutActuallyEscaping(body) { body in
      let call = Call(body)
      unsafe rouse_measured_region(
        { context in
          guard let context = unsafe context else { return }
          unsafe Unmanaged<Call>.fromOpaque(context).takeUnretainedValue().run()
        }, Unmanaged.passUnretained(call).toOpaque())
      return try call.result.get()
    }
  }

  /// A closure for use as a C context.
  private final class Call {
    let body: () throws -> UInt64
    var result: Result<UInt64, any Error> = .success(0)

    init(_ body: @escaping () throws -> UInt64) { self.body = body }

    func run() { result = Result { try body() } }
  }
}
