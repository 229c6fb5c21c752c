import CommandLineSupport
import Testing
import WakeTestSupport

@Suite("Names that one may have been meant to be")
struct NearestNamesTests {
  @Test(
    "are those with few letters changed, or that hold it, the nearest first",
    arguments: [
      ("T00", ["T0", "T1", "X"], ["T0"]),
      ("com.example.haert", ["com.example.run", "com.example.heart"], ["com.example.heart"]),
      (
        "heart", ["com.example.heart", "hear", "heard", "sleep"],
        ["com.example.heart", "hear", "heard"]
      ),
      ("HEART", ["heart"], ["heart"]),
      ("naive", ["native", "naïve", "sleep"], ["native", "naïve"]),
      // What they begin and end with alike counts for nothing.
      (
        "HKQuantityTypeIdentifierHaertRate",
        ["HKQuantityTypeIdentifierStepCount", "HKQuantityTypeIdentifierHeartRate"],
        ["HKQuantityTypeIdentifierHeartRate"]
      ),
      // Three letters may be wrong, and not four, wherever they are.
      ("HKQuantityTypeIdentifierStepCount", ["HKQuantityTypeIdentifierStepCrew"], []),
      (
        "HKQuantityTypeIdentifierStepCount", ["HKQuantityTypeIdentifierStopCrunt"],
        ["HKQuantityTypeIdentifierStopCrunt"]
      ),
      // One accent is two scalars, the other one.
      ("cafe\u{301}", ["caf\u{E9}", "sleep"], ["caf\u{E9}"]),
      // Of two letters those that are held count as changed.
      ("ab", ["xxabxx"], []), ("abc", ["xxabcxx"], ["xxabcxx"]),
      // One letter of two may be wrong, but not both.
      ("ab", ["ac", "cd"], ["ac"]),
      // Three at most, in the order of their letters where they are equally near.
      ("t0", ["T4", "T3", "T2", "T1"], ["T1", "T2", "T3"]),
    ])
  func near(name: String, names: [String], expected: [String]) {
    #expect(NearestNames.of(name, among: names) == expected)
  }

  @Test("differ by as many letters as a plain table of all beginnings says")
  func distances() {
    func plain(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
      var table = (0...one.count).map { row in
        (0...other.count).map { row == 0 ? $0 : $0 == 0 ? row : 0 }
      }
      for row in one.indices {
        for column in other.indices {
          table[row + 1][column + 1] = min(
            table[row][column] + (one[row] == other[column] ? 0 : 1), table[row][column + 1] + 1,
            table[row + 1][column] + 1)
        }
      }
      return table[one.count][other.count]
    }
    var random = SplitMix64(seed: 1)
    for _ in 0..<3_000 {
      let (one, other) = (Self.word(&random), Self.word(&random))
      let (most, expected) = (random.below(5), plain(one, other))
      let shown = "\(one), \(other), \(most)"
      #expect(
        NearestNames.distance(one, other, atMost: most) == (expected <= most ? expected : nil),
        "\(shown)")
    }
  }

  /// A word of two letters.
  private static func word(_ random: inout SplitMix64) -> [Unicode.Scalar] {
    (0..<random.below(9)).map { _ in random.chance(2) ? "a" : "b" }
  }

  @Test("are none for long names, of which a file may have thousands")
  func long() {
    let most = String(repeating: "ab", count: NearestNames.mostBytes / 2)
    let rotated = "b" + most.dropLast()
    #expect(NearestNames.of(most, among: [most + "a", rotated]) == [rotated])
    #expect(NearestNames.of(most + "a", among: [most]) == [])
    let long = String(repeating: "ab", count: 32_000)
    #expect(NearestNames.of(long, among: Array(repeating: "b" + long, count: 1_000)) == [])
    #expect(NearestNames.of(most, among: Array(repeating: "b" + long, count: 1_000)) == [])
  }

  @Test("are none if none is near, and never the empty name")
  func none() {
    #expect(NearestNames.of("watch", among: ["phone", "pad", ""]) == [])
    #expect(NearestNames.of("", among: ["a", "", "abc"]) == [])
    #expect(NearestNames.of("a", among: [""]) == [])
  }

  @Test("are told with three of those that there are where none is near, and steer no terminal")
  func hints() throws {
    let shop = try Workshop()
    let names = ["kitchen", "garage", "\\u001b[2Jcellar", "attic"]
    try shop.importing(
      names.map { Workshop.saves(1, device: $0) }.joined() + Workshop.saves(1, device: ""), as: "in"
    )
    let far = try shop.rouse("replay", "in.wtrace", "--device", "watch")
    let told = far.errors.split(separator: "\n").first ?? ""
    #expect(
      told
        == #"rouse: no input has the device 'watch'; there are: '\u{1b}[2Jcellar', 'attic', 'garage' …"#
    )
    let near = try shop.rouse("replay", "in.wtrace", "--device", "\u{1B}[2Jcelar")
    #expect(
      near.errors.hasPrefix(
        #"rouse: no input has the device '\u{1b}[2Jcelar'; the nearest: '\u{1b}[2Jcellar'"#),
      "\(near.errors)")
    for arguments in [
      ["\u{1B}[2J"], ["replay", "--\u{1B}[2J"], ["replay", "in.wtrace", "--threads", "\u{202E}1"],
      ["explain", "in.wtrace", "--app", "\u{1B}[2J"], ["verify", "\u{1B}[2J"],
      ["query", "in.wtrace", "--type", "\u{9B}2J"], ["policy", "show", "\u{1B}[2J"],
    ] {
      let result = try RouseCommand.run(arguments, folder: shop.path)
      let steering: Set<Unicode.Scalar> = ["\u{1B}", "\u{9B}", "\u{202E}"]
      #expect(!result.errors.isEmpty, "\(arguments)")
      #expect(!result.errors.unicodeScalars.contains(where: steering.contains), "\(arguments)")
    }
  }
}
