import WakeEvents

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
    let result: Result<UInt32, TraceError> = rings.withLock { rings in
      if rings.isClosed { return .failure(closedError) }
      if let index = symbols.index(of: name, sort) { return .success(index) }
      do throws(TraceError) {
        // First in the file, which may have no room: a name that the table holds is in both, and
        // producers know its number.
        try file.append(name: name, sort: sort)
        return .success(symbols.intern(name, sort))
      } catch let error {
        return .failure(error)
      }
    }
    return try result.get()
  }

  func openProducer(device: UInt32?) throws(TraceError) -> UInt64 {
    guard isOwn else { throw closedError }
    let device = device ?? 0
    let result: Result<UInt64, TraceError> = rings.withLock { rings in
      if rings.isClosed { return .failure(closedError) }
      guard device < symbols.count(of: .device) else {
        return .failure(
          TraceError(
            code: .unknownName, file: file.path, message: "the device's name was not interned"))
      }
      do throws(TraceError) {
        let place = try ring(for: device, &rings)
        guard let handle = ProducerCells.open(rings.all[place], of: file) else {
          throw TraceError(
            code: .tooLarge, file: file.path,
            message: "the process has more than \(ProducerCells.limit) producers")
        }
        rings.handles[place] = handle
        return .success(handle)
      } catch let error {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The place of a ring that nobody writes to, or of a new one.
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
    ring.start(stream: Self.newStream(), device: device)
    rings.all.append(ring)
    rings.handles.append(nil)
    return rings.all.count - 1
  }

  static func newStream() -> UInt64 { UInt64.random(in: 1...(.max)) }

  /// Gives a producer's ring to the next one; by the producer's own thread.
  func closeProducer(_ handle: UInt64) {
    guard isOwn else {
      ProducerCells.close(handle)
      return
    }
    rings.withLock { rings in
      ProducerCells.close(handle)
      for place in rings.handles.indices where rings.handles[place] == handle {
        rings.handles[place] = nil
      }
    }
  }
}
