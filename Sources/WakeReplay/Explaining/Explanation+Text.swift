import Measurement
import WakeEvents
import WakeScheduling

extension Explanation {
  /// The stories for people, in UTC.
  package var text: String {
    var lines = [summary] + dropped
    let (told, matching) = (findings.stories.count, findings.matching)
    if told < matching { lines.append("Told are the \(told) longest of \(matching) that match.") }
    if findings.stories.isEmpty, case .at(let time) = question.choice {
      lines.append("Nothing waited at \(Self.time(time)).")
      if let before = findings.before { lines += ["", "The last wait before:"] + tell(before) }
      if let after = findings.after { lines += ["", "The first wait after:"] + tell(after) }
    }
    for (story, changes) in zip(findings.stories, changes) {
      lines += [""] + tell(story) + changes.map { "  " + Self.text($0, of: story) }
    }
    if changesLeftOut > 0 {
      let sets = Quantity.counted(changesLeftOut, "other set")
      lines += ["", "\(sets) of reasons not tried: at most \(Self.mostChanges) are."]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The waits of the app that ended without a wake, a line for each ending. The first line leaves them out.
  private var dropped: [String] {
    Wait.Ending.allCases.compactMap { ending in
      findings.dropped[ending].map { "and \($0.inWords(ending))" }
    }
  }

  /// The waits of the app that a wake or the last input ended, in a line.
  private var summary: String {
    let type = question.type.map { " \($0.shown)" } ?? ""
    var line = "\(question.app.shown)\(type): \(Quantity.counted(findings.waits, "wait"))"
    guard findings.waits > 0 else { return line }
    line += ", \(Quantity.duration(nanoseconds: findings.waited)) in all"
    let held = WaitReason.allCases.map { ($0.word, findings.reasons[Int($0.rawValue)].any) }
      .filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
    if !held.isEmpty, findings.waited > 0 {
      line +=
        ", held by "
        + held.map { "\($0.0) \(Self.share($0.1, of: findings.waited))" }.joined(separator: ", ")
    }
    return line
  }

  /// Lines of a story beyond this many are left out in the middle.
  private static let mostLines = 40

  private func tell(_ story: WaitStory) -> [String] {
    let device = story.device.isEmpty ? "" : " on device \(story.device.shown)"
    var lines = StoryLines(story).lines
    if lines.count > Self.mostLines {
      let kept = Self.mostLines / 2
      let left = lines.count - 2 * kept
      lines.replaceSubrange(
        kept..<lines.count - kept, with: [(nil, "… \(left) more lines (--json has them all)")])
    }
    let times = lines.map { $0.time.map(Self.time) ?? "" }
    let width = times.map(\.count).max() ?? 0
    return [
      "\(story.title)\(device) waited \(Quantity.duration(nanoseconds: story.waited))"
    ]
      + zip(times, lines).map { time, line in
        "  " + time + String(repeating: " ", count: width - time.count + 2) + line.text
      }
  }

  private static func text(_ change: Change, of story: WaitStory) -> String {
    let words = change.without.map(\.word)
    let held =
      change.held == 0
      ? ""
      : "\(inWords(change.without)) held \(share(change.held, of: story.waited)) of it "
        + (words.count == 1 ? "alone" : "together") + "; "
    let option = "--without \(words.joined(separator: ","))"
    let habit = change.answersAfter.map {
      ", had the app answered each wake after its average of \(Quantity.duration(nanoseconds: $0))"
    }
    // Where wakes before came in vain, one that has no answer yet is told as they are.
    if let wake = change.wake, !change.isOpen || change.firstWake == wake {
      let gain =
        story.wait.wake == nil
        ? "a wake at \(time(wake)) would have carried it" + (change.isOpen ? "" : " for good")
        : "would have woken \(sooner(story.wait.until - wake))"
      let open = change.isOpen ? ", without an answer by the last input" : ""
      return held + "\(option) \(gain)\(open)\(habit ?? "")"
    }
    guard let wake = change.firstWake else {
      let either = story.wait.wake == nil ? " either" : ""
      let reasons = change.heldLast.map { "; \(inWords($0)) would have held it to the last input" }
      let why = change.ending.map { "; it would have been \($0.inWords)" } ?? reasons ?? ""
      return held + "\(option) no wake would have carried it\(either)\(why)"
    }
    if let first = story.flights.first?.time, wake >= first {
      return held + "\(option) does not help: no wake that carries it is answered; the app must "
        + "call its completion handler in time"
    }
    let woken =
      story.flights.first.map { sooner($0.time - wake) } ?? "at \(time(wake))"
    return held + "\(option) would have woken \(woken), but in vain, as the app did not answer"
  }

  private static func sooner(_ nanoseconds: Int64) -> String {
    if nanoseconds == 0 { return "no sooner" }
    return "\(Quantity.duration(nanoseconds: abs(nanoseconds))) "
      + (nanoseconds > 0 ? "sooner" : "later")
  }

  /// The reasons as people list them: `budget, backoff and period`.
  static func inWords(_ reasons: WaitReasons) -> String {
    let words = reasons.map(\.word)
    return words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
  }

  private static func share(_ part: Int64, of whole: Int64) -> String {
    Quantity.percentage(Double(part) / Double(whole))
  }

  static func time(_ nanoseconds: Int64) -> String { Timestamp(nanoseconds: nanoseconds).iso8601 }
}

extension WaitStory {
  fileprivate var title: String {
    switch wait.item {
    case .type: (name ?? "").shown
    case .push: "Push \((name ?? "").shown)"
    case .refresh: "A refresh"
    }
  }
}

/// The lines of a story, in the order of time.
private struct StoryLines {
  private(set) var lines: [(time: Int64?, text: String)] = []
  private let story: WaitStory
  /// The next wake to tell.
  private var next = 0

  init(_ story: WaitStory) {
    self.story = story
    var time = story.wait.since
    add(time, beginning)
    for stretch in story.wait.stretches {
      tellWakes(until: time)
      let end = time + stretch.nanoseconds
      if !stretch.reasons.contains(.unanswered) {
        add(
          time,
          "held by \(Explanation.inWords(stretch.reasons)) until "
            + "\(Explanation.time(end)), \(Quantity.duration(nanoseconds: stretch.nanoseconds))")
      }
      time = end
    }
    tellWakes(until: .max)
    if story.wait.wake != nil {
      return
    } else if let ending = story.wait.ending {
      add(time, end(ending))
    } else {
      add(time, "the last input: \(what(story.wait.saves, "still wait", "still waits"))")
    }
  }

  private mutating func add(_ time: Int64, _ text: String) { lines.append((time, text)) }

  private var beginning: String {
    switch story.wait.item {
    case .type: "saved"
    case .push: "pushed"
    case .refresh: "due"
    }
  }

  /// So many saves, or the push or refresh, with a verb for several and for one.
  private func what(_ saves: Int, _ several: String, _ one: String) -> String {
    switch story.wait.item {
    case .type: Quantity.counted(saves, "save") + " " + (saves == 1 ? one : several)
    case .push: "the push \(one)"
    case .refresh: "the refresh \(one)"
    }
  }

  /// What became of what no wake carried for good.
  private func end(_ ending: Wait.Ending) -> String {
    switch ending {
    case .deliveredLive:
      "the app is launched: \(what(story.wait.saves, "are", "is")) delivered live"
    case .disabled: "the type is disabled: \(what(story.wait.saves, "are", "is")) dropped"
    case .discarded: "the app ends: the push is discarded"
    case .superseded: "a newer push supersedes this one"
    case .notOverdue: "a new interval: the refresh is overdue no more"
    }
  }

  /// What became of a completed wake for what it carried.
  private func completion(of wake: Wake, isForGood: Bool, after: String) -> String {
    if isForGood, story.wait.ending == .disabled {
      return "the type is disabled after \(after), without an answer"
    }
    return switch wake.cutShort {
    case nil: "answered after \(after)"
    case .disabled: "answered in part after \(after), when the rest is disabled"
    default: "the app is launched after \(after), which completes the wake"
    }
  }

  private mutating func tellWakes(until time: Int64) {
    while next < story.flights.count, story.flights[next].time <= time {
      let flight = story.flights[next]
      next += 1
      let isForGood = next == story.flights.count && story.wait.wake == flight.number
      let isDisabled = isForGood && story.wait.ending == .disabled
      add(flight.time, "wake \(flight.number)" + contents(of: flight))
      guard let wake = flight.wake, let end = wake.end?.nanoseconds else {
        lines[lines.count - 1].text += ", in flight at the last input"
        continue
      }
      let after = Quantity.duration(nanoseconds: end - flight.time)
      let verdict =
        switch wake.outcome {
        case .completed: completion(of: wake, isForGood: isForGood, after: after)
        case .expired where isDisabled, .aborted where isDisabled:
          "the type is disabled before an answer; the wake is \(wake.outcome.word) after \(after)"
        case .expired where isForGood, .aborted where isForGood:
          // A push or a refresh is carried for good, answered or not.
          (story.isOfType ? "answered in part after" : "no answer to all of it after")
            + " \(after): the wake is \(wake.outcome.word)"
        case .expired: "no answer after \(after): the wake expires"
        case .aborted: "the app or the device ends after \(after): the wake is aborted"
        case .open: "in flight at the last input"
        }
      add(end, verdict + (isForGood ? "" : ", " + what(flight.saves, "come back", "comes back")))
    }
  }

  /// What a wake carried.
  private func contents(of flight: WaitStory.Flight) -> String {
    var parts: [String] = []
    let wake = flight.wake
    if case .type = story.wait.item {
      parts.append(Quantity.counted(flight.saves, "save"))
      if let wake, wake.types.count > 1 {
        parts[0] += " (\(wake.saves) in all, of \(wake.types.count) types)"
      }
    } else if let wake, wake.saves > 0 {
      parts.append(
        "\(Quantity.counted(wake.saves, "save")) of \(Quantity.counted(wake.types.count, "type"))")
    }
    if wake?.push != nil { parts.append("a push") }
    if wake?.refresh == true { parts.append("a refresh") }
    return parts.isEmpty ? "" : " with " + parts.joined(separator: ", ")
  }
}
