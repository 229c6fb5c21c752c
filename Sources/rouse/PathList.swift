import CommandLineSupport
import Glibc
import WakeImport
import WakeTrace

/// The files that operands name: each by itself, or as a line of the file LIST in the place of `@LIST`.
///
/// The text is kept as it was read, as a fleet has millions of files.
struct PathList {
  private var text: [UInt8] = []
  private var ends: [Int] = []
  /// The files in the place of which `@LIST` stood.
  private var lists: [String] = []

  /// - Throws: ``ImportError`` if a list cannot be read or names no file.
  init(_ operands: [String]) throws {
    for operand in operands {
      guard operand.hasPrefix("@"), operand.count > 1 else {
        append(operand.utf8)
        continue
      }
      let file = try InputFile(path: String(operand.dropFirst()))
      lists.append(file.name)
      let before = count
      try append(linesOf: try file.readAll(limit: 1 << 30)[...], of: file.name)
      guard count > before else {
        throw ImportError(
          code: .empty, file: file.name,
          message: "the list names no file; write the path of one in each line")
      }
    }
  }

  private mutating func append(linesOf list: ArraySlice<UInt8>, of name: String) throws {
    // Some editors begin a text with the mark of UTF-8.
    var rest = list.starts(with: [0xEF, 0xBB, 0xBF]) ? list.dropFirst(3) : list
    var number = 0
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let line = rest[..<end]
      rest = rest[end...].dropFirst()
      let path = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard !path.isEmpty else { continue }
      guard String(validating: path, as: UTF8.self) != nil else {
        throw ImportError(
          code: .malformed, file: name, line: number,
          message: "is not UTF-8; rename the file that it names")
      }
      guard !path.contains(0) else {
        throw ImportError(
          code: .malformed, file: name, line: number,
          message: "has a NUL character; separate paths by line breaks")
      }
      append(path)
    }
  }

  private mutating func append(_ path: some Collection<UInt8>) {
    text += path
    ends.append(text.count)
  }

  var count: Int { ends.count }

  subscript(place: Int) -> String {
    String(decoding: text[(place == 0 ? 0 : ends[place - 1])..<ends[place]], as: UTF8.self)
  }

  /// All paths, in order.
  var all: some Sequence<String> { (0..<count).lazy.map { self[$0] } }

  /// The files and the lists that name them, none of which may be an output.
  var inputs: [String] { lists + Array(all) }
}

/// The traces that operands name.
struct GivenTraces {
  private(set) var files: [TraceFile] = []
  /// Of those that hold nothing that can be read: why, with `keepsGoing`.
  private(set) var damaged: [(place: Int, error: TraceError)] = []

  /// Opens traces.
  ///
  /// - Parameter keepsGoing: Whether an empty or damaged file is no error. One that cannot be opened is in any case.
  init(_ paths: PathList, keepsGoing: Bool = false) throws {
    if paths.count > OpenFiles.few { OpenFiles.allowMost() }
    for (place, path) in paths.all.enumerated() {
      let file = try TraceFile.open(path, keepsGoing: keepsGoing) {
        damaged.append((place, $0))
      }
      if let file { files.append(file) }
    }
  }
}

extension Arguments {
  /// The files that the operands name, those in the place of `@LIST` included.
  ///
  /// - Parameter words: How many operands before them are words.
  /// - Throws: ``ImportError`` if a list cannot be read or names no file; `UsageError` if standard input is there twice.
  func paths(behind words: Int = 0) throws -> PathList {
    let paths = try PathList(Array(operands.dropFirst(words)))
    // What operands name themselves was looked at before.
    if operands.contains(where: { $0.hasPrefix("@") }) { try refuseRepeatedInput(paths) }
    return paths
  }

  /// Opens traces, and tells what of them is not in its place.
  func traces(_ paths: PathList) throws -> [TraceFile] {
    let files = try GivenTraces(paths).files
    Console.tellOrder(of: files)
    return files
  }
}
