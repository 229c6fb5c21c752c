import Foundation
import WakeEvents
import WakeRecorder
import WakeTrace

/// Records numbered events while calls of the system fail, and says what was answered.
///
///     RecordingVictim durable|fleeting TRACE RING-FOLDER  2,500 events, 250 to a block, in a ring of 2,048
///     RecordingVictim rotating FOLDER RING-FOLDER         the same, each block in another file of a new folder
///     RecordingVictim snapshot SNAPSHOT RING-FOLDER       500 events, all of which the ring holds
///
/// Prints `recorded N lost N`, and a line for each error of the recorder.
enum FaultyDisk {
  static func record(to trace: String, ringFolder: String, how: String) {
    var options = Recorder.Options(trace: trace)
    options.isDurable = how != "fleeting"
    if how == "rotating" {
      unsafe _ = mkdir(trace, 0o700)
      options.bytesPerFile = 1
    }
    run(options, ringFolder: ringFolder, batches: 10, of: 250) { try $0.flush() }
  }

  static func snapshot(to path: String, ringFolder: String) {
    var options = Recorder.Options(trace: nil)
    options.mode = .overwrite
    options.isDurable = true
    run(options, ringFolder: ringFolder, batches: 1, of: 500) { _ = try $0.snapshot(to: path) }
  }

  private static func run(
    _ options: Recorder.Options, ringFolder: String, batches: Int64, of count: Int64,
    _ write: (Recorder) throws -> Void
  ) {
    var options = options
    options.ringFolder = ringFolder
    // An eighth is more than is recorded between two flushes, so that the recorder's thread writes nothing until a flush
    // fails, however slow this program is.
    options.slotsPerRing = 1 << 11
    options.flushInterval = .seconds(1_000)
    func attempt(_ what: String, _ body: () throws -> Void) {
      do { try body() } catch { print("\(what): \(error)") }
    }
    attempt("open") {
      let recorder = try Recorder(options)
      var (recorded, lost) = (0, 0)
      attempt("producer") {
        let (type, source) = (try recorder.type("type"), try recorder.source("source"))
        var producer = try recorder.producer()
        for batch in 0..<batches {
          for number in batch * count..<(batch + 1) * count {
            let status = producer.save(type, from: source, at: Timestamp(nanoseconds: number))
            if status.isRecorded { recorded += 1 } else { lost += 1 }
          }
          attempt("write") { try write(recorder) }
        }
      }
      print("recorded \(recorded) lost \(lost)")
      attempt("close") { try recorder.close() }
      print("statistics lost \(recorder.statistics.lost)")
    }
  }
}
