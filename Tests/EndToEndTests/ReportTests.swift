import Foundation
import Testing
import WakeTestSupport

@Suite("report")
struct ReportTests {
  @Test("writes one page with the figures of the replay")
  func page() throws {
    let shop = try Workshop()
    let trace = PackageFolder.root.path() + "/Traces/three-strikes.wtrace"
    let made = try shop.rouse("report", trace, "-o", "page.html")
    #expect(made.status == .exited(0) && made.output == "", "\(made.errors)")
    #expect(made.errors.contains("page.html: 33 wakes of 1 device, 1 in the timeline"))
    let page = String(decoding: try shop.read("page.html"), as: UTF8.self)
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    #expect(page.utf8.count < 150_000, "\(page.utf8.count) bytes")
    // It asks for nothing.
    for word in ["http:", "https:", "src=", "@import", "url("] {
      #expect(!page.contains(word), "\(word)")
    }
    let replay = try RouseCommand.run(["replay", trace, "--json", "--waits", "/dev/null"]).json()
    #expect(page.contains("<code>\(replay["digest"]?.string ?? "")</code>"))
    for section in ["timeline", "waiting", "bounds", "apps", "types", "days"] {
      #expect(page.contains("<section id=\"\(section)\">"), "\(section)")
    }
    for app in replay["apps"]?.elements ?? [] {
      let counts = [
        "wakes", "completed", "expired", "aborted", "open", "saves", "pendingAtEnd",
        "stoppedOnDevices",
      ].map { "<td>\(grouped(app[$0]?.wholeNumber ?? -1))</td>" }
      let row = "<tr><th scope=\"row\">\(app["app"]?.string ?? "")</th>" + counts.joined()
      // Not the whole page in a failure's message.
      let isThere = page.contains(row)
      #expect(isThere, "\(row)")
    }
    let waits = replay["waiting"]?["all"]?["waited"]?["count"]?.wholeNumber ?? -1
    #expect(page.contains("<p>\(waits) waits, ") && page.contains("<b>stopped</b> held longest"))
    #expect(page.contains("<tr><th scope=\"row\">2026-01-02</th><td>3</td><td>0</td><td>3</td>"))
    let printed = try RouseCommand.run(["report", trace, "-o", "-"])
    #expect(printed.outputBytes == Array(page.utf8))
  }

  private func grouped(_ number: Int64) -> String {
    number < 1_000 ? "\(number)" : "\(number / 1_000)," + String(number % 1_000 + 1_000).dropFirst()
  }

  @Test("says what was replayed: the policy, its subscriptions, who answers, and what to know")
  func replayed() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(10), as: "in")
    let bare = try shop.rouse("report", "in.wtrace", "-o", "page.html")
    #expect(bare.errors.contains("rouse: no app has a subscription"), "\(bare.errors)")
    var page = String(decoding: try shop.read("page.html"), as: UTF8.self)
    #expect(page.contains("<p class=\"notice\">no app has a subscription, so nothing is woken"))
    #expect(
      page.contains("Policy ios · subscriptions as in the inputs · answers as in the inputs"))

    let policy = """
      {"preset":"watchos","maxStrikes":5,"behaviour":{"completesAfter":2},
       "subscriptions":[{"app":"com.example.a","type":"HKQuantityTypeIdentifierStepCount",
                         "frequency":"immediate"},
                        {"app":"com.example.a","type":"X","frequency":"daily"}]}
      """
    try shop.write(policy, to: "<p>.json")
    for (path, words) in [("<p>.json", "&lt;p&gt;.json"), ("/dev/stdin", "from a pipe")] {
      let made = try shop.shell(
        "$ROUSE report in.wtrace -o page.html --policy '\(path)'", stdin: Array(policy.utf8))
      #expect(made.status == .exited(0), "\(made.errors)")
      page = String(decoding: try shop.read("page.html"), as: UTF8.self)
      for part in [
        "Policy \(words) over watchos · 2 subscriptions of its own · wakes answered after 2 s",
        ">StepCount</span></th><td>com.example.a</td><td>immediate</td><td>hourly</td>",
        "X</th><td>com.example.a</td><td>daily</td><td>daily</td>",
        "maxStrikes</th><td>5</td><td>3</td>",
        "<p class=\"notice\">the policy subscribes com.example.a to &#39;X&#39;, which no",
      ] {
        let isThere = page.contains(part)
        #expect(isThere, "\(path): \(part)")
      }
    }
  }

  @Test("keeps names that are markup from being it")
  func hostileNames() throws {
    let shop = try Workshop()
    let name = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&\\\"'"
    let text = JSONValue.string(name).text
    let lines = [
      #"{"t":0,"device":\#(text),"k":"enable","app":\#(text),"type":\#(text),"frequency":"immediate"}"#,
      #"{"t":5000000000,"device":\#(text),"k":"save","type":\#(text),"source":\#(text)}"#,
      #"{"t":6000000000,"device":\#(text),"k":"push","app":\#(text),"id":\#(text)}"#,
      #"{"t":90000000000,"device":\#(text),"k":"lock"}"#,
    ]
    try shop.importing(lines.map { $0 + "\n" }.joined(), as: "<b>&")
    let made = try shop.rouse("report", "<b>&.wtrace", "-o", "page.html")
    #expect(made.status == .exited(0), "\(made.errors)")
    let page = String(decoding: try shop.read("page.html"), as: UTF8.self)
    #expect(!page.contains("<script>alert") && !page.contains("<img") && !page.contains("<b>&."))
    #expect(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"))
    // The heads, the columns of a device, and the program.
    #expect(page.components(separatedBy: "<script").count - 1 == 3)
    #expect(page.components(separatedBy: "</script").count - 1 == 3)
  }

  @Test("tells of a device that is not there, and is not written over its trace or without a name")
  func mistakes() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(10), as: "in")
    let stranger = try shop.rouse("report", "in.wtrace", "-o", "page.html", "--device", "ipod")
    #expect(stranger.status == .exited(0))
    #expect(stranger.errors.contains("rouse: no input has the device 'ipod'"), "\(stranger.errors)")
    let same = try shop.rouse("report", "in.wtrace", "-o", "in.wtrace")
    #expect(
      same.status == .exited(64) && same.errors.contains("is an input and cannot be the output"))
    let nowhere = try shop.rouse("report", "in.wtrace")
    #expect(
      nowhere.status == .exited(64) && nowhere.errors.hasPrefix("rouse: --output is required"))
  }
}
