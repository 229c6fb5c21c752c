import CRouse
import WakeEvents
import WakeImport
import WakeRecorder
import WakeTrace

extension rouse_event_t {
  /// The event's input; the producer checks names and numbers.
  func input() throws(Refusal) -> Input {
    guard let kind = unsafe UInt8(exactly: kind).flatMap({ InputKind(rawValue: $0) }) else {
      throw .argument(unsafe "unknown event kind \(self.kind)")
    }
    guard unsafe has & ~kind.parts == 0 else {
      throw .argument("the event has an optional part that its kind does not have")
    }
    let app = unsafe App(index: app)
    let type = unsafe SampleType(index: type.number)
    return switch kind {
    case .save: unsafe .save(sample)
    case .delete: .delete(type: type, source: unsafe Source(index: source.number))
    case .enable: .enable(app: app, type: type, frequency: try unsafe word(frequency, "frequency"))
    case .disable: .disable(app: app, type: type)
    case .disableAll: .disableAll(app: app)
    case .execute:
      unsafe .execute(app: app, query: Query(index: query), type: type, predicate: predicate)
    case .stop: unsafe .stop(app: app, query: Query(index: query))
    case .complete:
      try unsafe .complete(app: app, item: completionItem(), result: fetchResult())
    case .launch: .launch(app: app)
    case .background: .background(app: app)
    case .terminate: .terminate(app: app)
    case .forceQuit: .forceQuit(app: app)
    case .push: .push(app: app, try unsafe push())
    case .refreshInterval: unsafe .refreshInterval(app: app, refreshInterval)
    case .refreshStatus:
      .refreshStatus(app: app.index == .max ? nil : app, try unsafe word(status, "status"))
    case .complication: .complication(app: app, isActive: unsafe is_on != 0)
    case .entitlement: .entitlement(app: app, isGranted: unsafe is_on != 0)
    case .network: .network(isGood: unsafe is_on != 0)
    case .power: .power(isGood: unsafe is_on != 0)
    case .lock: .lock
    case .unlock: .unlock
    case .reboot: .reboot
    case .observed: .observed(app: app, try unsafe observation())
    }
  }

  /// Why an event of this kind was refused; nil if no more is known than the code says.
  func message(_ status: RecordStatus) -> String? {
    let word = unsafe UInt8(exactly: kind).flatMap { InputKind(rawValue: $0)?.word } ?? "event"
    switch status {
    case .unknownName:
      let numbers = unsafe """
      device \(device), app \(app), type \(type.number), source \(source.number), query \(query)
      """
      return
        "\(word): this recorder did not return one of the names' numbers that it needs: \(numbers)"
    case .invalidTime:
      return unsafe "\(word): time \(time), start \(start) or end \(end) is beyond ±4 × 10^18 ns"
    case .invalidNumber:
      return unsafe """
      \(word): value \(value), min \(min), max \(max), interval \(interval) or priority \(priority) is not \
      finite or out of range
      """
    case .tooLarge:
      return """
        \(word): the event takes more than a quarter of the ring, has a text of more than 8 MiB, or observes more \
        than 65,536 types
        """
    default: return nil
    }
  }

  private func has(_ part: Int) -> Bool { unsafe has & UInt32(part) != 0 }

  /// A value, if the event has it.
  private func part<Value>(_ part: Int, _ value: Value) -> Value? { unsafe has(part) ? value : nil }

  /// The case of an enumeration that a number stands for.
  private func word<Word: RawRepresentable>(
    _ number: Int32, _ name: String
  ) throws(Refusal) -> Word where Word.RawValue == UInt8 {
    guard let word = UInt8(exactly: number).flatMap({ Word(rawValue: $0) }) else {
      throw .argument("unknown \(name) \(number)")
    }
    return word
  }

  private var sample: Sample {
    unsafe Sample(
      type: SampleType(index: type.number), source: Source(index: source.number),
      start: part(ROUSE_HAS_START, Timestamp(nanoseconds: start)),
      end: part(ROUSE_HAS_END, Timestamp(nanoseconds: end)), value: part(ROUSE_HAS_VALUE, value))
  }

  private var predicate: Predicate? {
    guard unsafe has & ~UInt32(ROUSE_HAS_DEVICE) != 0 else { return nil }
    return unsafe Predicate(
      source: part(ROUSE_HAS_SOURCE, Source(index: source.number)),
      start: part(ROUSE_HAS_START, Timestamp(nanoseconds: start)),
      end: part(ROUSE_HAS_END, Timestamp(nanoseconds: end)),
      strictStart: part(ROUSE_HAS_STRICT_START, strict_start != 0),
      strictEnd: part(ROUSE_HAS_STRICT_END, strict_end != 0), min: part(ROUSE_HAS_MIN, min),
      max: part(ROUSE_HAS_MAX, max))
  }

  private func completionItem() throws(Refusal) -> CompletionItem {
    switch unsafe Int(item) {
    case ROUSE_EVERYTHING: .everything
    case ROUSE_ITEM_PUSH: .push
    case ROUSE_ITEM_REFRESH: .refresh
    case ROUSE_ITEM_TYPE: unsafe .type(SampleType(index: type.number))
    default: throw .argument(unsafe "unknown item \(item)")
    }
  }

  private func fetchResult() throws(Refusal) -> FetchResult? {
    guard unsafe result != ROUSE_NO_RESULT else { return nil }
    // In C, 0 is no result.
    return try unsafe word(result &- 1, "result") as FetchResult
  }

  private var refreshInterval: RefreshInterval {
    switch unsafe interval {
    case Double(ROUSE_NEVER): .never
    case Double(ROUSE_MINIMUM): .minimum
    default: unsafe .seconds(interval)
    }
  }

  private func push() throws(Refusal) -> Push {
    guard let id = try unsafe text(id, "id") else { throw .argument("the push has no id") }
    var push = Push(id: id)
    if let aps = try unsafe text(aps, "aps") {
      do throws(ImportError) {
        push.aps = try Push.Payload(json: aps)
      } catch let error {
        throw Refusal(code: Int(ROUSE_INVALID_TEXT), message: error.description)
      }
    }
    push.pushType = try unsafe text(push_type, "push_type")
    push.priority = unsafe part(ROUSE_HAS_PRIORITY, priority)
    return push
  }

  private func observation() throws(Refusal) -> Observation {
    var observation = Observation(types: [])
    if unsafe type_count > 0 {
      guard let types = unsafe types else {
        throw .argument("the observed wake has a type_count, but no types")
      }
      observation.types = unsafe UnsafeBufferPointer(start: types, count: Int(type_count)).map {
        SampleType(index: $0.number)
      }
    }
    observation.push = try unsafe text(id, "id")
    observation.refresh = unsafe part(ROUSE_HAS_REFRESH, is_on != 0)
    if unsafe outcome != ROUSE_NO_OUTCOME {
      observation.outcome = try unsafe word(outcome &- 1, "outcome")
    }
    observation.end = unsafe part(ROUSE_HAS_END, Timestamp(nanoseconds: end))
    return observation
  }

  private func text(
    _ pointer: UnsafePointer<CChar>?, _ name: String
  ) throws(Refusal) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    guard let text = unsafe String(validatingCString: pointer) else {
      throw Refusal(code: Int(ROUSE_INVALID_TEXT), message: "the push's \(name) is not valid UTF-8")
    }
    guard text.utf8.count <= TraceLimits.textBytes else {
      throw Refusal(
        code: Int(ROUSE_TOO_LARGE),
        message: "the push's \(name) has more than \(TraceLimits.textBytes) bytes")
    }
    return text
  }
}

extension InputKind {
  /// The optional parts that an event of the kind may have.
  fileprivate var parts: UInt32 {
    let parts =
      switch self {
      case .save: ROUSE_HAS_START | ROUSE_HAS_END | ROUSE_HAS_VALUE
      case .execute:
        ROUSE_HAS_PREDICATE | ROUSE_HAS_SOURCE | ROUSE_HAS_START | ROUSE_HAS_END
          | ROUSE_HAS_STRICT_START | ROUSE_HAS_STRICT_END | ROUSE_HAS_MIN | ROUSE_HAS_MAX
      case .push: ROUSE_HAS_PRIORITY
      case .observed: ROUSE_HAS_REFRESH | ROUSE_HAS_END
      case .delete, .enable, .disable, .disableAll, .stop, .complete, .launch, .background,
        .terminate, .forceQuit, .refreshInterval, .refreshStatus, .complication, .entitlement,
        .network, .power, .lock, .unlock, .reboot:
        0
      }
    return UInt32(parts | ROUSE_HAS_DEVICE)
  }
}
