import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeScheduling
import WakeTestSupport
import WakeTrace

@Suite("Workloads made up from a seed")
struct SyntheticWorkloadTests {
  /// What each preset's first 10,000 inputs hash to, everywhere and for ever.
  private static let digests: [SyntheticPreset: UInt64] = [
    .iPhoneDay: 0x6C62_E8D4_1F44_3D05, .watchDay: 0xD547_1685_E82F_2529,
    .syncBurst: 0x8594_CC05_D803_6E64, .threeStrikes: 0xC8C3_1DCD_37BC_4FEF,
    .pushes: 0x7E1C_7E99_73BE_458B, .fleet: 0x6EB6_67DB_72D8_AECD,
    .wearable: 0x4D93_E4D7_DF9E_9D41,
  ]

  private static func shortened(_ preset: SyntheticPreset) -> SyntheticWorkload {
    var workload = preset.workload
    workload.events = min(workload.events, 10_000)
    return workload
  }

  @Test("are what they were when their presets were named", arguments: SyntheticPreset.allCases)
  func committedDigests(preset: SyntheticPreset) throws {
    let digest = try Generated(Self.shortened(preset)).digest
    let expected = Self.digests[preset].map { String($0, radix: 16) }
    #expect(String(digest, radix: 16) == expected, "\(preset.rawValue)")
  }

  @Test("give the same file for the same parameters, and another for another seed")
  func sameBytes() throws {
    let folder = try ScratchFolder()
    func bytes(_ seed: UInt64) throws -> [UInt8] {
      var workload = Self.shortened(.iPhoneDay)
      workload.seed = seed
      let output = try FileOutput(path: folder.file("made.wtrace"))
      let statistics = try workload.write(to: output, level: 1)
      try output.commit()
      #expect(statistics.events == workload.events)
      return try [UInt8](Data(contentsOf: URL(filePath: folder.file("made.wtrace"))))
    }
    #expect(try bytes(1) == bytes(1))
    #expect(try bytes(1) != bytes(2))
  }

  @Test("are the same as batches and one by one, and in a trace")
  func batchesAndTrace() throws {
    let workload = Self.shortened(.fleet)
    let made = try Generated(workload)
    var batched: [Event] = []
    try workload.forEachBatch(symbols: made.symbols) { device, columns in
      for row in 0..<columns.count {
        let time = Timestamp(nanoseconds: columns.times[row])
        batched.append(Event(time: time, device: device, input: columns[row]))
      }
    }
    #expect(batched == made.events)

    let folder = try ScratchFolder()
    let path = folder.file("made.wtrace")
    let output = try FileOutput(path: path)
    try workload.write(to: output)
    try output.commit()
    let info = try TraceInfo(of: TraceFile(path: path))
    #expect(info.events == workload.events)
    #expect(info.counts?.late == made.late)
    #expect(info.counts?[.save] == made.count(.save))
  }

  @Test("have as many inputs as asked, devices sharing them evenly")
  func counts() throws {
    for (events, devices, expected) in [
      (1, 1, [1]), (17, 1, [17]), (10, 4, [3, 3, 2, 2]), (2, 5, [1, 1]),
      (40_000, 1, [40_000]),
    ] {
      let made = try Generated(events) {
        $0.devices = devices
        $0.apps = 2
      }
      var counts: [Device: Int] = [:]
      for event in made.events { counts[event.device, default: 0] += 1 }
      #expect(counts.values.sorted(by: >) == expected, "\(events) events, \(devices) devices")
    }
  }

  @Test("name a single device with nothing, several so that they sort")
  func deviceNames() throws {
    let one = try Generated(5) { _ in }
    #expect(
      one.events.map { one.symbols.devices.name(of: $0.device) } == Array(repeating: "", count: 5))
    let many = try Generated(12) { $0.devices = 12 }
    let names = many.events.map { many.symbols.devices.name(of: $0.device) }
    #expect(names.first == "device-01")
    #expect(names.last == "device-12")
    #expect(names == names.sorted())
  }

  @Test(
    "replay without trouble, on the scheduler as on the reference",
    arguments: SyntheticPreset.allCases)
  func replay(preset: SyntheticPreset) throws {
    var workload = Self.shortened(preset)
    workload.events = min(workload.events, 4_000)
    let made = try Generated(workload)
    let outcome = SchedulerRun.run(
      events: made.events, policy: workload.policy, symbols: made.symbols, feeding: .batched)
    let reference = ReferenceScheduler.run(
      events: made.events, policy: workload.policy, symbols: made.symbols)
    let difference = Differential.difference(of: outcome, from: reference, made.symbols)
    #expect(difference == nil, "\(preset.rawValue)")
    // Under their own policy all that apps answer is a wake's.
    #expect(reference.summary.ignoredCompletions == 0, "\(preset.rawValue)")
    #expect(reference.summary.rejectedRegistrations == 0, "\(preset.rawValue)")
    #expect(reference.summary.wakes > 0 || workload.apps == 0, "\(preset.rawValue)")
    #expect(reference.summary.lateInputs == made.late, "\(preset.rawValue)")
  }

  @Test("show what their presets are named for")
  func presetsAreWhatTheySay() throws {
    func summary(_ preset: SyntheticPreset) throws -> Summary {
      let workload = preset.workload
      let made = try Generated(workload)
      return SchedulerRun.run(
        events: made.events, policy: workload.policy, symbols: made.symbols, feeding: .batched
      ).summary
    }
    let strikes = try summary(.threeStrikes)
    #expect(strikes.stoppedApps.count == 4)
    #expect(strikes.completed == 0)
    let pushes = try summary(.pushes)
    #expect(pushes.wakesWithPush > 100)
    #expect(pushes.pushesSuperseded > 100)
    let day = try summary(.iPhoneDay)
    #expect(day.wakesWithHealth > 200)
    #expect(day.completed > 9 * day.expired)
    #expect(day.stoppedApps.isEmpty)
    let watch = try summary(.watchDay)
    #expect(watch.wakesWithHealth > 100)
    #expect(watch.wakesWithRefresh > 50)
  }

  @Test("never go back in time without late inputs")
  func sorted() throws {
    for preset in SyntheticPreset.allCases {
      var workload = Self.shortened(preset)
      workload.latePerThousand = 0
      #expect(try Generated(workload).late == 0, "\(preset.rawValue)")
    }
  }

  @Test("end with the error of the closure")
  func closureThrows() {
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      try SyntheticWorkload().forEachBatch(symbols: Symbols()) { _, _ in throw Enough() }
    }
  }
}
