import CSystem
import Glibc
import WakeEvents

/// What a program writes that decompresses a file: xz(1), zstd(1).
///
/// The program is started without a shell and reads the file itself, or a pipe from here. It ends with this object.
final class ProgramSource: ByteSource {
  private let file: PlainSource
  private let program: String
  private var process: pid_t
  private var output: Pipe
  private var errors: Pipe
  /// The program's standard input, if the file is fed to it.
  private var feed: Pipe?
  private var pending = [UInt8](repeating: 0, count: 64 << 10)
  private var waiting = 0..<0

  init(_ file: PlainSource, _ program: String, _ arguments: [String]) throws(TraceError) {
    self.file = file
    self.program = program
    guard let output = Pipe(), let errors = Pipe() else {
      throw .system("no pipe can be made for \(program)", file: file.name)
    }
    var feed: Pipe?
    if !file.isRegular {
      feed = Pipe()
      if feed == nil { throw .system("no pipe can be made for \(program)", file: file.name) }
    }
    let status: Int32
    (status, process) = SystemCalls.spawn(
      [program] + arguments,
      descriptors: [feed?.reader ?? file.descriptor, output.writer, errors.writer])
    if status == ENOENT {
      throw TraceError(
        .inputOutput, file.name,
        "is compressed by \(program), and the program \(program) that decompresses it is not "
          + "installed: install \(Self.package[program] ?? program)")
    }
    errno = status
    guard status == 0 else {
      throw .system("\(program), which decompresses it, cannot be started", file: file.name)
    }
    output.closeWriter()
    errors.closeWriter()
    feed?.closeReader()
    (self.output, self.errors, self.feed) = (output, errors, feed)
  }

  deinit {
    if process > 0 {
      kill(process, SIGKILL)
      _ = SystemCalls.wait(for: process)
    }
  }

  /// The packages that have the programs, as Debian and others name them.
  private static let package = ["xz": "xz-utils (or xz)"]

  var position: Int64 {
    // The program shares the descriptor's offset.
    file.isRegular ? Int64(lseek(file.descriptor, 0, SEEK_CUR)) : file.position
  }

  func read(into span: inout MutableSpan<UInt8>) throws(TraceError) -> Int {
    guard process > 0 else { return 0 }
    try feedUntilReadable()
    while true {
      let count = unsafe span.withUnsafeMutableBytes {
        unsafe Glibc.read(output.reader, $0.baseAddress, $0.count)
      }
      if count > 0 { return count }
      if count == 0 { break }
      if errno != EINTR { throw .system("cannot be read from \(program)", file: file.name) }
    }
    try end()
    return 0
  }

  /// Feeds the program as long as it has no output.
  private func feedUntilReadable() throws(TraceError) {
    while let feed {
      if waiting.isEmpty {
        waiting = 0..<(try file.read(into: &pending))
        if waiting.isEmpty { return endFeed() }
      }
      var entries = [
        pollfd(fd: output.reader, events: Int16(POLLIN), revents: 0),
        pollfd(fd: feed.writer, events: Int16(POLLOUT), revents: 0),
      ]
      guard unsafe poll(&entries, 2, -1) > 0 else {
        if errno == EINTR { continue }
        throw .system("cannot be read from \(program)", file: file.name)
      }
      if entries[0].revents != 0 { return }
      // A pipe that is writable takes a page without waiting (pipe(7)).
      let page = Array(pending[waiting].prefix(Int(PIPE_BUF)))
      let count = SystemCalls.write(page, count: page.count, to: feed.writer)
      waiting = waiting.dropFirst(count)
      // It has enough, or failed.
      if count < page.count { endFeed() }
    }
  }

  private func endFeed() { feed = nil }

  /// Waits for the program, which must have succeeded.
  private func end() throws(TraceError) {
    endFeed()
    var text = [UInt8](repeating: 0, count: 4_096)
    let count = SystemCalls.read(errors.reader, count: text.count, into: &text) ?? 0
    let status = SystemCalls.wait(for: process)
    process = -1
    guard status != 0 else { return }
    let said = String(decoding: text[..<count], as: UTF8.self)
      .split(whereSeparator: \.isNewline).last.map { line in
        ": " + line.split(separator: " ").joined(separator: " ").shown
      }
    let reason = status.map { $0 & 0x7F == 0 ? "failed" : "was ended by signal \($0 & 0x7F)" }
    throw TraceError(
      .damaged, file.name, "cannot be decompressed: \(program) \(reason ?? "failed")\(said ?? "")")
  }

  /// A pipe that no other program inherits.
  private final class Pipe {
    private(set) var reader: Int32
    private(set) var writer: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      guard unsafe system_open_pipe(&ends) == 0 else { return nil }
      reader = SystemCalls.behindStandard(ends[0])
      writer = SystemCalls.behindStandard(ends[1])
    }

    deinit {
      closeReader()
      closeWriter()
    }

    func closeReader() {
      if reader >= 0 { close(reader) }
      reader = -1
    }

    func closeWriter() {
      if writer >= 0 { close(writer) }
      writer = -1
    }
  }
}
