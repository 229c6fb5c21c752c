import Foundation
import Testing
import WakeTestSupport

@Suite("record: JSON Lines as they come")
struct RecordTests {
  private let shop: Workshop

  init() throws {
    shop = try Workshop()
  }

  /// Waits until something has happened, and not for ever.
  private func wait(for what: String, _ condition: () throws -> Bool) throws {
    let deadline = Date(timeIntervalSinceNow: 30)
    while try !condition() {
      try #require(Date() < deadline, "\(what) did not happen")
      usleep(2_000)
    }
  }

  private func start(_ arguments: String...) throws -> RunningCommand {
    try RouseCommand.start(["record"] + arguments, folder: shop.path)
  }

  /// The lines of a trace, which must be whole.
  private func lines(
    of trace: String, at place: SourceLocation = #_sourceLocation
  ) throws -> String {
    let verified = try shop.rouse("verify", trace)
    #expect(verified.status == .exited(0), "\(verified.output)", sourceLocation: place)
    return try shop.rouse("export", trace).output
  }

  private func length(_ name: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: shop.path + "/" + name)[.size] as? Int) ?? 0
  }

  @Test("standard input and files, to a new trace and to one that is there")
  func standardInput() throws {
    let saves = Workshop.saves(1_000)
    let first = try shop.rouse("record", "-o", "out.wtrace", stdin: Array(saves.utf8))
    #expect(first.status == .exited(0) && first.output == "")
    let line = try #require(first.errors.split(separator: "\n").first)
    #expect(line.hasPrefix("rouse: out.wtrace: 1000 events in 1 block, "), "\(first.errors)")
    #expect(line.hasSuffix("; 0 errors") && !first.errors.contains("\r"), "\(first.errors)")
    #expect(try lines(of: "out.wtrace") == saves)

    let more = Workshop.saves(10, from: 1_000)
    try shop.write(more, to: "more.jsonl")
    let second = try shop.rouse("record", "more.jsonl", "-o", "out.wtrace")
    #expect(second.status == .exited(0), "\(second.errors)")
    #expect(try lines(of: "out.wtrace") == saves + more)
    // Devices in any interleaving.
    let mixed = (0..<200).map { Workshop.saves(1, device: "d\($0 % 7)", from: $0) }.joined()
    let third = try shop.rouse("record", "-o", "-", stdin: Array(mixed.utf8))
    try shop.write(third.outputBytes, to: "piped")
    try shop.importing(mixed, as: "imported")
    #expect(try lines(of: "piped") == lines(of: "imported.wtrace"))
  }

  @Test("a wrong line ends it; with --keep-going it is told and counted")
  func wrongLine() throws {
    let saves = Workshop.saves(5)
    let input = saves + "{\"t\":1}\n" + Workshop.saves(5, from: 5) + "{\"t\""
    let stopped = try shop.rouse("record", "-o", "out.wtrace", stdin: Array(input.utf8))
    #expect(stopped.status == .exited(1))
    #expect(stopped.errors.hasPrefix("rouse: standard input:6: field \"k\": is missing\n"))
    #expect(stopped.errors.hasSuffix("; 1 error\n"), "\(stopped.errors)")
    #expect(try lines(of: "out.wtrace") == saves)

    let kept = try shop.rouse(
      "record", "--keep-going", "-o", "kept.wtrace", stdin: Array(input.utf8))
    #expect(kept.status == .exited(1))
    #expect(kept.errors.contains("rouse: standard input:6: field \"k\": is missing\n"))
    #expect(kept.errors.contains("rouse: standard input:12: invalid JSON"), "\(kept.errors)")
    #expect(kept.errors.hasSuffix("; 2 errors\n"), "\(kept.errors)")
    #expect(try lines(of: "kept.wtrace") == saves + Workshop.saves(5, from: 5))

    let flood = String(repeating: "x\n", count: 1_000)
    let flooded = try shop.rouse(
      "record", "--keep-going", "-o", "flood.wtrace", stdin: Array(flood.utf8))
    #expect(flooded.errors.split(separator: "\n").count == 102)
    #expect(flooded.errors.contains("rouse: 900 more lines were wrong\n"))
    #expect(flooded.errors.hasSuffix("flood.wtrace: nothing was recorded; 1000 errors\n"))
    #expect(!shop.files.contains("flood.wtrace"))
  }

  @Test("the clock's time, where a line has none")
  func now() throws {
    let before = Int64(Date().timeIntervalSince1970)
    let input = "{\"k\":\"lock\"}\n{\"t\":7,\"k\":\"unlock\"}\n"
    let result = try shop.rouse("record", "--now", "-o", "out.wtrace", stdin: Array(input.utf8))
    #expect(result.status == .exited(0), "\(result.errors)")
    let read = try lines(of: "out.wtrace").split(separator: "\n")
    #expect(read.last == "{\"t\":7,\"k\":\"unlock\"}")
    let time = try JSONValue.parsing(String(try #require(read.first)))["t"]?.wholeNumber ?? 0
    #expect((before...before + 120).contains(time / 1_000_000_000))
  }

  @Test("a FIFO, whose writer comes late, and an interrupt: all that was sent, and status 0")
  func interrupt() throws {
    #expect(try shop.shell("mkfifo lines").status == .exited(0))
    for number in [SIGINT, SIGTERM] {
      let trace = "\(number).wtrace"
      let command = try start("lines", "-o", trace)
      // Opening waits for the command.
      let writer = try FileHandle(forWritingTo: URL(filePath: shop.path + "/lines"))
      let saves = Workshop.saves(2_000)
      try writer.write(contentsOf: Data((saves + "{\"t\":0,").utf8))
      command.signal(number)
      let result = try command.wait()
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(
        result.errors.hasPrefix(
          "rouse: lines:2001: the line had no end yet, and is left out\nrouse: \(trace): 2000 events"
        ), "\(result.errors)")
      #expect(try lines(of: trace) == saves)
      try writer.close()
    }
    // The end of the last writer is the end.
    let command = try start("lines", "-o", "ended.wtrace")
    let writer = try FileHandle(forWritingTo: URL(filePath: shop.path + "/lines"))
    try writer.write(contentsOf: Data(Workshop.saves(3).utf8))
    try writer.close()
    #expect(try command.wait().status == .exited(0))
    #expect(try lines(of: "ended.wtrace") == Workshop.saves(3))
  }

  @Test("before any input: an interrupt ends it, and leaves nothing")
  func nothing() throws {
    let command = try start("--socket", "s", "-o", "out.wtrace")
    try wait(for: "the socket") { SocketClient(shop.path + "/s") != nil }
    command.signal(SIGTERM)
    let result = try command.wait()
    #expect(result.status == .exited(0))
    #expect(result.errors == "rouse: out.wtrace: nothing was recorded of 0 clients; 0 errors\n")
    #expect(shop.files.isEmpty)
  }

  @Test("kill -9: what was written is whole, and the beginning of what was sent")
  func killed() throws {
    #expect(try shop.shell("mkfifo lines").status == .exited(0))
    let command = try start("lines", "-o", "out.wtrace", "--flush", "0.01")
    let writer = try FileHandle(forWritingTo: URL(filePath: shop.path + "/lines"))
    var sent = ""
    var second = 0
    func send() throws {
      let saves = Workshop.saves(100, from: second)
      try writer.write(contentsOf: Data(saves.utf8))
      sent += saves
      second += 100
    }
    try send()
    try wait(for: "a block") { length("out.wtrace") > 0 }
    let early = length("out.wtrace")
    try wait(for: "another block") {
      try send()
      return length("out.wtrace") > early
    }
    command.signal(SIGKILL)
    #expect(try command.wait().status == .signalled(SIGKILL))
    try writer.close()
    let recovered = try shop.rouse("recover", "out.wtrace", "-o", "clean.wtrace")
    #expect(recovered.status == .exited(0), "\(recovered.errors)")
    let read = try lines(of: "clean.wtrace")
    #expect(read.split(separator: "\n").count >= 200 && sent.hasPrefix(read))
    // It can be gone on with.
    let after = try shop.rouse("record", "-o", "out.wtrace", stdin: Array(Workshop.saves(1).utf8))
    #expect(after.status == .exited(0), "\(after.errors)")
    #expect(try lines(of: "out.wtrace").split(separator: "\n").count > 200)
  }

  @Test("a socket whose listener accepts nobody is not waited for")
  func fullSocket() throws {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    try #require(
      unsafe SocketClient.call(bind, listener, shop.path + "/s") && listen(listener, 0) == 0)
    // Waits to be accepted, for which there is room for one.
    let client = try #require(SocketClient(shop.path + "/s"))
    defer { client.close() }
    let result = try shop.rouse("record", "--socket", "s", "-o", "out.wtrace")
    #expect(result.status == .exited(1))
    #expect(result.errors == "rouse: s: is a socket that another process listens on\n")
  }

  @Test("several clients at once, one with a torn line, one with a wrong one")
  func clients() throws {
    let command = try start("--socket", "s", "-o", "out.wtrace")
    let path = shop.path + "/s"
    try wait(for: "the socket") { SocketClient(path) != nil }
    let clients = try (0..<4).map { _ in try #require(SocketClient(path)) }
    let saves = (0..<4).map { Workshop.saves(500, device: "d\($0)") }
    for round in 0..<5 {
      for (client, lines) in zip(clients, saves) {
        let part = lines.split(separator: "\n")[round * 100..<round * 100 + 100]
        client.send(part.joined(separator: "\n") + "\n")
      }
    }
    clients[1].send("{\"t\":1,")
    clients[1].close()
    clients[2].send("{\"t\":1,\"k\":\"lack\"}\n")
    clients[0].close()
    try wait(for: "the message of both") {
      command.errorsSoFar.split(separator: "\n").count >= 2
    }
    // The others go on.
    clients[3].send(Workshop.saves(1, device: "d3", from: 500))
    let second = try shop.rouse("record", "--socket", "s", "-o", "other.wtrace")
    #expect(second.status == .exited(1))
    #expect(second.errors == "rouse: s: is a socket that another process listens on\n")
    command.signal(SIGINT)
    let result = try command.wait()
    #expect(result.status == .exited(1))
    let told = result.errors.split(separator: "\n")
    // The first client only looked whether somebody listens.
    #expect(told.contains { $0.hasPrefix("rouse: client 3:501: invalid JSON") }, "\(told)")
    #expect(
      told.contains { $0.hasPrefix("rouse: client 4:501: field \"k\": \"lack\" is not one of ") })
    #expect(
      told.last?.hasPrefix("rouse: out.wtrace: 2001 events in ") == true
        && told.last?.hasSuffix(" of 4 clients; 2 errors") == true, "\(told)")
    for (device, lines) in saves.enumerated() {
      let more = device == 3 ? Workshop.saves(1, device: "d3", from: 500) : ""
      let queried = try shop.rouse("query", "out.wtrace", "--device", "d\(device)")
      #expect(queried.output == lines + more, "device \(device)")
    }
    #expect(try shop.rouse("verify", "out.wtrace").status == .exited(0))
    #expect(shop.files == ["out.wtrace"], "the socket is gone")
  }

  @Test("60 clients with unfinished lines: all are accepted, and memory is bounded")
  func unfinishedLines() throws {
    let command = try start("--socket", "s", "-o", "out.wtrace")
    let path = shop.path + "/s"
    try wait(for: "the socket") { SocketClient(path) != nil }
    let line = "{\"t\":1,\"k\":\"save\",\"x\":\"" + String(repeating: "x", count: 5 << 20)
    let clients = try (0..<60).map { _ in try #require(SocketClient(path)) }
    // All at once: one that is refused has sent more by then, which is not read.
    for client in clients { Thread { client.send(line) }.start() }
    try wait(for: "clients that are refused") {
      command.errorsSoFar.contains("the unfinished lines of all inputs take more than 64 MiB")
    }
    // One that finishes its line is not held up.
    let last = try #require(SocketClient(path))
    last.send(Workshop.saves(3))
    let resident = command.peakBytes
    #expect(resident < 300 << 20, "\(resident >> 20) MiB were taken")
    #expect(!command.errorsSoFar.contains("cannot be read"), "\(command.errorsSoFar)")
    command.signal(SIGINT)
    #expect(try command.wait().status == .exited(1))
    #expect(try lines(of: "out.wtrace") == Workshop.saves(3))
  }

  @Test(
    "clients of other users are refused, unless --all-users is given",
    .enabled(if: geteuid() == 0 && OtherPrograms.has("setpriv"), "needs root and setpriv"),
    arguments: [[], ["--all-users"]])
  func otherUsers(options: [String]) throws {
    #expect(unsafe chmod(shop.path, 0o755) == 0)
    let command = try RouseCommand.start(
      ["record", "--socket", "s", "-o", "out.wtrace"] + options, folder: shop.path)
    try wait(for: "the socket") { SocketClient(shop.path + "/s") != nil }
    // The mode of the socket keeps others out; who changes it is still asked for who they are.
    #expect(unsafe chmod(shop.path + "/s", 0o666) == 0)
    try shop.write(Workshop.saves(3), to: "in")
    let client = try shop.shell(
      "setpriv --reuid=65534 --regid=65534 --clear-groups /usr/bin/python3 -c 'import socket, sys; "
        + "s = socket.socket(socket.AF_UNIX); s.connect(\"s\"); s.sendall(sys.stdin.buffer.read())' < in"
    )
    if options.isEmpty {
      try wait(for: "the refusal") {
        command.errorsSoFar.contains("clients of user 65534 are refused")
      }
    } else {
      #expect(client.status == .exited(0), "\(client.errors)")
    }
    command.signal(SIGINT)
    #expect(try command.wait().status == .exited(0))
    let isThere = shop.files.contains("out.wtrace")
    #expect(isThere == !options.isEmpty)
    if isThere { #expect(try lines(of: "out.wtrace") == Workshop.saves(3)) }
  }

  @Test("a socket that a killed process left is replaced; anything else is not")
  func staleSocket() throws {
    let first = try start("--socket", "s", "-o", "out.wtrace")
    try wait(for: "the socket") { SocketClient(shop.path + "/s") != nil }
    first.signal(SIGKILL)
    _ = try first.wait()
    #expect(shop.files.contains("s"))
    let second = try start("--socket", "s", "-o", "out.wtrace")
    var client: SocketClient?
    try wait(for: "the socket") {
      client = SocketClient(shop.path + "/s")
      return client != nil
    }
    client?.send(Workshop.saves(3))
    second.signal(SIGINT)
    #expect(try second.wait().status == .exited(0))
    #expect(try lines(of: "out.wtrace") == Workshop.saves(3))

    try shop.write("text", to: "file")
    let refused = try shop.rouse("record", "--socket", "file", "-o", "no.wtrace")
    #expect(refused.status == .exited(1))
    #expect(refused.errors == "rouse: file: is there already, and is no socket\n")
    let long = String(repeating: "s", count: 200)
    let tooLong = try shop.rouse("record", "--socket", long, "-o", "no.wtrace")
    #expect(tooLong.errors == "rouse: \(long): a socket's path has from 1 to 107 bytes\n")
    #expect(shop.files == ["file", "out.wtrace"])
  }

  @Test(
    "files of a folder, each whole; together all that was sent",
    arguments: [("--bytes-per-file", "1000"), ("--seconds-per-file", "0.000001")])
  func rotation(option: String, value: String) throws {
    let saves = Workshop.saves(70_000)
    let result = try shop.rouse(
      "record", "-o", "traces/", option, value, "--flush", "1000", stdin: Array(saves.utf8))
    #expect(result.status == .exited(0), "\(result.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: shop.path + "/traces").sorted()
    #expect(files.count == 2, "\(files)")
    #expect(result.errors.contains(" in 2 files"), "\(result.errors)")
    #expect(try files.map { try lines(of: "traces/\($0)") }.joined() == saves)
  }

  @Test("what cannot be read or written is one line")
  func failures() throws {
    try shop.write("text", to: "text")
    #expect(try shop.shell("printf text | gzip > gz").status == .exited(0))
    let saves = Array(Workshop.saves(3).utf8)
    for (arguments, message) in [
      (["missing", "-o", "out"], "missing: cannot be opened: No such file or directory"),
      (["-o", "no/out"], "\(shop.path)/no/out: cannot be written: No such file or directory"),
      (["-o", "text"], "\(shop.path)/text: is no trace, so no trace can be added to it"),
      (["-o", "gz"], "\(shop.path)/gz: is no trace, so no trace can be added to it"),
      (["--attach", "no", "-o", "out"], "no: cannot be read: No such file or directory"),
    ] {
      let result = try RouseCommand.run(["record"] + arguments, stdin: saves, folder: shop.path)
      #expect(result.status == .exited(1), "\(arguments)")
      #expect(result.errors == "rouse: \(message)\n", "\(arguments)")
    }
    let full = try shop.rouse("record", "-o", "/dev/full", stdin: saves)
    #expect(full.status == .exited(1))
    #expect(
      full.errors == """
        rouse: 0 of 3 events were written
        rouse: /dev/full: cannot be written: No space left on device\n
        """)
    #expect(shop.files.sorted() == ["gz", "text"])

    let command = try start("--socket", "s", "-o", "out.wtrace")
    try wait(for: "the socket") { SocketClient(shop.path + "/s") != nil }
    let second = try shop.rouse("record", "-o", "out.wtrace", stdin: saves)
    #expect(
      second.errors == "rouse: \(shop.path)/out.wtrace: is being written by another recorder\n")
    command.signal(SIGINT)
    #expect(try command.wait().status == .exited(0))
  }
}
