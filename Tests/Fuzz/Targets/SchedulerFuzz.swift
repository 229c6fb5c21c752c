import WakeEvents
import WakeImport
import WakeScheduling

/// Worked cases.
///
///     length (2)  policy  JSON Lines
enum SchedulerFuzz {
  static func run(_ bytes: [UInt8]) -> Bool {
    var input = InputBytes(bytes)
    guard let policy = try? PolicyFuzz.policy(input.part()) else { return false }
    let symbols = Symbols()
    var columns = InputColumns()
    var events: [Event] = []
    var text = input.rest
    var reader = JSONLinesReader(file: "input.jsonl", symbols: symbols)
    // The events before the first wrong line are a case too. There is one device.
    try? reader.read { span in
      let count = min(span.count, text.count)
      for place in 0..<count { span[place] = text[text.startIndex + place] }
      text = text.dropFirst(count)
      return count
    } onEvent: { event, _ in
      // A refresh every quarter of an hour for decades takes seconds, and reaches nothing new.
      let first = events.first?.time.nanoseconds ?? event.time.nanoseconds
      guard abs(event.time.nanoseconds - first) < 40 * 86_400 * 1_000_000_000 else { return }
      columns.append(event.input, at: event.time)
      events.append(event)
    }
    var batched = Scheduler(policy: policy, symbols: symbols)
    batched.take(columns, rows: 0..<columns.count) { _, _ in }
    let summary = batched.finish { _, _ in }
    var plain = Scheduler(policy: policy, symbols: symbols, accelerations: [])
    for event in events { plain.take(event.input, at: event.time) { _, _ in } }
    expect(plain.finish { _, _ in } == summary, "accelerations change the summary")
    return !events.isEmpty
  }
}
