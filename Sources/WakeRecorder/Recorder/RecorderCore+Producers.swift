import WakeEvents
import WakeTrace

// Names, and producers with their rings.
extension RecorderCore {
  func intern(_ name: String, _ sort: NameSort) throws(TraceError) -> UInt32 {
    guard isOwn else { throw closedError }
    guard name.utf8.count <= Recorder.nameLimit else {
      throw TraceError(
        code: .tooLarge, file: file.path,
        message: "a name has \(name.utf8.count) bytes; at most \(Recorder.nameLimit) are recorded")
    }
    if let index = symbols.index(of: name, sort) { return index }
    return try rings.withLock { (rings: inout Rings) throws(TraceError) -> UInt32 in
      if rings.isClosed { throw closedError }
      if let index = symbols.index(of: name, sort) { return index }
      // First in the file, which may have no room: then every name of the table is in both.
      try file.append(name: name, sort: sort)
      return symbols.intern(name, sort)
    }
  }

  func openProducer(device: UInt32?) throws(TraceError) -> UInt64 {
    guard isOwn else { throw closedError }
    let device = device ?? 0
    return try rings.withLock { (rings: inout Rings) throws(TraceError) -> UInt64 in
      if rings.isClosed { throw closedError }
      guard device < symbols.count(of: .device) else {
        throw TraceError(
          code: .unknownName, file: file.path, message: "the device's name was not interned")
      }
      let place = try ring(for: device, &rings)
      guard let handle = cells.open(rings.all[place], of: file) else {
        throw TraceError(
          code: .tooLarge, file: file.path,
          message: "the process has more than \(ProducerMemory.cellCount) producers")
      }
      rings.handles[place] = handle
      return handle
    }
  }

  /// The index of a free ring of the device, or of a new one.
  private func ring(for device: UInt32, _ rings: inout Rings) throws(TraceError) -> Int {
    for place in rings.all.indices where rings.handles[place] == nil {
      if rings.all[place].words.load(RingLayout.Ring.device) == UInt64(device) { return place }
    }
    guard rings.all.count < Recorder.ringLimit else {
      throw TraceError(
        code: .tooLarge, file: file.path,
        message: "more than \(Recorder.ringLimit) threads record at once")
    }
    let ring = try file.addRing()
    ring.start(stream: Ring.newStream(), device: device)
    rings.all.append(ring)
    rings.handles.append(nil)
    return rings.all.count - 1
  }

  /// Frees a producer's ring for the next one; the producer's thread calls this.
  func closeProducer(_ handle: UInt64) {
    guard isOwn else {
      cells.close(handle)
      return
    }
    rings.withLock { rings in
      cells.close(handle)
      for place in rings.handles.indices where rings.handles[place] == handle {
        rings.handles[place] = nil
      }
    }
  }
}
