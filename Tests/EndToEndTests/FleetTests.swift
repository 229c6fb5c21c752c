import Foundation
import Testing
import WakeTestSupport

@Suite("Fleets")
struct FleetTests {
  private static let traces = PackageFolder.root.appending(path: "Traces").path()

  private func rouse(
    _ call: String, in shop: Workshop, expecting status: Int32 = 0
  ) throws -> RouseCommand.Result {
    let arguments = call.split(separator: " ").map {
      $0.replacingOccurrences(of: "T/", with: Self.traces + "/")
    }
    let result = try RouseCommand.run(arguments, folder: shop.path)
    #expect(result.status == .exited(status), "\(call): \(result.errors)")
    return result
  }

  @Test("replayed in shards under two policies merge to the whole, byte for byte, in any steps")
  func shards() throws {
    let shop = try Workshop()
    try shop.write("\(Self.traces)/fleet.wtrace\n\n\(Self.traces)/watch-day.wtrace\r\n", to: "list")
    let policies = "--policy ios --policy watchos"
    _ = try rouse("replay @list \(policies) --results whole", in: shop)
    let numbers = 1...5
    for number in numbers {
      _ = try rouse("replay @list \(policies) --shard \(number)/5 --results \(number)", in: shop)
    }
    let whole = try rouse("merge whole --by-policy --json", in: shop).output
    let merged = try rouse("merge 3 1 5 2 4 --by-policy --json --complete", in: shop)
    #expect(merged.output == whole && merged.errors == "")
    #expect(try merged.json().elements.count == 2)
    // By a list, by standard input, and in steps.
    try shop.write(numbers.map { "\($0)\n" }.joined(), to: "results")
    #expect(try rouse("merge @results --by-policy --json", in: shop).output == whole)
    let all = try shop.shell("cat 5 4 3 2 1 | \"$ROUSE\" merge - --by-policy --json")
    #expect(all.output == whole, "\(all.errors)")
    try shop.write(rouse("merge 1 4 --by-policy --json", in: shop).output, to: "half")
    try shop.write(rouse("merge 2 3 5 --by-policy --json", in: shop).output, to: "rest")
    #expect(try rouse("merge half rest --by-policy --json", in: shop).output == whole)
    // Repeated, the same bytes.
    _ = try rouse("replay @list \(policies) --shard 2/5 --results again --threads 2", in: shop)
    #expect(try shop.read("again") == shop.read("2"))
    // What is measured is in --json alone.
    let measured = try rouse("replay @list \(policies) --json", in: shop)
    let both = try measured.json().elements
    #expect(both.map { $0["basis"]?["policyName"]?.string } == ["ios", "watchos"])
    #expect(both.allSatisfy { $0["performance"] != nil })
    try shop.write(measured.output, to: "measured")
    let summaries = try rouse("merge measured --by-policy --json", in: shop).json().elements
    #expect(try summaries.map { $0["digest"] } == merged.json().elements.map { $0["digest"] })
  }

  @Test("tell of shards that are missing, and refuse what is there twice")
  func refused() throws {
    let shop = try Workshop()
    for number in [1, 3] {
      _ = try rouse("replay T/fleet.wtrace --shard \(number)/4 --results \(number)", in: shop)
    }
    let missing = "rouse: 2 of 4 shards are missing: 2, 4\n"
    #expect(try rouse("merge 1 3", in: shop).errors == missing)
    let failed = try rouse("merge 1 3 --complete --json", in: shop, expecting: 1)
    #expect(try failed.errors == missing && failed.json()["shard"] == .string("1,3/4"))
    #expect(
      try rouse("merge 1 3 1", in: shop, expecting: 1).errors
        == "rouse: 1:1: field \"shard\": shard 1/4 is there twice; --repeats skip counts it once\n")
    let skipped = try rouse("merge 1 3 1 --repeats skip --json", in: shop)
    #expect(
      skipped.errors == "rouse: 1: line 1: repeats an earlier result, not counted\n" + missing)
    #expect(skipped.output == failed.output)
    for (call, message) in [
      (
        "replay T/fleet.wtrace --shard 5/4",
        "--shard: '5/4' is not a shard such as 3/8, from 1 to at most 16777216"
      ),
      (
        "replay T/fleet.wtrace --policy ios --policy watchos --wakes -",
        "--wakes cannot be combined with several --policy"
      ),
      (
        "replay T/fleet.wtrace --policy ios --policy ios",
        "--policy: ios and ios are the same policy"
      ),
      ("merge 1 --repeats maybe", "--repeats: 'maybe' is neither refuse nor skip"),
    ] {
      let result = try rouse(call, in: shop, expecting: 64)
      #expect(result.errors.hasPrefix("rouse: \(message)\n"), "\(result.errors)")
    }
  }

  @Test("with a damaged file are replayed without it, which is told and counted")
  func damaged() throws {
    let shop = try Workshop()
    try shop.write("", to: "empty.wtrace")
    let damaged = "empty.wtrace T/damaged/flipped-payload.wtrace T/fleet.wtrace"
    _ = try rouse("replay \(damaged)", in: shop, expecting: 1)
    let whole = try rouse("replay \(damaged) --keep-going --results whole", in: shop, expecting: 1)
    #expect(
      whole.errors.contains(
        "rouse: skipped: empty.wtrace: the file is empty; a trace has blocks\n"), "\(whole.errors)")
    var told = 0
    for number in 1...3 {
      let result = try shop.rouse(
        "replay", "empty.wtrace", "\(Self.traces)/damaged/flipped-payload.wtrace",
        "\(Self.traces)/fleet.wtrace", "--keep-going", "--shard", "\(number)/3", "--results",
        "\(number)")
      told += result.errors.split(separator: "\n").count { $0.contains("skipped:") }
    }
    let merged = try rouse("merge 1 2 3 --json", in: shop)
    #expect(try merged.output == rouse("merge whole --json", in: shop).output)
    #expect(try merged.json()["loss"]?["damagedPlaces"] == .integer(told) && told >= 2)
    // Of a task that ran twice on a file of which nothing is whole, once; of another such file, too.
    let bytes = try shop.read("1").prefix(5)
    for name in ["garbage", "other"] {
      try shop.write(Array(bytes) + Array(name.utf8), to: "\(name).wtrace")
      _ = try rouse("replay \(name).wtrace --keep-going --results \(name)", in: shop, expecting: 1)
    }
    let twice = try rouse("merge garbage garbage", in: shop, expecting: 1)
    #expect(twice.errors.contains("is there twice"), "\(twice.errors)")
    let both = try rouse("merge garbage other garbage --repeats skip --json", in: shop)
    #expect(try both.json()["loss"]?["damagedPlaces"] == .integer(2))
    // Nor may a list of traces be overwritten.
    try shop.write("other.wtrace\n", to: "list")
    // Copies of the traces in folders of their own, as tasks may have them.
    for number in 1...3 {
      _ = try shop.shell(
        "mkdir task\(number) && cp '\(Self.traces)/fleet.wtrace' task\(number)/a && : > task\(number)/b"
      )
      let result = try shop.rouse(
        "replay", "task\(number)/a", "task\(number)/b", "--keep-going", "--shard", "\(number)/3",
        "--results", "task\(number)/result")
      #expect(result.status == .exited(number == 2 ? 1 : 0), "\(number): \(result.errors)")
    }
    let copies = try shop.rouse(
      "merge", "--json", "--complete", "task1/result", "task2/result", "task3/result")
    #expect(try copies.json()["loss"]?["damagedPlaces"] == .integer(1), "\(copies.errors)")
    let refused = try shop.rouse("replay", "@list", "--keep-going", "--results", "list")
    #expect(refused.status == .exited(64) && refused.errors.contains("list"), "\(refused.errors)")
    #expect(try shop.read("list") == Array("other.wtrace\n".utf8))
    // A file that is not there is an error in any case.
    _ = try rouse("replay missing T/fleet.wtrace --keep-going", in: shop, expecting: 1)
  }
}
