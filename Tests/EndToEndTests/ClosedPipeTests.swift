import Testing

@Suite("Readers of standard output that go")
struct ClosedPipeTests {
  /// A line of bash whose status is that of the command, which writes into a pipe without a reader.
  private func run(_ arguments: String, in shop: Workshop) throws -> RouseCommand.Result {
    // The reader closes the pipe, and says so before the command starts.
    let line = """
      rm -f gone; { until [ -e gone ]; do sleep 0.01; done; "$ROUSE" \(arguments); echo $? > status; } \
      | { exec 0<&-; touch gone; }; exit $(cat status)
      """
    return try shop.shell(line)
  }

  @Test("change no exit status")
  func statuses() throws {
    let shop = try Workshop()
    var trace = try shop.importing(Workshop.saves(100), as: "in")
    #expect(try run("verify in.wtrace", in: shop).status == .exited(0))
    trace[trace.count / 2] ^= 1
    try shop.write(trace, to: "damaged.wtrace")
    #expect(try run("verify damaged.wtrace", in: shop).status == .exited(1))
    #expect(
      try run("compare in.wtrace --policy ios --against watchos", in: shop).status
        == shop.rouse("compare", "in.wtrace", "--policy", "ios", "--against", "watchos").status)
    #expect(try run("export in.wtrace", in: shop).status == .exited(0))
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
    #expect(try run("replay in.wtrace \(policy) --wakes -", in: shop).status == .exited(0))
    let result = try run("replay in.wtrace \(policy) --wakes - --results sums.json", in: shop)
    #expect(result.status == .exited(1))
    #expect(
      result.errors.contains(
        "rouse: standard output: cannot be written: Broken pipe; the other outputs are not written"
      ), "\(result.errors)")
    #expect(!shop.files.contains("sums.json"))
  }
}
