import Foundation
import Testing
import WakeTestSupport

@Suite("rouse check", .enabled(if: SchedulerPrograms.hasCompiler, "needs a C compiler"))
struct CheckCommandTests {
  private let shop: Workshop

  init() throws { shop = try Workshop() }

  @Test("says that the plain scheduler keeps the rules")
  func keeps() throws {
    try SchedulerPrograms.compile("plain.c", to: shop.path + "/plain.so")
    for options in [[], ["--in-process"], ["--rules", "6.5,5"]] {
      let result = try RouseCommand.run(
        ["check", "plain.so", "--seeds", "6"] + options, folder: shop.path)
      #expect(result.status == .exited(0), "\(options): \(result.errors)")
      #expect(result.output == "plain: keeps the rules in 51 runs\n")
    }
    let wrong = try shop.rouse("check", "plain.so", "--rules", "six")
    #expect(wrong.status == .exited(64))
    #expect(wrong.errors.contains("'six' is no rule by which departures are told"))
  }

  @Test("takes traces with their policies, and folders of worked cases")
  func given() throws {
    try SchedulerPrograms.compile("plain.c", to: shop.path + "/plain.so")
    let traces = [
      "iphone-day", "watch-day", "fleet", "pushes", "three-strikes", "sync-burst", "sqlite-store",
    ].map { PackageFolder.root.appending(path: "Traces/\($0).wtrace").path() }
    let result = try RouseCommand.run(
      ["check", "plain.so", "--seeds", "0"] + traces + PackageFolder.cases, folder: shop.path)
    #expect(result.status == .exited(0), "\(result.output)\(result.errors)")
    let runs = 44 + traces.count + PackageFolder.cases.count
    #expect(result.output == "plain: keeps the rules in \(runs) runs\n")
    // Under the policy of an argument, not of the file beside it.
    let other = try shop.rouse("check", "plain.so", "--seeds", "0", "--policy", "none", traces[0])
    #expect(other.status == .exited(1))
    #expect(other.errors.contains("none: cannot be opened"), "\(other.errors)")
  }

  @Test("shrinks a departure in a trace")
  func departsInTrace() throws {
    let plain = try String(
      contentsOf: PackageFolder.root.appending(path: "Tests/Schedulers/plain.c"), encoding: .utf8)
    try shop.write(
      plain.replacingOccurrences(
        of: "return !d->policy->has_budget ||",
        with: "if (t > 1767268800000000000) return 1;\n  return !d->policy->has_budget ||"),
      to: "mutant.c")
    try SchedulerPrograms.compile(shop.path + "/mutant.c", to: shop.path + "/mutant.so")
    let trace = PackageFolder.root.appending(path: "Traces/watch-day.wtrace").path()
    let result = try shop.rouse("check", "mutant.so", "--seeds", "0", trace)
    #expect(result.status == .exited(2), "\(result.output)\(result.errors)")
    #expect(result.output.contains("plain: departs from rule 6."), "\(result.output)")
    #expect(result.output.contains("watch-day.wtrace', shrunk to 2 inputs"), "\(result.output)")
  }

  @Test("names a broken rule with a small case, unless it is allowed")
  func departs() throws {
    let plain = try String(
      contentsOf: PackageFolder.root.appending(path: "Tests/Schedulers/plain.c"), encoding: .utf8)
    try shop.write(
      plain.replacingOccurrences(of: "if (!(e->has & ROUSE_IS_BACKGROUND)) {", with: "if (0) {"),
      to: "mutant.c")
    try SchedulerPrograms.compile(shop.path + "/mutant.c", to: shop.path + "/mutant.so")
    let result = try shop.rouse("check", "./mutant.so")
    #expect(result.status == .exited(2), "\(result.errors)")
    #expect(result.output.hasPrefix("plain: departs from rule 5.8: "), "\(result.output)")
    #expect(result.output.contains(#""k":"push""#), "\(result.output)")
    try shop.write("5.8  # pushes are not looked at\n", to: "known")
    let allowed = try shop.rouse(
      "check", "./mutant.so", "--allow", "known", "--seeds", "0")
    #expect(allowed.status == .exited(0), "\(allowed.output)")
    #expect(allowed.output.contains("but for departures from 5.8 in "), "\(allowed.output)")
  }

  @Test("refuses rules by which no departure is told", arguments: ["99.9", "6.55", "", "6.5,,6.1"])
  func unknownRules(list: String) throws {
    let result = try shop.rouse("check", "exec:true", "--rules", list)
    #expect(result.status == .exited(64))
    #expect(result.errors.contains("is no rule by which departures are told; those are 4 4.1 "))
    try shop.write("6.5 6.1 # both\n6.55\n", to: "known")
    let allowed = try shop.rouse("check", "exec:true", "--allow", "known")
    #expect(allowed.status == .exited(64) && allowed.errors.contains("'6.55'"))
  }

  @Test("writes the inputs of its runs, which are inputs of a check")
  func writes() throws {
    let written = try shop.rouse("check", "--write", "inputs", "--seeds", "3")
    #expect(written.errors == "rouse: inputs: 48 folders\n", "\(written.errors)")
    try SchedulerPrograms.compile("hostile.c", ["HOSTILE=1"], to: shop.path + "/hostile.so")
    try SchedulerPrograms.compile("plain.c", to: shop.path + "/plain.so")
    let names = ["seed-1", "seed-2", "rows-0", "three-strikes-and-out"]
    let plain = try RouseCommand.run(
      ["check", "plain.so", "--seeds", "0"] + names.map { "inputs/\($0)" }, folder: shop.path)
    #expect(plain.output == "plain: keeps the rules in 48 runs\n", "\(plain.errors)")
    let wrong = try shop.rouse("check", "plain.so", "--write", "inputs")
    #expect(wrong.status == .exited(64) && wrong.errors.contains("leave 'plain.so' out"))
    #expect(try shop.rouse("check").status == .exited(64))
  }

  @Test("tells of a crash with the case in which it came")
  func crashes() throws {
    try SchedulerPrograms.compile("hostile.c", ["HOSTILE=1"], to: shop.path + "/hostile.so")
    // It wakes nobody until it crashes, which is a departure: none is looked for.
    let result = try shop.rouse(
      "check", "./hostile.so", "--rules", "4.1", "--seeds", "5")
    #expect(result.status == .exited(1), "\(result.output)")
    #expect(result.errors.contains("ended by a signal: Segmentation fault; in take, at event"))
    #expect(result.errors.contains(" in the case "), "\(result.errors)")
  }
}
