import Foundation
import Testing
import WakeTestSupport

/// `rouse replay --perf-control`, with a shell in the place of perf that keeps what it is told.
@Suite("Control of perf")
struct PerfControlTests {
  @Test("switches perf on for each replay alone, and waits for its answers")
  func enable() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(100), as: "trace")
    let perf = #"""
      mkfifo control answers
      exec 3<>control 4<>answers
      for command in 1 2 3 4; do read -r line <&3; echo "$line"; printf 'ack\n\0' >&4; done > told &
      "$ROUSE" replay trace.wtrace --repeat 2 --perf-control control,answers > /dev/null || exit 1
      wait
      """#
    let result = try shop.shell(perf)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(try shop.read("told") == Array("enable\ndisable\nenable\ndisable\n".utf8))
  }

  @Test("goes without answers where perf gives none")
  func noAnswers() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(100), as: "trace")
    let result = try shop.shell(
      #"""
      mkfifo control
      exec 3<>control
      "$ROUSE" replay trace.wtrace --perf-control control > /dev/null || exit 1
      read -r first <&3; read -r second <&3; echo "$first $second"
      """#)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output == "enable disable\n")
  }

  @Test(
    "says what is wrong with the FIFOs",
    arguments: [
      ("nowhere", "rouse: perf control: nowhere: No such file or directory\n"),
      (
        "control,answers",
        """
        rouse: perf control: control: no perf listens \
        (perf record --delay=-1 --control=fifo:control,answers …)\n
        """
      ),
      ("a,b,c", "rouse: perf control: 'a,b,c' is not like CONTROL,ACKNOWLEDGEMENT\n"),
    ])
  func refuse(paths: String, message: String) throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(1), as: "trace")
    #expect(try shop.shell("mkfifo control answers").status == .exited(0))
    let result = try shop.rouse("replay", "trace.wtrace", "--perf-control", paths)
    #expect(result.status == .exited(1))
    #expect(result.errors == message)
    #expect(result.output == "")
  }

  @Test("does not take something else for an answer")
  func wrongAnswer() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(1), as: "trace")
    let result = try shop.shell(
      #"""
      mkfifo control answers
      exec 3<>control 4<>answers
      printf 'no\n\0' >&4
      "$ROUSE" replay trace.wtrace --perf-control control,answers
      """#)
    #expect(result.status == .exited(1))
    #expect(
      result.errors
        == "rouse: perf control: control,answers: perf answers something that is no 'ack'\n")
  }
}
