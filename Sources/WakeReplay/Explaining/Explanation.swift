import WakeEvents
package import WakeScheduling
package import WakeTrace

/// Why wakes of an app came no sooner, told as stories, and what would have changed that.
package struct Explanation: Sendable {
  /// What a replay without some reasons made of a wait.
  package struct Change: Sendable {
    package var without: WaitReasons
    /// Nanoseconds of the wait in which these reasons held, and no others.
    package var held: Int64
    /// When a wake carries it for good then; nil if none does by the last input.
    package var wake: Int64?
    /// Whether saves that this wake carries have no answer yet at the last input.
    package var isOpen = false
    /// When a wake first carries it then, whether in vain or not.
    package var firstWake: Int64?
    /// What holds it last then, and what ends it, if no wake carries it for good.
    package var heldLast: WaitReasons?
    package var ending: Wait.Ending?
    /// Nanoseconds after which the app answers each wake in that replay; nil if by the trace or the policy.
    package var answersAfter: Int64?
  }

  package let question: StoryCollector.Question
  package let findings: StoryCollector.Findings
  /// The replay's, all rules in force.
  package let result: ReplayResult
  /// By story.
  package private(set) var changes: [[Change]]
  /// How many sets of reasons held long, too, but were not tried.
  package let changesLeftOut: Int

  /// Replays traces, and once more for each change that may matter.
  ///
  /// - Parameters:
  ///   - options: Logs and latencies are left out.
  ///   - progress: As in ``Replayer/run(progress:)``, for each replay.
  /// - Complexity: O(events) for each replay, of which there are at most twice ``mostChanges`` and one. Memory grows with
  ///   the waits that are told.
  package init(
    of question: StoryCollector.Question, files: [TraceFile], options: ReplayOptions,
    progress: (@Sendable (_ done: Int, _ all: Int) -> Void)? = nil
  ) throws(TraceError) {
    self.question = question
    var options = options
    options.wakeLog = nil
    options.waitLog = nil
    options.measuresLatency = false
    let collector = StoryCollector(question)
    result = try Replayer(files: files, options: options).run(
      observer: collector, progress: progress)
    findings = collector.findings
    changes = findings.stories.map { _ in [] }

    let stories = findings.stories
    let candidates = stories.map(Self.candidates)
    changesLeftOut = max(0, Set(candidates.flatMap(\.keys)).count - Self.mostChanges)
    // Devices do not affect each other.
    options.selection.devices = Set(stories.map { ExactName($0.device) })
    let policy = options.policy
    let habit = Self.habit(findings, policy)
    for reasons in Self.mostHelpful(candidates) {
      let asked = stories.indices.filter { candidates[$0][reasons] != nil }
      let changed = ChangedWakes(of: stories)
      options.policy = policy.without(reasons)
      _ = try Replayer(files: files, options: options).run(observer: changed, progress: progress)
      var wakes = changed.wakes
      var answersAfter: [Int: Int64] = [:]
      // The answers in a trace fit its own wakes. Where others come in vain, those of the app's habit are tried, unless the
      // change is that each wake is answered (rule 9.5).
      let isAnswered = options.policy.behaviour.completesAfter != nil
      if let habit, !isAnswered, asked.contains(where: { !wakes[$0].isAnswered }) {
        let answered = ChangedWakes(of: stories)
        options.policy.behaviour.completesAfter = habit
        // Each wake, and none later, whatever the policy says of modelled apps.
        (options.policy.behaviour.coldStart, options.policy.behaviour.ignoresEvery) = (0, 0)
        _ = try Replayer(files: files, options: options).run(observer: answered, progress: progress)
        for (story, other) in answered.wakes.enumerated()
        where !wakes[story].isAnswered && other.isAnswered {
          wakes[story] = other
          answersAfter[story] = habit
        }
      }
      for story in asked {
        changes[story].append(
          Change(
            without: reasons, held: candidates[story][reasons] ?? 0, wake: wakes[story].last,
            isOpen: wakes[story].isOpen, firstWake: wakes[story].first, heldLast: wakes[story].held,
            ending: wakes[story].ending, answersAfter: answersAfter[story]))
      }
    }
  }

  /// The most changes that are tried, and of one wait.
  static let mostChanges = 6
  private static let mostOfAWait = 3

  /// After how long the app answers on average; nil if it never did, or if the policy says how it does.
  private static func habit(
    _ findings: StoryCollector.Findings, _ policy: Policy
  ) -> Int64? {
    guard findings.answers > 0, policy.behaviour.completesAfter == nil else { return nil }
    return min(findings.answering / Int64(findings.answers), policy.completionTimeout - 1)
  }

  /// The reasons that held together in a wait, the longest first, with the time in which they held and no others.
  private static func candidates(_ story: WaitStory) -> [WaitReasons: Int64] {
    var times: [WaitReasons: Int64] = [:]
    for stretch in story.wait.stretches {
      times[stretch.reasons, default: 0].addClamped(stretch.nanoseconds)
    }
    let sorted = times.filter { !$0.key.contains(.foreground) && $0.value > story.waited / 100 }
      .sorted { $0.value != $1.value ? $0.value > $1.value : $0.key.precedes($1.key) }
    var candidates = Dictionary(
      uniqueKeysWithValues: sorted.prefix(mostOfAWait).map { ($0.key, $0.value) })
    // Strikes come of wakes without an answer, so that is what to change.
    let comesOfStrikes = times.keys.contains { $0.contains(.stopped) || $0.contains(.backoff) }
    if comesOfStrikes {
      candidates[WaitReasons(.unanswered)] = times[WaitReasons(.unanswered)] ?? 0
    }
    return candidates
  }

  /// The changes to try, the most helpful first by the time in which their reasons held.
  private static func mostHelpful(_ candidates: [[WaitReasons: Int64]]) -> [WaitReasons] {
    var times: [WaitReasons: Int64] = [:]
    for (reasons, time) in candidates.joined() { times[reasons, default: 0].addClamped(time) }
    return times.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key.precedes($1.key) }
      .prefix(mostChanges).map(\.key)
  }
}

extension WaitReasons {
  fileprivate func precedes(_ other: WaitReasons) -> Bool {
    map(\.rawValue).lexicographicallyPrecedes(other.map(\.rawValue))
  }
}
