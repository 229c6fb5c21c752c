// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The compiler checks the functions against rouse_columns.h, whose names these are.

public import CRouse
import WakeEvents
import WakeImport
import WakeJSON
import WakeReplay
import WakeScheduling
import WakeTrace

/// What a `rouse_table_t` points to.
private final class OpenTable: Sendable {
  /// Starts a stream of all rows.
  let stream: @Sendable () -> TableStream

  init(_ fields: [TableField], _ batches: [TableBatch]) {
    stream = {
      var rest = batches[...]
      return TableStream(fields) { rest.popFirst() }
    }
  }

  /// A table that is read as each stream goes on.
  init(_ fields: [TableField], read: @escaping @Sendable () -> TableStream.Next) {
    stream = { TableStream(fields, next: read()) }
  }
}

@c @implementation
public func rouse_table_open(
  _ options: UnsafePointer<rouse_table_options_t>?, _ table: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  unsafe open(table) {
    guard let options = unsafe options else { throw Refusal.argument("options is null") }
    guard let given = unsafe rouse_table_options_t.given(options) else {
      throw Refusal.argument(
        unsafe "options.size is \(options.pointee.size), not sizeof(rouse_table_options_t), or more is set"
      )
    }
    return try unsafe TableRequest(given).open()
  }
}

@c @implementation
public func rouse_table_of_json(
  _ json: UnsafePointer<CChar>?, _ table: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  unsafe open(table) {
    guard let text = try unsafe optionalText(json) else { throw Refusal.argument("json is null") }
    do throws(JSONError) {
      let rows = try Array(text.utf8).withJSONBytes { bytes throws(JSONError) in
        try JSONTable(bytes)
      }
      return OpenTable(rows.fields, rows.batches)
    } catch {
      let path = error.path.map { "\($0): " } ?? ""
      throw Refusal(code: Int(ROUSE_INVALID_TEXT), message: path + error.message)
    }
  }
}

@c @implementation
public func rouse_table_stream(
  _ table: OpaquePointer?, _ stream: UnsafeMutablePointer<ArrowArrayStream>?
) -> Int32 {
  guard let table = unsafe table, let stream = unsafe stream else {
    unsafe stream?.pointee = ArrowArrayStream()
    return fail(ROUSE_INVALID_ARGUMENT, "table or stream is null")
  }
  let opened = unsafe Unmanaged<OpenTable>.fromOpaque(UnsafeRawPointer(table)).takeUnretainedValue()
  unsafe opened.stream().export(to: stream)
  return 0
}

@c @implementation
public func rouse_table_close(_ table: OpaquePointer?) {
  guard let table = unsafe table else { return }
  withoutCancellation { unsafe Unmanaged<OpenTable>.fromOpaque(UnsafeRawPointer(table)).release() }
}

/// Opens a table, and turns an error into a code. It may take long, so `fork` does not wait for it.
private func open(
  _ table: UnsafeMutablePointer<OpaquePointer?>?, _ body: () throws -> OpenTable
) -> Int32 {
  withoutCancellation {
    code {
      guard let table = unsafe table else { throw Refusal.argument("table is null") }
      unsafe table.pointee = nil
      unsafe table.pointee = OpaquePointer(Unmanaged.passRetained(try body()).toOpaque())
    }
  }
}

/// The options of a table.
private struct TableRequest {
  private let table: ReplayTable
  private let fields: [TableField]
  private let traces: [String]
  private var options = ReplayOptions()

  init(_ given: rouse_table_options_t) throws {
    let name = try unsafe optionalText(given.table) ?? ""
    guard let table = ReplayTable(rawValue: name), let fields = table.fields else {
      let names = ReplayTable.allCases.filter { $0.fields != nil }.map(\.rawValue)
      throw Refusal.argument("table: '\(name)' is not one of \(names.joined(separator: ", "))")
    }
    (self.table, self.fields) = (table, fields)
    traces = try unsafe Self.texts(given.traces, given.trace_count, "traces")
    guard !traces.isEmpty else { throw Refusal.argument("traces: there are none") }
    let (policy, without) = try unsafe (optionalText(given.policy), optionalText(given.without))
    guard table != .samples || policy == nil && without == nil else {
      throw Refusal.argument(
        "policy: does not change the table samples, which is of the trace alone")
    }
    options.policy = try PolicyReader.read(argument: Self.path(policy ?? "ios")).policy
    if let without {
      do throws(UnliftableReason) {
        options.policy = options.policy.without(try WaitReasons(lifting: without))
      } catch {
        throw Refusal.argument("without: \(error)")
      }
    }
    let (devices, types) = try unsafe (
      Self.texts(given.devices, given.device_count, "devices"),
      Self.texts(given.types, given.type_count, "types")
    )
    options.selection.devices = Set(devices.map { ExactName($0) })
    options.selection.types = Set(types.map { ExactName($0) })
    options.selection.from = try Self.time(unsafe optionalText(given.from), "from")
    options.selection.to = try Self.time(unsafe optionalText(given.to), "to")
    if let from = options.selection.from, let to = options.selection.to, from > to {
      throw Refusal.argument("from is after to")
    }
    guard unsafe (0...1_024).contains(given.threads), unsafe (0...1).contains(given.keep_going)
    else { throw Refusal.argument("threads is not from 0 to 1024, or keep_going is not 0 or 1") }
    options.threads = unsafe max(1, Int(given.threads))
    options.keepsGoing = unsafe given.keep_going == 1
    options.measuresLatency = false
  }

  func open() throws -> OpenTable {
    var options = options
    var files: [TraceFile] = []
    for path in traces {
      let file = try TraceFile.open(Self.path(path), keepsGoing: options.keepsGoing) {
        options.damagedFiles.append($0)
      }
      if let file { files.append(file) }
    }
    guard table == .samples else {
      let observer = ColumnObserver(table)
      let result = try Replayer(files: files, options: options).run(
        observer: observer, progress: nil)
      if result.blocks == 0, selectsAll, let damage = result.loss.damages.first {
        throw Self.nothingLeft(damage.file, damage.message)
      }
      return OpenTable(fields, observer.finish())
    }
    let (selection, keepsGoing) = (options.selection, options.keepsGoing)
    let index = try TraceIndex(files: files, selection: selection, keepsGoing: keepsGoing)
    if index.blocks.isEmpty, selectsAll, let damage = (options.damagedFiles + index.damages).first {
      throw Self.nothingLeft(damage.file, damage.message)
    }
    return OpenTable(fields) {
      let batches = SampleBatches(index, selection: selection, keepsGoing: keepsGoing)
      return { try batches.nextBatch() }
    }
  }

  /// A path as the command takes it, to which "-" is standard input: that of this process is not for a library to read.
  private static func path(_ text: String) -> String { text == "-" ? "./-" : text }

  /// Whether a table without rows is not for want of devices, types or times that were asked for.
  private var selectsAll: Bool {
    let selection = options.selection
    return selection.devices.isEmpty && selection.types.isEmpty && selection.from == nil
      && selection.to == nil
  }

  /// A table of nothing would look like that of a trace without wakes.
  private static func nothingLeft(_ file: String, _ message: String) -> Refusal {
    Refusal(
      code: Int(ROUSE_NOT_A_TRACE), message: "\(file): \(message); nothing is left without it")
  }

  private static func texts(
    _ pointers: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ name: String
  ) throws(Refusal) -> [String] {
    guard count > 0 else { return [] }
    guard let pointers = unsafe pointers else { throw .argument("\(name) is null") }
    var texts: [String] = []
    for place in 0..<count {
      guard let text = try unsafe optionalText(pointers[place]) else {
        throw .argument("\(name)[\(place)] is null")
      }
      texts.append(text)
    }
    return texts
  }

  private static func time(_ text: String?, _ name: String) throws(Refusal) -> Int64? {
    guard let text else { return nil }
    do throws(TimestampSyntaxError) {
      return try Timestamp(parsing: text).nanoseconds
    } catch {
      throw .argument("\(name): '\(text)' is not a time: \(error)")
    }
  }
}

extension rouse_table_options_t: GrowingStructure {
  static var firstSize: Int { 104 }
}
