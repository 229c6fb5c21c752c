import Testing
import WakeTestSupport

@testable import WakeEvents
@testable import WakeTrace

@Suite("Inputs read in brief")
struct BriefDecodingTests {
  /// Pushes of all sorts that are told apart.
  private static let pushes: [Push] = [nil, "background", "alert", "", "Background"].flatMap {
    (type: String?) in
    [nil, 5, 10].flatMap { priority in
      [
        nil, Push.Payload(json: "{}", contentAvailable: nil, isShownToUser: false),
        .init(json: #"{"content-available": 1}"#, contentAvailable: 1, isShownToUser: false),
        .init(json: #"{"alert": "é"}"#, contentAvailable: 1, isShownToUser: true),
        .init(json: "", contentAvailable: 0, isShownToUser: false),
      ].map { Push(id: "push ⌚ \(priority ?? 0)", aps: $0, pushType: type, priority: priority) }
    }
  }

  /// Decodes the only block of a trace.
  private func columns(
    of path: String, _ symbols: Symbols, _ others: BlockDecoder.OtherInputs
  ) throws -> InputColumns {
    let file = try TraceFile(path: path)
    var scan = BlockScan(file)
    let block = try #require(try scan.next())
    let decoder = BlockDecoder(symbols: symbols)
    try decoder.decode(block, of: file, observations: .none, others: others)
    // The next block is read as it is asked for.
    try decoder.decode(block, of: file, observations: .none, others: others)
    return decoder.takeColumns()
  }

  /// What a scheduler looks at, with or without the ids of pushes.
  private func seen(_ columns: InputColumns, withIDs: Bool) -> [String] {
    columns.kinds.indices.map { row in
      let place = Int(columns.types[row])
      guard columns.kinds[row] > InputKind.delete.rawValue else { return "sample \(place)" }
      let brief = columns.briefs[place]
      switch brief.kind {
      case .push:
        let id = withIDs ? String(decoding: columns.pushIDs[brief.idRange], as: UTF8.self) : ""
        return "\(brief.app) \(brief.number) \(brief.isOn) \(id)"
      case .execute where brief.isOn:
        return "\(brief.app) \(brief.query) \(brief.type) \(columns.predicates[Int(brief.number)])"
      default: return "\(brief)"
      }
    }
  }

  private func expectSame(_ events: [Event], _ symbols: Symbols, _ what: String) throws {
    let trace = try QueryTrace(events, symbols: symbols)
    let whole = try columns(of: trace.path, symbols, .whole)
    #expect(!whole.others.isEmpty, "\(what)")
    let brief = try columns(of: trace.path, symbols, .brief)
    #expect(brief.pushIDs.isEmpty, "\(what)")
    expectSame(brief, whole, withIDs: false, "\(what), brief")
    let named = try columns(of: trace.path, symbols, .briefWithPushIDs)
    expectSame(named, whole, withIDs: true, "\(what), brief with ids")
  }

  private func expectSame(
    _ brief: InputColumns, _ whole: InputColumns, withIDs: Bool, _ what: String
  ) {
    func seen(_ columns: InputColumns) -> [String] { self.seen(columns, withIDs: withIDs) }
    #expect(brief.others.isEmpty, "\(what)")
    #expect(brief.times == whole.times && brief.kinds == whole.kinds, "\(what)")
    #expect(seen(brief) == seen(whole), "\(what)")
    // Rows are put into another order, and moved to other batches, with what belongs to them.
    let order = Array((0..<whole.count).reversed())
    #expect(seen(brief.permuted(order)) == seen(whole.permuted(order)), "\(what)")
    var (fromBrief, fromWhole) = (InputColumns(), InputColumns())
    for rows in [whole.count / 2..<whole.count, 0..<whole.count / 2] {
      fromBrief.append(contentsOf: brief, rows: rows)
      fromWhole.append(contentsOf: whole, rows: rows)
    }
    #expect(seen(fromBrief) == seen(fromWhole), "\(what)")
    #expect(fromBrief.others.isEmpty && fromWhole.others.count == whole.others.count, "\(what)")
  }

  @Test("are what a scheduler looks at of whole ones", arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 400)
    try expectSame(random.events, random.symbols, "seed \(seed)")
  }

  @Test("are so for pushes of all sorts")
  func pushes() throws {
    var made = SecondBySecond()
    let app = made.symbols.apps.intern("app")
    for (second, push) in Self.pushes.enumerated() {
      made.add(.push(app: app, push), at: second)
    }
    try expectSame(made.events, made.symbols, "pushes")
  }

  @Test("are refused where a text is not UTF-8, as whole ones are", arguments: 0..<3)
  func notUTF8(text: Int) throws {
    let reader = ByteReader([0x61, 0xC3, 0x62], subject: "column others")
    let (good, bad) = (0..<1, 1..<3)
    let fields = PushFields(
      id: text == 0 ? bad : good, json: text == 1 ? bad : good, pushType: text == 2 ? bad : good)
    let brief = #expect(throws: BlockError.self) { try BriefInput.push(of: fields, in: reader) }
    let whole = #expect(throws: BlockError.self) { try Input.push(of: fields, in: reader) }
    #expect(brief?.message == "column others has text that is not UTF-8")
    #expect(brief?.message == whole?.message && brief?.code == whole?.code)
  }
}
