import Foundation
import Synchronization
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeRecorder
@testable import WakeTrace

@Suite("Snapshots at once")
struct SnapshotTests {
  @Test("to one path, by one recorder or by two: all succeed, and the file is one of them, whole")
  func onePath() throws {
    let folder = try ScratchFolder()
    let path = folder.file("snapshot.wtrace")
    var options = Recorder.testOptions(folder, trace: nil, mode: .overwrite)
    options.slotsPerRing = 1 << 12
    let recorders = try (0..<2).map { _ in try Recorder(options) }
    for (number, recorder) in recorders.enumerated() {
      let (type, source) = (try recorder.type("type"), try recorder.source("recorder \(number)"))
      var producer = try recorder.producer()
      for time in 0..<1_000 * Int64(number + 1) {
        producer.save(type, from: source, at: Timestamp(nanoseconds: time))
      }
    }
    let failures = Mutex<[String]>([])
    for pair in [[0, 0, 0, 0], [0, 1, 0, 1]] {
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for round in 0..<25 {
          do {
            let written = try recorders[pair[thread]].snapshot(to: path).written
            let verification = TraceVerification(of: try TraceFile(path: path))
            if written != 1_000 * (pair[thread] + 1) || !verification.isWhole
              || ![1_000, 2_000].contains(verification.events)
            {
              failures.withLock {
                $0.append(
                  "recorders \(pair), thread \(thread), round \(round): \(written) written; "
                    + "\(verification.events) events, \(verification.problems)")
              }
            }
          } catch {
            failures.withLock { $0.append("recorders \(pair), thread \(thread): \(error)") }
          }
        }
      }
    }
    let found = failures.withLock { $0 }
    #expect(found == [], "\(found.count) of 200 failed")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.filter { !$0.hasSuffix(".ring") } == ["snapshot.wtrace"])
    for recorder in recorders { try recorder.close() }
  }

  /// Saves 5,000 samples, many more than a ring has room for.
  private func saveOften(_ producer: inout Producer, of recorder: Recorder) throws {
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    for number in 0..<5_000 as Range<Int64> {
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
    }
  }

  @Test("what a call that was left has written is not read as the oldest event")
  func leftCall() throws {
    let folder = try ScratchFolder()
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil, mode: .overwrite))
    do {
      var producer = try recorder.producer()
      try saveOften(&producer, of: recorder)
      // As if a signal handler had left a call by longjmp, after it wrote a number and the first slot of its event.
      let ring = try #require(recorder.core.rings.withLock { $0.all.first })
      let head = ring.words.load(RingLayout.Ring.head)
      let word = Int(head % ring.capacity) * 2
      ring.slots.store(4_999, at: word)
      ring.slots.store(RingSlot.number << 56, at: word + 1)
      ring.words.store(head + 2, at: RingLayout.Ring.reserved)
    }
    _ = try recorder.producer()
    let left = try recorder.snapshot(to: folder.file("a.wtrace"))
    #expect(left.written > 700 && UInt64(left.written) + left.lost == 5_000, "\(left)")
    try recorder.close()
  }

  @Test("one during which the producer overwrote all numbers fails, rather than tell a false loss")
  func overtakenSnapshot() throws {
    let folder = try ScratchFolder()
    let recorder = try Recorder(Recorder.testOptions(folder, trace: nil, mode: .overwrite))
    do {
      var producer = try recorder.producer()
      try saveOften(&producer, of: recorder)
      let words = try #require(recorder.core.rings.withLock { $0.all.first?.words })
      let head = words.load(RingLayout.Ring.head)
      // Ten slots are left of those before the head.
      words.store(head + 1_024 - 10, at: RingLayout.Ring.reserved)
      let error = #expect(throws: TraceError.self) {
        _ = try recorder.snapshot(to: folder.file("a.wtrace"))
      }
      #expect(error?.code == .inUse, "\(String(describing: error))")
      words.store(head, at: RingLayout.Ring.reserved)
      let whole = try recorder.snapshot(to: folder.file("b.wtrace"))
      #expect(whole.written > 700 && UInt64(whole.written) + whole.lost == 5_000)
    }
    try recorder.close()
  }
}
