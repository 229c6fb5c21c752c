import CommandLineSupport
import Measurement
import WakeEvents
import WakeTrace

enum SplitCommand: Command {
  static let specification = Specification(
    name: "split",
    summary: "Write traces as several, all events of a device into one of them.",
    operands: "TRACE… --parts N -o FOLDER",
    operandCount: 1...(.max),
    discussion: """
      For traces in which many devices are interleaved, so that each block has some events of all of
      them. Part I has the devices of 'rouse replay --shard I/N', and the events of each device together,
      as by 'rouse repack --by-device'. The results of all parts merge to that of the whole. A part
      without devices is not written. A folder with parts of another split, which would be replayed with
      these, is refused. A damaged trace is refused; use 'rouse recover' first.

      The traces are read once for each part. The parts get their names when all of them are written:
      damage or a full disk leaves earlier ones as they were. Until then each part is an open file. TRACE
      may be @LIST, a file with the path of a trace in each line.
      """,
    options: [
      .init("--output", short: "-o", value: "FOLDER", "Where to write part-1.wtrace and so on."),
      .init("--parts", value: "N", "The number of parts."),
      .init("--level", value: "N", "zlib's level, 0 to 9 (default 6)."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let folder = try arguments.required("--output")
    guard let count = try arguments.number("--parts", in: 1...100_000) else {
      throw arguments.usage("--parts is required")
    }
    let level = try arguments.level(default: 6)
    let paths = try arguments.paths()
    let names = PartNames(folder, "part-", count)
    for number in 1...count {
      try Console.refuse(names.path(number), over: paths.inputs)
    }
    let files = try GivenTraces(paths).files
    let isPrivate = files.contains(where: \.isPrivate)
    OpenFiles.allowMost()
    guard OpenFiles.has(room: count) else {
      throw arguments.usage(
        "--parts: \(count) parts are as many open files, and the system allows fewer (ulimit -Hn); "
          + "split the traces, and then their parts")
    }
    try names.makeFolder()
    var (parts, missing, misplaced) = ([FileOutput](), 0, 0)
    for number in 1...count {
      let shard = DeviceShard(number: number, count: count)
      let output = try FileOutput(path: names.path(number), isPrivate: isPrivate)
      let result = try TraceRegrouper(to: output, level: level).regroup(files, of: shard)
      missing += result.missingBlocks
      misplaced += result.misplacedBlocks
      guard result.written.events > 0 else {
        try names.refusePart(at: number)
        continue
      }
      parts.append(output)
    }
    for (place, part) in parts.enumerated() {
      do throws(TraceError) {
        try part.commit()
      } catch {
        if place > 0 {
          Console.message("\(folder.shown): of the parts, \(place) are new and others are not")
        }
        throw error
      }
    }
    if let text = StreamOrder.inWords(missing: missing, misplaced: misplaced) {
      Console.message("\(text); the parts do not show it")
    }
    Console.message("\(folder.shown): \(Quantity.counted(parts.count, "trace"))")
    return .success
  }
}

/// The names of several traces in a folder, padded so that they sort as their numbers.
struct PartNames {
  private let folder: String
  private let prefix: String
  private let count: Int

  init(_ folder: String, _ prefix: String, _ count: Int) {
    self.folder = folder
    self.prefix = prefix
    self.count = count
  }

  func path(_ number: Int) -> String { "\(folder)/\(name(number))" }

  private func name(_ number: Int) -> String {
    let digits = String(number)
    let padding = String(repeating: "0", count: String(count).utf8.count - digits.utf8.count)
    return "\(prefix)\(padding)\(digits).wtrace"
  }

  /// Makes the folder. Traces in it that have such names, but are none of these, are refused: who replays the folder would
  /// replay them, too.
  func makeFolder() throws(TraceError) {
    guard SystemCalls.makeFolder(folder) else {
      throw TraceError(.inputOutput, folder, "cannot be made, or is no folder")
    }
    guard let names = SystemCalls.files(in: folder) else {
      throw TraceError.system("cannot be listed", file: folder)
    }
    let own = Set((1...count).map(name))
    for name in names.sorted() where !own.contains(name) && isPart(name) { try refuse(name) }
  }

  /// Refuses a file in the place of a part that is not written.
  func refusePart(at number: Int) throws(TraceError) {
    if SystemCalls.status(ofEntry: path(number)) != nil { try refuse(name(number)) }
  }

  private func refuse(_ name: String) throws(TraceError) {
    throw TraceError(
      .inputOutput, "\(folder)/\(name)",
      "is not one of the \(count) parts that are written: remove it, or name another folder")
  }

  private func isPart(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(".wtrace") else { return false }
    return name.dropFirst(prefix.count).dropLast(7).utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
