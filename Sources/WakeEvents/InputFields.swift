/// A saved sample.
public struct Sample: Hashable, Sendable {
  /// The sample type.
  public var type: SampleType
  /// The source that saved it.
  public var source: Source
  /// When it began; nil is the save's time as written.
  public var start: Timestamp?
  /// When it ended; nil is its start.
  public var end: Timestamp?
  /// Its value in the unit of its type, if it has one; finite.
  public var value: Double?

  /// Makes a sample.
  public init(
    type: SampleType, source: Source, start: Timestamp? = nil, end: Timestamp? = nil,
    value: Double? = nil
  ) {
    self.type = type
    self.source = source
    self.start = start
    self.end = end
    self.value = value
  }
}

/// How often a type may wake an app; numbered in this order in a trace.
public enum Frequency: UInt8, CaseIterable, Sendable {
  case immediate, hourly, daily, weekly

  /// The least time between two wakes that a type starts, in nanoseconds.
  public var period: Int64 {
    switch self {
    case .immediate: 0
    case .hourly: 3_600_000_000_000
    case .daily: 86_400_000_000_000
    case .weekly: 604_800_000_000_000
    }
  }

  /// Its word in JSON. Written out: reflection takes longer than reading a policy.
  public var word: String { Self.words[Int(rawValue)] }
  private static let words = ["immediate", "hourly", "daily", "weekly"]
}

/// The filter of an observer query (page Rules, section 2); a sample must meet every part that is not nil.
public struct Predicate: Hashable, Sendable {
  /// The sample's source.
  public var source: Source?
  /// The sample ends at or after this; if ``strictStart``, it starts at or after it.
  public var start: Timestamp?
  /// The sample starts before this; if ``strictEnd``, it ends at or before it.
  public var end: Timestamp?
  /// Changes what ``start`` asks; nil is false, and kept apart from it in traces.
  public var strictStart: Bool?
  /// Changes what ``end`` asks; nil is false, and kept apart from it in traces.
  public var strictEnd: Bool?
  /// The sample has a value of at least this.
  public var min: Double?
  /// The sample has a value of at most this.
  public var max: Double?

  /// Makes a predicate of the given parts.
  public init(
    source: Source? = nil, start: Timestamp? = nil, end: Timestamp? = nil,
    strictStart: Bool? = nil, strictEnd: Bool? = nil, min: Double? = nil, max: Double? = nil
  ) {
    self.source = source
    self.start = start
    self.end = end
    self.strictStart = strictStart
    self.strictEnd = strictEnd
    self.min = min
    self.max = max
  }

  /// Whether a sample matches; `time` is the time of its save as written.
  ///
  /// - Complexity: O(1).
  public func matches(_ sample: Sample, writtenAt time: Timestamp) -> Bool {
    if let source, sample.source != source { return false }
    let sampleStart = sample.start ?? time
    let sampleEnd = sample.end ?? sampleStart
    if let start, (strictStart == true ? sampleStart : sampleEnd) < start { return false }
    if let end {
      if strictEnd == true ? sampleEnd > end : sampleStart >= end { return false }
    }
    if min != nil || max != nil {
      guard let value = sample.value else { return false }
      if let min { guard value >= min else { return false } }
      if let max { guard value <= max else { return false } }
    }
    return true
  }
}

/// The items of a wake that a completion answers.
public enum CompletionItem: Hashable, Sendable {
  /// Everything outstanding.
  case everything
  /// The push.
  case push
  /// The background refresh.
  case refresh
  /// One sample type.
  case type(SampleType)
}

/// The result that the app reports with a completion; without effect on scheduling. Numbered in this order in a trace.
public enum FetchResult: UInt8, CaseIterable, Sendable {
  case newData, noData, failed
}

/// A push as it reached the device (rule 5.8).
public struct Push: Hashable, Sendable {
  /// The `aps` object of a push.
  public struct Payload: Hashable, Sendable {
    /// The object's JSON text, as it was given.
    public var json: String
    /// The value of `content-available`, if it has one.
    public var contentAvailable: Double?
    /// Whether it has a key `alert`, `badge` or `sound`, which no background push has.
    public var isShownToUser: Bool

    /// Makes a payload from its JSON text and the values that rule 5.8 looks at.
    public init(json: String, contentAvailable: Double?, isShownToUser: Bool) {
      self.json = json
      self.contentAvailable = contentAvailable
      self.isShownToUser = isShownToUser
    }
  }

  /// The id that the wake log shows.
  public var id: String
  /// The payload; nil is `{"content-available": 1}`.
  public var aps: Payload?
  /// The type; nil is `background`.
  public var pushType: String?
  /// The priority; nil is 5.
  public var priority: Double?

  /// Makes a push; by default a background notification.
  public init(
    id: String, aps: Payload? = nil, pushType: String? = nil, priority: Double? = nil
  ) {
    self.id = id
    self.aps = aps
    self.pushType = pushType
    self.priority = priority
  }

  /// Whether it is a background notification; any other is rejected (rule 5.8).
  public var isBackgroundNotification: Bool {
    Self.isBackgroundNotification(
      contentAvailable: aps == nil ? 1 : aps?.contentAvailable,
      isShownToUser: aps?.isShownToUser ?? false,
      isBackgroundType: pushType.map { $0 == Self.backgroundType } ?? true, priority: priority)
  }

  /// ``pushType`` of a background notification.
  package static var backgroundType: String { "background" }

  /// ``isBackgroundNotification`` of a push with these fields.
  package static func isBackgroundNotification(
    contentAvailable: Double?, isShownToUser: Bool, isBackgroundType: Bool, priority: Double?
  ) -> Bool {
    contentAvailable == 1 && !isShownToUser && isBackgroundType && priority ?? 5 == 5
  }
}

/// A minimum background fetch interval (rule 5.9).
public enum RefreshInterval: Hashable, Sendable {
  /// No refresh at all.
  case never
  /// The policy's `minimumRefreshInterval`.
  case minimum
  /// This many seconds, 0 to 10^9; raised to the policy's minimum where less.
  case seconds(Double)
}

/// Whether background refresh is allowed; numbered in this order in a trace.
public enum RefreshStatus: UInt8, CaseIterable, Sendable {
  case available, denied, restricted
}
