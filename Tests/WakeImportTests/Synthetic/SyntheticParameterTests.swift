import Testing
import WakeEvents
import WakeImport
import WakeScheduling

@Suite("Every parameter of a workload has its effect")
struct SyntheticParameterTests {
  @Test("types and sources, the first ones the most popular")
  func typesAndSources() throws {
    let made = try Generated {
      $0.types = 60
      $0.sources = 12
    }
    #expect(made.symbols.types.count == 60)
    #expect(made.symbols.sources.count == 12)
    #expect(
      made.symbols.types.name(of: SampleType(index: 1)) == "HKQuantityTypeIdentifierHeartRate")
    #expect(made.symbols.types.name(of: SampleType(index: 39)) == "HKWorkoutTypeIdentifier")
    #expect(made.symbols.types.name(of: SampleType(index: 59)) == "com.example.metric.20")
    var byType = [Int](repeating: 0, count: 60)
    var bySource = [Int](repeating: 0, count: 12)
    for (_, sample) in made.samples {
      byType[Int(sample.type.index)] += 1
      bySource[Int(sample.source.index)] += 1
    }
    // By Zipf's law the sum of 1 to 1/60, 4.68, is shared out: the first has 1, the tenth 1/10.
    #expect(isAbout(byType[0], 20_000 * 100 / 468), "\(byType)")
    #expect(isAbout(byType[9], 20_000 * 10 / 468), "\(byType)")
    #expect(byType.allSatisfy { $0 > 0 }, "\(byType)")
    #expect(bySource.allSatisfy { $0 > 0 }, "\(bySource)")
  }

  @Test("start, mean gap and resolution")
  func time() throws {
    let early = Timestamp(nanoseconds: -second * 86_400)
    for (gap, resolution) in [
      (second, Int64(1_000)), (12_000_000, 1_000_000), (5 * second, second),
    ] {
      let made = try Generated {
        $0.start = early
        $0.meanGap = gap
        $0.resolution = resolution
      }
      let place = "gap \(gap), resolution \(resolution)"
      #expect(made.events.allSatisfy { $0.time.nanoseconds % resolution == 0 }, "\(place)")
      #expect(made.events.contains { $0.time.nanoseconds % (resolution * 10) != 0 }, "\(place)")
      #expect(isAbout(Int(made.span / 20_000 / 1_000), Int(gap / 1_000)), "\(place)")
      #expect(made.events[0].time >= early, "\(place)")
      #expect(made.events[0].time.nanoseconds < early.nanoseconds + 50 * gap, "\(place)")
    }
  }

  @Test("syncs: how often, how many, how close, and when measured")
  func syncs() throws {
    for (share, spacing) in [(800, Int64(0)), (400, 1_000)] {
      let made = try Generated {
        $0.syncEvery = 900 * second
        $0.syncedPerThousand = share
        $0.syncSpacing = spacing
        $0.hasMeasuredTimes = true
        $0.resolution = 1_000
      }
      let place = "\(share) per 1,000, spacing \(spacing)"
      let synced = made.samples.filter { $0.sample.start != nil }
      #expect(isAbout(synced.count, 20 * share), "\(place): \(synced.count)")
      let close = made.gaps.count { $0 == spacing }
      #expect(close > synced.count * 9 / 10, "\(place): \(close)")
      let isMeasuredBefore = synced.allSatisfy { time, sample in
        guard let start = sample.start, let end = sample.end else { return false }
        return start <= end && end.nanoseconds <= time
      }
      #expect(isMeasuredBefore, "\(place)")
      let lengths = Set(synced.compactMap { $1.end.map(\.nanoseconds) ?? 0 })
      #expect(lengths.count > synced.count / 4, "\(place)")
      #expect(isAbout(Int(made.span / second), 20_000), "\(place): the rate stays as asked")
      #expect(made.late == 0, "\(place)")
    }
  }

  @Test("shares of deletes and late inputs", arguments: [0, 10, 250, 500])
  func shares(perThousand: Int) throws {
    let deletes = try Generated { $0.deletesPerThousand = perThousand }
    #expect(isAbout(deletes.count(.delete), 20 * perThousand))
    let late = try Generated { $0.latePerThousand = perThousand }
    #expect(isAbout(late.late, 20 * perThousand))
    #expect(
      isAbout(
        Int(
          late.events.map(\.time).reduce(late.events[0].time, max).nanoseconds
            - late.events[0].time.nanoseconds) / Int(second), 20_000), "the rate stays as asked")
    let both = try Generated {
      $0.latePerThousand = perThousand
      $0.syncEvery = 60 * second
      $0.apps = 3
    }
    #expect(isAbout(both.late, (both.count(.save)) * perThousand / 1_000))
  }

  @Test("values and measured times, or none")
  func details() throws {
    let plain = try Generated { $0.syncEvery = 60 * second }
    #expect(plain.samples.allSatisfy { $1.value == nil && $1.start == nil && $1.end == nil })
    let valued = try Generated { $0.hasValues = true }
    #expect(valued.samples.allSatisfy { $1.value != nil && $1.start == nil })
    #expect(Set(valued.samples.compactMap(\.sample.value)).count > 500)
  }

  @Test("apps, their subscriptions and queries")
  func apps() throws {
    let made = try Generated(2_000) {
      $0.apps = 10
      $0.subscriptionsPerApp = 4
    }
    #expect(made.count(.enable) == 40)
    #expect(made.count(.execute) == 40)
    #expect(made.symbols.apps.count == 10)
    #expect(made.symbols.apps.name(of: App(index: 9)) == "com.example.app.2")
    let few = try Generated(2_000) {
      $0.apps = 2
      $0.types = 3
      $0.subscriptionsPerApp = 9
    }
    #expect(few.count(.enable) == 6, "no app subscribes to a type twice")
    let none = try Generated(2_000) { _ in }
    #expect(none.count(.save) == 2_000)
  }

  @Test("frequency, one or all")
  func frequency() throws {
    func frequencies(_ asked: Frequency?) throws -> Set<Frequency> {
      let made = try Generated(2_000) {
        $0.apps = 20
        $0.frequency = asked
      }
      return Set(
        made.events.compactMap {
          guard case .enable(_, _, let frequency) = $0.input else { return nil }
          return frequency
        })
    }
    #expect(try frequencies(.daily) == [.daily])
    #expect(try frequencies(nil) == Set(Frequency.allCases))
  }

  @Test("share of predicates")
  func predicates() throws {
    for share in [0, 300, 1_000] {
      let made = try Generated(5_000) {
        $0.apps = 60
        $0.subscriptionsPerApp = 20
        $0.predicatesPerThousand = share
      }
      let count = made.events.count {
        guard case .execute(_, _, _, let predicate) = $0.input else { return false }
        return predicate != nil
      }
      #expect(isAbout(count, 1_200 * share / 1_000), "\(share): \(count)")
    }
  }

  @Test("share of answers, and the policy that says when")
  func answers() throws {
    func outcome(_ share: Int, _ policy: Policy) throws -> (
      wakes: Int, completed: Int, answers: Int
    ) {
      let made = try Generated {
        $0.apps = 3
        $0.answersPerThousand = share
        $0.frequency = .immediate
        $0.meanGap = 60 * second
        $0.policy = policy
      }
      var scheduler = Scheduler(policy: policy, symbols: made.symbols)
      for event in made.events { scheduler.take(event.input, at: event.time) { _, _ in } }
      let summary = scheduler.finish { _, _ in }
      #expect(summary.ignoredCompletions == 0, "\(share)")
      return (summary.wakes, summary.completed, made.count(.complete))
    }
    #expect(try outcome(0, .iOS).answers == 0)
    let all = try outcome(1_000, .iOS)
    #expect(all.wakes - all.completed <= 3, "\(all)")
    let some = try outcome(800, .iOS)
    #expect(isAbout(some.completed, some.wakes * 8 / 10), "\(some)")
    let watch = try outcome(1_000, .watchOS)
    #expect(watch.wakes < all.wakes / 4, "\(watch), on a phone \(all)")
    #expect(watch.wakes - watch.completed <= 3, "\(watch)")
  }

  @Test("refreshes and complications")
  func refreshesAndComplications() throws {
    let made = try Generated(2_000) {
      $0.apps = 5
      $0.hasRefreshes = true
      $0.hasComplications = true
    }
    #expect(made.count(.refreshInterval) == 5)
    #expect(made.count(.complication) == 3)
    let without = try Generated(2_000) { $0.apps = 5 }
    #expect(without.count(.refreshInterval) + without.count(.complication) == 0)
  }

  @Test("pushes, visits, terminations, restarts")
  func rates() throws {
    // 20,000 inputs take about 56 hours, a little less as others are among them.
    let made = try Generated {
      $0.meanGap = 10 * second
      $0.apps = 4
      $0.subscriptionsPerApp = 0
      $0.pushGap = hour / 10
      $0.visitGap = hour / 4
      $0.terminationGap = hour / 5
      $0.rebootGap = hour / 2
    }
    let hours = Int(made.span / hour)
    #expect(abs(made.count(.push) - hours * 10) < hours * 3, "\(made.count(.push)) in \(hours) h")
    #expect(abs(made.count(.launch) - hours * 4) < hours * 2, "\(made.count(.launch))")
    #expect(abs(made.count(.terminate) - hours * 5) < hours * 2, "\(made.count(.terminate))")
    #expect(abs(made.count(.reboot) - hours * 2) < hours, "\(made.count(.reboot))")
    #expect(made.count(.unlock) > made.count(.reboot) * 9 / 10)
    let away = made.count(.background)
    #expect(away <= made.count(.launch) && away > made.count(.launch) * 7 / 10, "\(away)")
    #expect(made.count(.forceQuit) > 0)
    var rejected = 0
    for case .push(_, let push) in made.events.map(\.input) where !push.isBackgroundNotification {
      rejected += 1
    }
    #expect(rejected > 0 && rejected < made.count(.push) / 4, "\(rejected)")
  }

  @Test("locks by day and through the night")
  func locks() throws {
    let made = try Generated {
      $0.meanGap = 30 * second
      $0.apps = 2
      $0.visitGap = hour
      $0.pickupGap = hour / 4
    }
    var isLocked = false
    for event in made.events {
      let hourOfDay = event.time.nanoseconds / hour % 24
      switch event.input {
      case .lock:
        #expect(!isLocked, "\(event)")
        isLocked = true
      case .unlock:
        #expect(isLocked, "\(event)")
        #expect((7..<23).contains(hourOfDay), "\(event)")
        isLocked = false
      case .launch: #expect(!isLocked, "\(event)")
      default: break
      }
    }
    // Sixteen hours of a day, an unlock each 5/16 of an hour.
    let days = Double(made.span) / Double(24 * hour)
    #expect(abs(Double(made.count(.unlock)) - days * 51) < days * 15, "\(made.count(.unlock))")
  }

  @Test("out of range are refused by name")
  func validation() {
    let changes: [(String, (inout SyntheticWorkload) -> Void)] = [
      ("events", { $0.events = -1 }), ("devices", { $0.devices = 0 }),
      ("types", { $0.types = 0 }), ("types", { $0.types = 100_001 }),
      ("sources", { $0.sources = 0 }),
      ("start", { $0.start = Timestamp(nanoseconds: .max) }),
      ("meanGap", { $0.meanGap = 0 }), ("meanGap", { $0.meanGap = .max }),
      ("resolution", { $0.resolution = 0 }), ("syncEvery", { $0.syncEvery = 5 }),
      ("syncEvery", { $0.syncEvery = .max }), ("syncSpacing", { $0.syncSpacing = -1 }),
      ("syncedPerThousand", { $0.syncedPerThousand = 901 }),
      ("deletesPerThousand", { $0.deletesPerThousand = 1_001 }),
      ("latePerThousand", { $0.latePerThousand = 501 }),
      ("predicatesPerThousand", { $0.predicatesPerThousand = -1 }),
      ("answersPerThousand", { $0.answersPerThousand = 1_001 }),
      ("apps", { $0.apps = 65 }), ("subscriptionsPerApp", { $0.subscriptionsPerApp = -1 }),
      ("pushGap", { $0.pushGap = second }), ("visitGap", { $0.visitGap = second }),
      ("terminationGap", { $0.terminationGap = 1 }), ("pickupGap", { $0.pickupGap = 1 }),
      ("rebootGap", { $0.rebootGap = -1 }),
      ("events", { $0.events = .max }),
      ("events", { ($0.events, $0.meanGap) = (1_000_000_000, 1_000 * second) }),
    ]
    for (parameter, change) in changes {
      var workload = SyntheticWorkload()
      change(&workload)
      let error = #expect(throws: SyntheticWorkloadError.self, "\(parameter)") {
        try workload.forEachEvent(symbols: Symbols()) { _ in }
      }
      #expect(error?.parameter == parameter, "\(parameter): \(String(describing: error))")
    }
    for preset in SyntheticPreset.allCases {
      #expect(throws: Never.self, "\(preset.rawValue)") { try preset.workload.validate() }
    }
  }
}
