// A component in Swift that records: two threads save samples, and an app answers.
//
// A package that depends on Rouse's product WakeTrace has no need of rouse.h.
import Foundation
import WakeEvents
import WakeRecorder
import WakeTrace

@main
struct Component {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else { exit(64) }
    let recorder = try Recorder(.init(trace: CommandLine.arguments[1]))
    let type = try recorder.type("HKQuantityTypeIdentifierHeartRate")
    let app = try recorder.app("com.example.run")

    var producer = try recorder.producer()
    producer.record(
      .enable(app: app, type: type, frequency: .hourly), at: Timestamp(nanoseconds: 0))

    // Each thread has a producer of its own, which ends with its scope.
    let threads = DispatchGroup()
    for name in ["Watch", "Phone"] {
      let source = try recorder.source(name)
      let thread = Thread {
        defer { threads.leave() }
        do {
          var producer = try recorder.producer()
          for second in 0..<1_000 {
            let time = Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
            let status = producer.save(type, from: source, at: time)
            if !status.isRecorded { print("second \(second) is not recorded: \(status)") }
          }
        } catch {
          print(error)
        }
      }
      threads.enter()
      thread.start()
    }
    threads.wait()

    producer.record(
      .complete(app: app, item: .type(type), result: .newData),
      at: Timestamp(nanoseconds: 1_000_000_000_000))
    try recorder.close()
  }
}
