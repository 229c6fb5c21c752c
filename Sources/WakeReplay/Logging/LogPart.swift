import WakeTrace

/// The part of a log that one device writes.
struct LogPart: ~Copyable {
  /// The log; nil where there is none.
  private let log: WakeLog?
  /// The device's place in the log.
  private var place: Int
  /// What kept the log from taking bytes amid a call of the scheduler.
  private var failure: TraceError?

  init(of log: WakeLog?, place: Int = 0) {
    self.log = log
    self.place = place
  }

  /// Starts with the part of another device.
  mutating func start(place: Int) { self.place = place }

  /// With so many bytes they are handed over between two calls of the scheduler.
  private static let mostBetween = 64 << 10
  /// With so many bytes they are handed over amid a call.
  private static let mostAmid = 1 << 20

  /// Hands bytes over if they are very many, though a call of the scheduler is under way: after one input there may be a
  /// million wakes.
  @inline(__always)
  mutating func takeAmidCall(_ bytes: inout [UInt8]) {
    if bytes.count >= Self.mostAmid { takeSome(&bytes) }
  }

  private mutating func takeSome(_ bytes: inout [UInt8]) {
    do throws(TraceError) {
      if failure == nil { try log?.append(bytes, device: place) }
    } catch {
      failure = error
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Hands bytes over if they are many, or all of them, and keeps their memory for the next ones.
  ///
  /// - Throws: What keeps the log from taking them, or kept it from taking earlier ones.
  mutating func take(_ bytes: inout [UInt8], all: Bool) throws(TraceError) {
    if let failure { throw failure }
    guard all || bytes.count >= Self.mostBetween else { return }
    try log?.append(bytes, device: place)
    bytes.removeAll(keepingCapacity: true)
  }
}
