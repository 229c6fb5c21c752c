public import WakeEvents

extension Sequence<Event> {
  /// Their devices, each once, in the order in which they come first: that of a set differs from run to run.
  public var devices: [Device] {
    var seen: Set<Device> = []
    return map(\.device).filter { seen.insert($0).inserted }
  }
}
