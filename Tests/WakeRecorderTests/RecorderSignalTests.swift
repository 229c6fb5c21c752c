import Foundation
import Synchronization
import Testing
import WakeEvents
import WakeTestSupport

@_spi(RouseC) @testable import WakeRecorder
@testable import WakeTrace

/// What the signal handler works with, which may not touch more.
private enum Interruption {
  /// Used before the first signal, so that the handler does not initialize it.
  static let memory = try? ProducerCells.own.get().memory
  static let handle = Atomic<UInt64>(0)
  static let type = Atomic<UInt32>(0)
  static let source = Atomic<UInt32>(0)
  static let recorded = Atomic<Int>(0)
  static let refused = Atomic<Int>(0)

  static func handler(_ signal: Int32) {
    let number = recorded.load(ordering: .relaxed)
    guard let memory else { return }
    let status = memory.save(
      handle.load(ordering: .relaxed), at: Int64(number), type: type.load(ordering: .relaxed),
      source: source.load(ordering: .relaxed))
    if status.isRecorded {
      recorded.store(number + 1, ordering: .relaxed)
    } else if status == .busy {
      refused.add(1, ordering: .relaxed)
    }
  }
}

@Suite("A signal handler records with the producer that it interrupts", .serialized)
struct RecorderSignalTests {
  @Test("each event that was recorded is there, of both")
  func interrupted() throws {
    let folder = try ScratchFolder()
    var options = Recorder.testOptions(folder)
    options.slotsPerRing = 1 << 20
    let recorder = try Recorder(options)
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    Interruption.recorded.store(0, ordering: .relaxed)
    Interruption.refused.store(0, ordering: .relaxed)
    Interruption.type.store(type.index, ordering: .relaxed)
    Interruption.source.store(try recorder.source("handler").index, ordering: .relaxed)
    try #require(Interruption.memory != nil)
    signal(SIGUSR2) { Interruption.handler($0) }
    defer { signal(SIGUSR2, SIG_DFL) }

    let tallies = Tallies(count: 1)
    let (begin, end) = (Meeting(of: 2), Meeting(of: 2))
    let isDone = SharedFlag()
    let producerThread = Atomic<UInt>(0)
    Thread {
      // Who started this program may have blocked signals.
      var none = sigset_t()
      unsafe sigemptyset(&none)
      unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
      guard let handle = try? recorder.core.openProducer(device: 0) else { return }
      Interruption.handle.store(handle, ordering: .relaxed)
      producerThread.store(UInt(pthread_self()), ordering: .relaxed)
      begin.join()
      var (recorded, busy): (Int64, Int) = (0, 0)
      func save() {
        let status = recorder.core.cells.memory.save(
          handle, at: recorded, type: type.index, source: source.index)
        if status.isRecorded { recorded += 1 } else if status == .busy { busy += 1 }
      }
      for _ in 0..<400_000 { save() }
      // On a busy machine the thread that sends signals may not have run yet. The ring has room for all of these.
      let deadline = ContinuousClock.now + .seconds(60)
      while Interruption.recorded.load(ordering: .relaxed) == 0, .now < deadline {
        for _ in 0..<100 { save() }
        usleep(10_000)
      }
      isDone.set()
      tallies.set(0, (Int(recorded), busy))
      end.join()
      recorder.core.closeProducer(handle)
    }.start()
    begin.join()
    while !isDone.isSet {
      pthread_kill(pthread_t(producerThread.load(ordering: .relaxed)), SIGUSR2)
    }
    end.join()
    try recorder.close()

    let trace = try RecordedTrace(folder.file("a.wtrace"))
    let (main, handler) = (trace.producers["thread 0"], trace.producers["handler"])
    let interruptions = Interruption.recorded.load(ordering: .relaxed)
    #expect(main?.numbers == Array(0..<Int64(tallies.all[0].recorded)))
    #expect(handler?.numbers == Array(0..<Int64(interruptions)))
    #expect(interruptions > 0, "no call was interrupted, so nothing is tested")
    #expect(tallies.all[0].lost == 0, "the call that was interrupted is not the one refused")
    #expect(trace.lost == 0)
  }
}
