import Foundation
import Testing
import WakeHosting
import WakeTestSupport
import WakeTrace

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
      rule: "5.4",
      line:
        "if (e->item == ROUSE_EVERYTHING || !outstanding(a)) end_wake(d, a, d->present, ROUSE_COMPLETED, 1);",
      instead: "end_wake(d, a, d->present, ROUSE_COMPLETED, 1);"),
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
    Mutant(
      rule: "5.9", line: "if (a->interval < 0) a->last_refresh = d->present;",
      instead: "a->last_refresh = d->present;"),
    Mutant(
      rule: "5.1", line: "(p->strict_end ? end > p->end : start >= p->end)",
      instead: "start >= p->end"),
    Mutant(
      rule: "5.1",
      line: "if (p->has & ROUSE_HAS_MAX && !(rows->values[row] <= p->max)) return 0;", instead: ""),
    Mutant(
      rule: "5.2", line: "hours[] = {0, 1, 24, 168};",
      instead: "hours[] = {0, 1, 24, 24};"),
  ]

  /// `plain.c` with another text in place of one.
  private func compile(_ line: String, instead: String, in scratch: ScratchFolder) throws
    -> SchedulerLibrary
  {
    let plain = PackageFolder.root.appending(path: "Tests/Schedulers/plain.c")
    let text = try String(contentsOf: plain, encoding: .utf8)
    #expect(text.components(separatedBy: line).count == 2, "\(line)")
    try text.replacingOccurrences(of: line, with: instead).write(
      toFile: scratch.file("mutant.c"), atomically: true, encoding: .utf8)
    try SchedulerPrograms.compile(scratch.file("mutant.c"), to: scratch.file("mutant.so"))
    return try SchedulerLibrary(path: scratch.file("mutant.so"))
  }

  @Test("names the rule and finds a case of at most 12 inputs", arguments: mutants)
  func finds(mutant: Mutant) throws {
    let scratch = try ScratchFolder()
    let library = try compile(mutant.line, instead: mutant.instead, in: scratch)
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

  @Test("finds what shows only in rows that are called ordered, in long rows, or in what is due")
  func feedings() throws {
    let scratch = try ScratchFolder()
    let ordered = try compile(
      "sample(d, rows, row);",
      instead: "if (!(rows->flags & ROUSE_ROWS_ORDERED) || row % 2 == 0) sample(d, rows, row);",
      in: scratch)
    guard case .departs(let finding) = try RulesCheck(ordered).run() else {
      Issue.record("no departure is found in ordered rows")
      return
    }
    #expect(finding.feeding == .ordered && finding.events.count <= 12, "\(finding.text)")
    #expect(finding.text.contains("ROUSE_ROWS_ORDERED"), "\(finding.text)")
  }

  @Test("tells of a departure that does not repeat")
  func unsteady() throws {
    let scratch = try ScratchFolder()
    let unsteady = try compile(
      "sample(d, rows, row);",
      instead: "static int saves; if (saves++ / 50 != 4) sample(d, rows, row);", in: scratch)
    guard case .departs(let finding) = try RulesCheck(unsteady).run() else {
      Issue.record("no departure is found")
      return
    }
    #expect(finding.reason.contains("is the scheduler deterministic?"), "\(finding.text)")
    #expect(finding.text.contains(" inputs, not shrunk"), "\(finding.text)")
    #expect(!finding.rule.isEmpty && !finding.events.isEmpty)
  }

  @Test("finds what shows only in long rows")
  func longRows() throws {
    let scratch = try ScratchFolder()
    let forgetful = try compile(
      "sample(d, rows, row);", instead: "if (row != 700) sample(d, rows, row);", in: scratch)
    guard case .departs(let finding) = try RulesCheck(forgetful).run() else {
      Issue.record("no departure is found")
      return
    }
    #expect(finding.origin.hasPrefix("long rows of saves, seed "), "\(finding.text)")
  }

  @Test("finds that something happens before what is told to be due next")
  func lateDue() throws {
    let scratch = try ScratchFolder()
    let late = try compile(
      "first_due(instance, &due);\n  return due;",
      instead: "first_due(instance, &due);\n  return due == INT64_MAX ? due : due + 1000000000;",
      in: scratch)
    let error = #expect(throws: TraceError.self) { try RulesCheck(late).run() }
    #expect(error?.message.contains("but a wake began at") == true, "\(String(describing: error))")
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
    #expect(runs == 86)
    #expect(allowed.isEmpty)
  }
}
