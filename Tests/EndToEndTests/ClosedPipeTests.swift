import Testing

@Suite("Readers of standard output that go")
struct ClosedPipeTests {
  @Test("change no exit status")
  func statuses() throws {
    let shop = try Workshop()
    var trace = try shop.importing(Workshop.saves(100), as: "in")
    #expect(try shop.rouseWithoutReader("verify in.wtrace").status == .exited(0))
    trace[trace.count / 2] ^= 1
    try shop.write(trace, to: "damaged.wtrace")
    #expect(try shop.rouseWithoutReader("verify damaged.wtrace").status == .exited(1))
    #expect(
      try shop.rouseWithoutReader("compare in.wtrace --policy ios --against watchos").status
        == shop.rouse("compare", "in.wtrace", "--policy", "ios", "--against", "watchos").status)
    #expect(try shop.rouseWithoutReader("export in.wtrace").status == .exited(0))
  }

  @Test("end a replay that has other outputs to write with an error")
  func otherOutputs() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(100), as: "in")
    let subscribed = """
      {"subscriptions":[{"app":"a","type":"T0","frequency":"immediate"}]}
      """
    try shop.write(subscribed, to: "policy.json")
    let policy = "--policy policy.json"
    #expect(
      try shop.rouseWithoutReader("replay in.wtrace \(policy) --wakes -").status == .exited(0))
    let result = try shop.rouseWithoutReader(
      "replay in.wtrace \(policy) --wakes - --results sums.json")
    #expect(result.status == .exited(1))
    #expect(
      result.errors.contains(
        "rouse: standard output: cannot be written: Broken pipe; the other outputs are not written"
      ), "\(result.errors)")
    #expect(!shop.files.contains("sums.json"))
  }
}
