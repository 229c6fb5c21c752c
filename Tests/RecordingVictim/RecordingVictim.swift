import Foundation
import WakeEvents
import WakeTestSupport
import WakeRecorder
import WakeTrace

/// A program to be killed: threads record numbered events until that happens, or until each has recorded
/// EVENTS; then the program ends.
///
///     RecordingVictim TRACE|- MODE RING-FOLDER PROGRESS THREADS [EVENTS]
///
/// An event of thread i has the source "thread i" and its number as its time. PROGRESS is a file of
/// two 64-bit words for each thread: how many calls have returned, and how many of them said that the
/// event is lost. TRACE may be a folder, in which a file has 20,000 bytes.
@main
enum RecordingVictim {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == "full" {
      exit(try FullDisk.record(to: arguments[2], ringFolder: arguments[3]))
    }
    if arguments.count == 4, ["durable", "fleeting", "rotating"].contains(arguments[1]) {
      return FaultyDisk.record(
        to: arguments[2], ringFolder: arguments[3], how: arguments[1])
    }
    if arguments.count == 4, arguments[1] == "snapshot" {
      return FaultyDisk.snapshot(to: arguments[2], ringFolder: arguments[3])
    }
    guard arguments.count >= 6, let threads = Int(arguments[5]),
      let mode = ["drop": RecorderMode.drop, "block": .block, "overwrite": .overwrite][arguments[2]]
    else { exit(64) }
    var options = Recorder.Options(trace: arguments[1] == "-" ? nil : arguments[1])
    options.mode = mode
    options.ringFolder = arguments[3]
    options.slotsPerRing = 1 << 12
    options.eventsPerBlock = 1_000
    options.flushInterval = .milliseconds(5)
    let attributes = try? FileManager.default.attributesOfItem(atPath: arguments[1])
    if attributes?[.type] as? FileAttributeType == .typeDirectory { options.bytesPerFile = 20_000 }
    let events = arguments.count > 6 ? Int64(arguments[6]) ?? .max : .max
    let recorder = try Recorder(options)
    let done = DispatchSemaphore(value: 0)
    let progress = try SharedProgress(path: arguments[4], count: 2 * threads)
    let type = try recorder.type("type")
    print("started")
    fflush(nil)
    for thread in 0..<threads {
      let source = try recorder.source("thread \(thread)")
      Thread {
        guard var producer = try? recorder.producer() else { exit(1) }
        var (number, lost): (Int64, UInt64) = (0, 0)
        while number < events {
          let time = Timestamp(nanoseconds: number)
          // Some take more than one slot.
          let status =
            number % 7 == 3
            ? producer.record(.save(Sample(type: type, source: source, value: 1)), at: time)
            : producer.save(type, from: source, at: time)
          if status == .lost {
            // Counted before the call is, so that the loss is never more than is known.
            lost += 1
            progress.set(2 * thread + 1, lost)
          } else if !status.isRecorded {
            exit(2)
          }
          number += 1
          progress.set(2 * thread, UInt64(number))
          if number % 512 == 0 { usleep(20) }
        }
        done.signal()
      }.start()
    }
    for _ in 0..<threads where done.wait(timeout: .now() + 60) == .timedOut { exit(3) }
    try recorder.close()
  }
}
