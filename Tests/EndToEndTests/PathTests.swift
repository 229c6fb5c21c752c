import Testing

@Suite("Paths that are given")
struct PathTests {
  @Test(
    "an empty one is a file that cannot be opened",
    arguments: ["replay ''", "replay in.wtrace ''", "index ''", "split '' --parts 2 -o parts"])
  func empty(arguments: String) throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3), as: "in")
    let result = try shop.shell("\"$ROUSE\" \(arguments)")
    #expect(result.status == .exited(1))
    #expect(result.errors.contains("cannot be opened"), "\(result.errors)")
  }

  @Test("one that is not UTF-8 is refused, as an argument and in a list")
  func notUTF8() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3), as: "in")
    // Octal, as every shell's printf knows it.
    let name = "\"$(printf 'o\\377.w')\""
    let output = try shop.shell("\"$ROUSE\" repack in.wtrace -o \(name)")
    #expect(output.status == .exited(64))
    #expect(
      output.errors.hasPrefix("rouse: argument 4, 'o\u{FFFD}.w', is not UTF-8"), "\(output.errors)")
    try shop.write([UInt8]("in.wtrace\n\no".utf8) + [0xFF, 0x0A], to: "list")
    let list = try shop.rouse("replay", "@list")
    #expect(list.status == .exited(1))
    #expect(list.errors == "rouse: list:3: is not UTF-8; rename the file that it names\n")
    #expect(shop.files == ["in.jsonl", "in.wtrace", "list"])
    // As of `find -print0`: the system would take the path up to the first NUL.
    try shop.write("in.wtrace\0in.wtrace\0", to: "list")
    let zeros = try shop.rouse("replay", "@list")
    #expect(zeros.status == .exited(1))
    #expect(
      zeros.errors == "rouse: list:1: has a NUL character; separate paths by line breaks\n")
  }

  @Test("control characters in one do not reach the terminal")
  func controlCharacters() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3), as: "in")
    let name = "\u{1B}[31m\nx"
    #expect(try shop.shell("cp in.wtrace \"$(printf '\\033[31m\\nx')\"").status == .exited(0))
    for command in [["verify"], ["info"], ["replay"], ["index"], ["repack", "-o", name + "2"]] {
      let result = try RouseCommand.run(
        [command[0], name] + command.dropFirst(), folder: shop.path)
      #expect(result.status == .exited(0))
      let text = result.output + result.errors
      #expect(!text.contains("\u{1B}") && text.contains("[31m"), "\(command): \(text)")
    }
  }

  @Test("blocks that are repeated or missing are told of, whoever reads them")
  func misplacedBlocks() throws {
    let shop = try Workshop()
    let trace = try shop.importing(Workshop.saves(30), as: "in")
    try shop.write(trace + trace, to: "twice.wtrace")
    let told = "rouse: the input has 1 block repeated or out of order"
    for command in [
      ["export"], ["query"], ["info"], ["optimum"], ["sweep", "-L", "carry", "due"],
      ["report", "-o", "page.html"], ["repack", "--by-device", "-o", "one.wtrace"],
      ["split", "--parts", "2", "-o", "parts"], ["index"],
    ] {
      let arguments = [command[0], "twice.wtrace"] + command.dropFirst()
      let result = try RouseCommand.run(arguments, folder: shop.path)
      #expect(result.errors.contains(told), "\(command): \(result.errors)")
    }
    for traces in [["twice.wtrace"], ["in.wtrace", "in.wtrace"]] {
      let replayed = try RouseCommand.run(["replay"] + traces, folder: shop.path)
      #expect(replayed.output.contains("1 block repeated or out of order"), "\(replayed.output)")
    }
    #expect(try !shop.rouse("replay", "in.wtrace").output.contains("Lost"))
  }
}
