import WakeEvents
package import WakeJSON
import WakeScheduling

extension Explanation {
  /// The stories as JSON, with a newline at its end.
  package func json(times: JSONTimeForm = .nanoseconds) -> String {
    var json = JSONWriter(.indented, times: times)
    json.object { json in
      json.member("app", question.app)
      if let type = question.type { json.member("type", type) }
      json.member("waits", findings.waits)
      json.member("waited", findings.waited)
      json.member("dropped") { json in
        for ending in Wait.Ending.allCases {
          guard let dropped = findings.dropped[ending] else { continue }
          json.key(escaping: ending.word)
          json.object {
            $0.member("waits", dropped.waits)
            $0.member("saves", dropped.saves)
            $0.member("waited", dropped.waited)
          }
        }
      }
      json.member("reasons") { json in
        for reason in WaitReason.allCases {
          let sums = findings.reasons[Int(reason.rawValue)]
          guard sums.any > 0 else { continue }
          json.key(escaping: reason.word)
          json.object {
            $0.member("any", sums.any)
            $0.member("alone", sums.alone)
            $0.member("last", sums.last)
          }
        }
      }
      if findings.matching > findings.stories.count {
        json.member("storiesLeftOut", findings.matching - findings.stories.count)
      }
      if changesLeftOut > 0 { json.member("changesLeftOut", changesLeftOut) }
      json.member("stories", zip(findings.stories, changes)) { json, told in
        write(told.0, told.1, to: &json)
      }
      if let before = findings.before, findings.stories.isEmpty {
        json.key("before")
        write(before, [], to: &json)
      }
      if let after = findings.after, findings.stories.isEmpty {
        json.key("after")
        write(after, [], to: &json)
      }
    }
    return json.text
  }

  private func write(_ story: WaitStory, _ changes: [Change], to json: inout JSONWriter) {
    json.object { json in
      if !story.device.isEmpty { json.member("device", story.device) }
      json.member("item", story.wait.item.kind.word)
      if let name = story.name { json.member("name", name) }
      json.member("since", time: story.wait.since)
      json.member("until", time: story.wait.until)
      json.member("wake", story.wait.wake)
      if story.wait.wake == nil, let ending = story.wait.ending {
        json.member("ending", ending.word)
      }
      if case .type = story.wait.item { json.member("saves", story.wait.saves) }
      var time = story.wait.since
      json.member("waits", story.wait.stretches) { json, stretch in
        json.object {
          $0.member("from", time: time)
          time += stretch.nanoseconds
          $0.member("to", time: time)
          $0.member("why", stretch.reasons) { $0.value($1.word) }
        }
      }
      json.member("wakes", story.flights) { json, flight in write(flight, to: &json) }
      json.member("changes", changes) { json, change in
        json.object {
          $0.member("without", change.without) { $0.value($1.word) }
          $0.member("held", change.held)
          $0.member("wake", time: change.wake)
          if change.isOpen { $0.member("open", true) }
          let end = story.wait.wake == nil ? nil : story.wait.until
          $0.member("sooner", change.wake.flatMap { wake in end.map { $0 - wake } })
          $0.member("firstWake", time: change.firstWake)
          if let ending = change.ending { $0.member("ending", ending.word) }
          if let held = change.heldLast { $0.member("heldLast", held) { $0.value($1.word) } }
          $0.member("answersAfter", change.answersAfter)
        }
      }
    }
  }

  private func write(_ flight: WaitStory.Flight, to json: inout JSONWriter) {
    json.object { json in
      json.member("number", flight.number)
      json.member("t", time: flight.time)
      json.member("saves", flight.saves)
      guard let wake = flight.wake else { return }
      json.member("savesInAll", wake.saves)
      json.member("types", wake.types.count)
      json.member("push", wake.push != nil)
      json.member("refresh", wake.refresh)
      json.member("outcome", wake.outcome.word)
      json.member("end", time: wake.end)
      if let ending = wake.cutShort { json.member("cutShort", ending.word) }
    }
  }
}
