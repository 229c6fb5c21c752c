import Foundation
import Testing
import WakeHosting
import WakeTestSupport

@Suite(
  "A check of schedulers that break a rule",
  .enabled(if: SchedulerPrograms.hasCompiler, "needs a C compiler"))
struct MutantTests {
  /// A line of `plain.c`, what stands there instead, and the rule that is broken so.
  struct Mutant: CustomTestStringConvertible {
    let rule: String
    let line: String
    let instead: String
    var testDescription: String { "\(rule): \(instead)" }
  }

  static let mutants: [Mutant] = [
    Mutant(
      rule: "5.2", line: "s->period = greater(period(frequency), period(cap));",
      instead: "s->period = period(frequency); (void)cap;"),
    Mutant(
      rule: "6.1", line: "(d->locked && d->policy->lock_blocks_health)", instead: "0"),
    Mutant(
      rule: "6.1",
      line:
        "return a->has_complication ? d->policy->limit : d->policy->limit_without_complication;",
      instead: "(void)a; return d->policy->limit;"),
    Mutant(
      rule: "6.1", line: "d->policy->push_window) < d->policy->push_limit;",
      instead: "d->policy->push_window) <= d->policy->push_limit;"),
    Mutant(
      rule: "6.2",
      line: "(d->policy->carry == ROUSE_CARRY_LAUNCH && a->state == TERMINATED);",
      instead: "d->policy->carry == ROUSE_CARRY_LAUNCH;"),
    Mutant(
      rule: "6.5", line: "if (a->strikes >= p->max_strikes) {",
      instead: "if (a->strikes > p->max_strikes) {"),
    Mutant(
      rule: "6.5", line: "(double)(a->delay - 1) * p->backoff_factor",
      instead: "(double)(a->delay - 1)"),
    Mutant(
      rule: "5.1",
      line:
        "if (!q->has_predicate || rows->kinds[row] == ROUSE_DELETE || matches(&q->predicate, rows, row)) return 1;",
      instead: "(void)matches(&q->predicate, rows, row); return 1;"),
    Mutant(
      rule: "5.6",
      line: "case ROUSE_BACKGROUND: if (a->state == FOREGROUND) a->state = SUSPENDED; break;",
      instead: "case ROUSE_BACKGROUND: break;"),
    Mutant(
      rule: "5.7", line: "case ROUSE_FORCE_QUIT: terminate(d, a); a->force_quit = 1; break;",
      instead: "case ROUSE_FORCE_QUIT: terminate(d, a); break;"),
    Mutant(
      rule: "5.8", line: "if (!(e->has & ROUSE_IS_BACKGROUND)) {", instead: "if (0) {"),
    Mutant(
      rule: "5.9", line: "greater(least, (int64_t)rint(seconds * 1e9));",
      instead: "(int64_t)rint(seconds * 1e9);"),
  ]

  @Test("names the rule and finds a case of at most 12 inputs", arguments: mutants)
  func finds(mutant: Mutant) throws {
    let scratch = try ScratchFolder()
    let plain = PackageFolder.root.appending(path: "Tests/Schedulers/plain.c")
    let text = try String(contentsOf: plain, encoding: .utf8)
    #expect(text.components(separatedBy: mutant.line).count == 2, "\(mutant.line)")
    try text.replacingOccurrences(of: mutant.line, with: mutant.instead).write(
      toFile: scratch.file("mutant.c"), atomically: true, encoding: .utf8)
    try SchedulerPrograms.compile(scratch.file("mutant.c"), to: scratch.file("mutant.so"))
    let library = try SchedulerLibrary(path: scratch.file("mutant.so"))
    guard case .departs(let finding) = try RulesCheck(library).run() else {
      Issue.record("no departure is found")
      return
    }
    #expect(finding.rule == mutant.rule, "\(finding.text)")
    #expect(finding.events.count <= 12, "\(finding.text)")
    var check = RulesCheck(library)
    check.allowed = [mutant.rule]
    check.seeds = 0..<3
    if case .departs(let other) = try check.run() {
      // Another rule may seem to be broken where several inputs meet; never the allowed one.
      #expect(other.rule != mutant.rule)
    }
  }

  @Test("finds nothing in the plain rules")
  func plain() throws {
    let scratch = try ScratchFolder()
    try SchedulerPrograms.compile("plain.c", to: scratch.file("plain.so"))
    var check = RulesCheck(try SchedulerLibrary(path: scratch.file("plain.so")))
    check.seeds = 0..<40
    guard case .keeps(let runs, let allowed) = try check.run() else {
      Issue.record("a departure is found")
      return
    }
    #expect(runs == 84)
    #expect(allowed.isEmpty)
  }
}
