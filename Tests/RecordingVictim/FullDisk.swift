import Foundation
import WakeEvents
import WakeRecorder
import WakeTrace

/// Records until the trace may not grow any more, and then until it may.
///
///     RecordingVictim full TRACE RING-FOLDER
///
/// Ends with 0 if calls answered what they should, and the trace was as it was before the block that
/// found no room.
enum FullDisk {
  static func record(to trace: String, ringFolder: String) throws -> Int32 {
    var options = Recorder.Options(trace: trace)
    options.ringFolder = ringFolder
    options.flushInterval = .seconds(1_000)
    let recorder = try Recorder(options)
    let (type, source) = (try recorder.type("type"), try recorder.source("thread 0"))
    var producer = try recorder.producer()
    producer.save(type, from: source, at: Timestamp(nanoseconds: 0))
    try recorder.flush()
    let before = try Data(contentsOf: URL(filePath: trace))
    for number in 1..<200 as Range<Int64> {
      producer.save(type, from: source, at: Timestamp(nanoseconds: number))
    }
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    unsafe getrlimit(resource, &limit)
    let usual = limit.rlim_cur
    limit.rlim_cur = rlim_t(before.count + 50)
    unsafe setrlimit(resource, &limit)
    guard (try? recorder.flush()) == nil else { return 2 }
    guard try Data(contentsOf: URL(filePath: trace)) == before else { return 3 }
    let status = producer.save(type, from: source, at: Timestamp(nanoseconds: 200))
    guard status == .notWritten else { return 4 }
    limit.rlim_cur = usual
    unsafe setrlimit(resource, &limit)
    try recorder.close()
    return 0
  }
}
