import Synchronization
import WakeEvents

/// The first late input and the first jump ahead of a replay, by event number. All threads report to it.
final class TimeAnomalies: Sendable {
  private struct First: Sendable {
    var late: TimeAnomaly?
    var jump: TimeAnomaly?
  }

  private let first = Mutex(First())
  /// The number of the first late event so far.
  private let lateEvent = Atomic(Int.max)

  /// Whether a late event at or after a number may be the first one.
  func mayBeFirst(late event: Int) -> Bool { event < lateEvent.load(ordering: .relaxed) }

  /// Reports an input: a late one if its time is before the previous one, else a jump ahead.
  func note(_ anomaly: TimeAnomaly) {
    first.withLock { first in
      if anomaly.time >= anomaly.previous {
        if anomaly.number < first.jump?.number ?? .max { first.jump = anomaly }
      } else if anomaly.number < first.late?.number ?? .max {
        first.late = anomaly
        lateEvent.store(anomaly.number, ordering: .relaxed)
      }
    }
  }

  /// Reports late inputs and jumps ahead among the inputs of a device.
  ///
  /// - Parameters:
  ///   - latest: The latest time before them.
  ///   - areOrdered: Whether none of them is late.
  ///   - number: The event number of the input at a place, which is higher for a later place.
  func find(
    in times: Span<Int64>, ofDevice device: Device?, _ symbols: Symbols, from latest: Int64,
    areOrdered: Bool, number: (Int) -> Int
  ) {
    var previous = latest
    var start = 0
    // Only the first late input and the first jump among these can be the first of all.
    var (seeksLate, seeksJump) = (!areOrdered, Self.mayJump(times, from: latest))
    while start < times.count, seeksLate || seeksJump {
      let part = start..<min(start + 256, times.count)
      start = part.upperBound
      let last = times[part.upperBound - 1]
      // Of times in order, none jumps further than all of them together.
      if areOrdered && last - previous <= TimeAnomaly.jump
        || !Self.mayHaveAnomaly(times.extracting(part), after: previous)
      {
        previous = last
        continue
      }
      for place in part {
        let time = times[place]
        let isLate = time < previous
        if isLate ? seeksLate : seeksJump && time - previous > TimeAnomaly.jump {
          if isLate { seeksLate = false } else { seeksJump = false }
          note(
            TimeAnomaly(
              device: device.map(symbols.devices.name(of:)) ?? "", number: number(place),
              time: time, previous: previous))
        }
        previous = max(previous, time)
      }
    }
  }

  /// Whether one of some times may be far behind the one before it.
  private static func mayJump(_ times: Span<Int64>, from latest: Int64) -> Bool {
    var highest = latest
    for place in times.indices { highest = max(highest, times[place]) }
    return highest - latest > TimeAnomaly.jump
  }

  /// Whether one of some times, which are not empty, is before the last or far behind it. Without branches, as each row of a
  /// block is asked that spans years and has a late one.
  private static func mayHaveAnomaly(_ times: Span<Int64>, after latest: Int64) -> Bool {
    // Negative if a step is, or if it is too long. Valid times are too close for an overflow.
    var room = (times[0] &- latest) | (TimeAnomaly.jump &- (times[0] &- latest))
    for place in 1..<max(times.count, 1) {
      // Unchecked: the places of the loop.
      let step = unsafe times[unchecked: place] &- times[unchecked: place &- 1]
      room |= step | (TimeAnomaly.jump &- step)
    }
    return room < 0
  }

  var firstLate: TimeAnomaly? { first.withLock { $0.late } }
  var firstJump: TimeAnomaly? { first.withLock { $0.jump } }
}
