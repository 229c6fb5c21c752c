import Foundation
import Testing
import WakeTestSupport
import WakeTrace

// `rouse record` where it makes more than one file: a folder of traces, and a socket.
extension FaultScenario {
  /// The events of all traces of `out`, and a line if they are not those that were told.
  private static func compare(
    _ shop: Workshop, _ result: RouseCommand.Result, of all: Int, _ objections: inout [String]
  ) throws {
    let told = eventsTold(result)
    if result.status == .exited(0), told != all { objections.append("\(told) events are told") }
    var written = 0
    for trace in traces(shop) {
      let isTorn = result.errors.contains("torn block")
      written += try verify(shop, trace, &objections, mayBeTorn: isTorn)
    }
    if written != told {
      objections.append("\(told) events are told, \(written) are in \(traces(shop))")
    }
  }

  /// A capture of lines to a folder that is made, each block to another file.
  static let recordFolder = FaultScenario(
    name: "record to a folder",
    arguments: [
      "record", "in.jsonl", "-o", "out/", "--flush", "0.000001", "--bytes-per-file", "1",
      "--durable",
    ]
  ) { shop in
    try shop.write(Workshop.saves(12 * saves), to: "in.jsonl")
  } objections: { shop, result, _ in
    var objections = leftovers(shop)
    try compare(shop, result, of: 12 * saves, &objections)
    if result.status == .exited(0), traces(shop).count < 2 {
      objections.append("no file was followed by another one: \(traces(shop))")
    }
    let before = Set(traces(shop))
    let again = try shop.rouse("record", "in.jsonl", "-o", "out/", "--durable")
    if again.status != .exited(0) { objections.append("the next run: \(again.errors)") }
    if before.isSuperset(of: traces(shop)) { objections.append("the next run writes no file") }
    return objections
  }

  /// A capture of a client of a socket, until an interrupt.
  static let recordSocket = FaultScenario(
    name: "record from a socket",
    arguments: ["record", "--socket", "socket", "-o", "out", "--durable"],
    prepare: { _ in },
    plant: { shop in
      // What a process that was killed has left.
      let left = try shop.shell(
        "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"socket\")'")
      try #require(left.status == .exited(0), "\(left.errors)")
    },
    meanwhile: { shop, command in
      let deadline = Date(timeIntervalSinceNow: 20)
      while command.isRunning, Date() < deadline {
        if let client = SocketClient(shop.path + "/socket") {
          client.send(Workshop.saves(saves))
          client.close()
          break
        }
        usleep(1_000)
      }
      command.signal(SIGINT)
    }
  ) { shop, result, _ in
    var objections = leftovers(shop)
    try compare(shop, result, of: saves, &objections)
    // The next run replaces a socket on which nobody listens.
    if SocketClient(shop.path + "/socket") != nil { objections.append("the socket is in use") }
    return objections
  }
}
