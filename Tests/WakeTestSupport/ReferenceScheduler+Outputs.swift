public import WakeEvents
public import WakeScheduling

// Outputs (rules, 7).

extension ReferenceScheduler {
  /// Ends the run: its wakes in the order of their starts, and its summary.
  ///
  /// Nothing more happens after the last input, so a wake still in flight stays `open` (rule 4.3).
  public func finish() -> (wakes: [Wake], summary: Summary) {
    var summary = summary
    let name = symbols.devices.name(of: device)
    for app in apps {
      summary.pendingAtEnd += app.subscriptions.map(\.pending.count).reduce(0, +)
      if app.heldPush != nil { summary.pushesHeldAtEnd += 1 }
      if app.isStopped {
        let app = symbols.apps.name(of: app.app)
        summary.stoppedApps.append(name.isEmpty ? app : name + "/" + app)
      }
    }
    Self.sortByBytes(&summary.stoppedApps)

    var hasher = ReferenceDigest(symbols: symbols, device: device)
    for wake in wakes {
      summary.wakes += 1
      if !wake.types.isEmpty { summary.wakesWithHealth += 1 }
      if wake.push != nil { summary.wakesWithPush += 1 }
      if wake.refresh { summary.wakesWithRefresh += 1 }
      switch wake.outcome {
      case .completed: summary.completed += 1
      case .expired: summary.expired += 1
      case .aborted: summary.aborted += 1
      case .open: summary.open += 1
      }
      summary.digest.value &+= hasher.hash(of: wake)
    }
    return (wakes, summary)
  }

  static func sortByBytes(_ names: inout [String]) {
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Runs events of any number of devices, each on a scheduler of its own.
  ///
  /// Returns the wake log, device by device in the order of first appearance, and the summary over
  /// all (rules, 7).
  public static func run(
    events: [Event], policy: Policy, symbols: Symbols, without lifted: Set<String> = []
  ) -> (wakes: [(device: Device, wake: Wake)], summary: Summary) {
    var run = ReferenceRun(policy: policy, symbols: symbols, without: lifted)
    for event in events { run.take(event) }
    return run.finish()
  }
}

/// The hashes of wakes, written from the page Rules, 7, alone.
struct ReferenceDigest {
  let symbols: Symbols
  let device: UInt64
  /// Hashes of names met before, as each name stands in many wakes.
  private var apps: [App: UInt64] = [:]
  private var types: [SampleType: UInt64] = [:]

  init(symbols: Symbols, device: Device) {
    self.symbols = symbols
    let name = symbols.devices.name(of: device)
    self.device = name.isEmpty ? 0 : Self.fnv1a(name)
  }

  mutating func hash(of wake: Wake) -> UInt64 {
    let app = apps[wake.app] ?? Self.fnv1a(symbols.apps.name(of: wake.app))
    apps[wake.app] = app
    var sum: UInt64 = 0
    for type in wake.types {
      let hash = types[type] ?? Self.fnv1a(symbols.types.name(of: type))
      types[type] = hash
      sum &+= hash
    }
    let outcome: UInt64 =
      switch wake.outcome {
      case .completed: 1
      case .expired: 2
      case .aborted: 3
      case .open: 4
      }
    let fields: [UInt64] = [
      device,
      UInt64(wake.number),
      UInt64(bitPattern: wake.time.nanoseconds),
      app,
      sum,
      UInt64(wake.saves),
      UInt64(bitPattern: wake.oldest?.nanoseconds ?? 0),
      wake.push.map(Self.fnv1a) ?? 0,
      wake.refresh ? 1 : 0,
      outcome,
      UInt64(bitPattern: wake.end?.nanoseconds ?? 0),
    ]
    return fields.reduce(0x9E37_79B9_7F4A_7C15) { Self.finalise($0 ^ $1) }
  }

  static func finalise(_ x: UInt64) -> UInt64 {
    var z = x
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  static func fnv1a(_ name: String) -> UInt64 {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in name.utf8 {
      hash ^= UInt64(byte)
      hash = hash &* 1_099_511_628_211
    }
    return hash
  }
}
