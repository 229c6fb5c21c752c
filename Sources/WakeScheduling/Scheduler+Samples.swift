public import WakeEvents

// Saves and deletes (SPEC 5.1): the hot path.
extension Scheduler {
  /// Takes a run of inputs given as columns, as if one by one.
  ///
  /// - Parameters:
  ///   - columns: The inputs.
  ///   - rows: Which of them, in order.
  ///   - onWake: Called for each wake that begins or ends on the way.
  /// - Complexity: For a save or delete O(1) and what it wakes; else O(apps on the device). Nothing is
  ///   allocated for a save or delete once the device's types are known.
  public mutating func take(
    _ columns: borrowing InputColumns, rows: Range<Int>,
    _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    coalescer.reserveTypes(symbols.types.count)
    var row = rows.lowerBound
    while true {
      row = countQuiet(columns, rows: row..<rows.upperBound)
      guard row < rows.upperBound else { return }
      let time = columns.times[row]
      enter(time, onWake)
      switch columns.kinds[row] {
      case InputKind.save.rawValue:
        take(
          columns.sample(at: row), isDelete: false, writtenAt: Timestamp(nanoseconds: time), onWake)
      case InputKind.delete.rawValue:
        let sample = Sample(
          type: SampleType(index: columns.types[row]), source: Source(index: columns.sources[row]))
        take(sample, isDelete: true, writtenAt: Timestamp(nanoseconds: time), onWake)
      default:
        apply(columns.others[Int(columns.types[row])], onWake)
      }
      row += 1
    }
  }

  /// Takes inputs as long as they only add one to a tally, and returns the row of the first other one.
  private mutating func countQuiet(_ columns: borrowing InputColumns, rows: Range<Int>) -> Int {
    let run = coalescer.countQuiet(columns, rows: rows, from: present, until: timers.nextDue)
    let taken = run.end - rows.lowerBound
    present = run.present
    counts.inputs += taken
    counts.saves += taken - run.deletes
    counts.deletes += run.deletes
    counts.lateInputs += run.late
    return run.end
  }

  /// Takes a save or delete at the present.
  @inline(never)
  mutating func take(
    _ sample: Sample, isDelete: Bool, writtenAt time: Timestamp,
    _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    if isDelete { counts.deletes += 1 } else { counts.saves += 1 }
    let type = Int(sample.type.index)
    coalescer.tallies[type].count += 1
    guard coalescer.tallies[type].attention > 0 else { return }

    var place = 0
    while place < coalescer.attentive[type].count {
      let slot = Int(coalescer.attentive[type][place])
      offer(sample, isDelete: isDelete, writtenAt: time, to: slot, onWake)
      // What it led to concerns this app alone, so that only this very place may have fallen away.
      if place < coalescer.attentive[type].count, coalescer.attentive[type][place] == slot {
        place += 1
      }
    }
  }

  /// Lets an attentive subscription take a save or delete, and evaluates its app.
  private mutating func offer(
    _ sample: Sample, isDelete: Bool, writtenAt time: Timestamp, to slot: Int,
    _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    let app = coalescer.subscriptions[slot].app
    if coalescer.subscriptions[slot].mode == .filtered {
      guard isDelete || apps[app].queries.match(sample, writtenAt: time) else { return }
      if apps[app].activity == .foreground {
        counts.liveDeliveries += 1
        return
      }
    }
    coalescer.subscriptions[slot].counted += 1
    if coalescer.subscriptions[slot].oldest == .max {
      coalescer.subscriptions[slot].oldest = present
      apps[app].earliestPending = min(
        apps[app].earliestPending, coalescer.subscriptions[slot].dueFrom)
    }
    evaluate(app, onWake)
    // Most idle subscriptions are woken for at once, and never leave the attentive ones.
    coalescer.countIfPending(slot)
  }
}
