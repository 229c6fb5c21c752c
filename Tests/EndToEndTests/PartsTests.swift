import Foundation
import Testing
import WakeTestSupport

@Suite("Parts of a trace and the whole")
struct PartsTests {
  /// The cases in which several devices have inputs.
  private static let fleets = PackageFolder.cases.filter { folder in
    let devices = try? Set(lines(of: folder).map { $0["device"]?.string ?? "" })
    return (devices?.count ?? 0) > 1
  }

  /// The cases whose inputs are in the order of time, on each device.
  private static let sortedCases = PackageFolder.cases.filter { folder in
    let summary = try? JSONValue.parsing(
      String(contentsOfFile: folder + "/summary.json", encoding: .utf8))
    return summary?["lateInputs"]?.wholeNumber == 0
  }

  private static func lines(of folder: String) throws -> [JSONValue] {
    try JSONValue.parsingLines(String(contentsOfFile: folder + "/input.jsonl", encoding: .utf8))
  }

  /// Writes lines to a file for each key, imports them, and returns the traces in the order of the keys.
  private func traces(
    of folder: String, in shop: Workshop, key: (JSONValue) -> Int
  ) throws -> [String] {
    let text = try String(contentsOfFile: folder + "/input.jsonl", encoding: .utf8)
    var parts: [Int: String] = [:]
    for line in text.split(separator: "\n") {
      parts[key(try JSONValue.parsing(line)), default: ""] += line + "\n"
    }
    return try parts.sorted { $0.key < $1.key }.map { part in
      try shop.importing(part.value, as: "part\(part.key)")
      return "part\(part.key).wtrace"
    }
  }

  private func replay(
    _ traces: [String], _ folder: String, in shop: Workshop, _ options: String...
  ) throws -> JSONValue {
    let result = try RouseCommand.run(
      ["replay", "--policy", "\(folder)/policy.json", "--json"] + options + traces,
      folder: shop.path)
    #expect(result.status == .exited(0), "\(folder): \(result.errors)")
    return try result.json()
  }

  private func summary(of folder: String) throws -> JSONValue {
    try JSONValue.parsing(String(contentsOfFile: folder + "/summary.json", encoding: .utf8))
  }

  @Test(
    "results of single devices merge to the whole's",
    arguments: fleets)
  func merge(folder: String) throws {
    let shop = try Workshop()
    var devices: [String] = []
    let parts = try traces(of: folder, in: shop) { line in
      let device = line["device"]?.string ?? ""
      if let place = devices.firstIndex(of: device) { return place }
      devices.append(device)
      return devices.count - 1
    }
    #expect(parts.count > 1, "\(folder)")
    var results: [String] = []
    for part in parts {
      results.append("\(part).json")
      try shop.write(replay([part], folder, in: shop).text, to: "\(part).json")
    }
    let merged = try RouseCommand.run(["merge", "--json"] + results, folder: shop.path)
    #expect(merged.status == .exited(0), "\(folder): \(merged.errors)")
    let json = try merged.json()
    let expected = try summary(of: folder)
    #expect(json["summary"] == expected, "\(folder): \(json["summary"]?.text ?? "")")
    #expect(json["digest"] == expected["digest"], "\(folder)")
    #expect(json["devices"] == .integer(devices.count), "\(folder)")

    let report = try RouseCommand.run(["merge"] + results, folder: shop.path)
    let digest = expected["digest"]?.string ?? ""
    #expect(report.output.hasSuffix("Digest           \(digest)\n"), "\(folder)")

    // A result merged with nothing else is itself, but for speed.
    let whole = try replay(parts, folder, in: shop)
    #expect(whole["summary"] == expected, "\(folder): \(whole["summary"]?.text ?? "")")
    for key in ["apps", "wakesByCause", "savesPerWake", "staleness", "loss"] {
      #expect(json[key] == whole[key], "\(folder): \(key)")
    }
  }

  @Test(
    "streams of one device replay as their merge, as files and joined by cat",
    arguments: sortedCases)
  func overlap(folder: String) throws {
    let shop = try Workshop()
    var random = SplitMix64(seed: 42)
    // Inputs of one instant keep together, as streams do not tell which of them came first.
    var streams: [Int64: Int] = [:]
    let parts = try traces(of: folder, in: shop) { line in
      let time = line["t"]?.wholeNumber ?? 0
      let stream = streams[time] ?? random.below(2)
      streams[time] = stream
      return stream
    }
    let expected = try summary(of: folder)
    let joined = try shop.shell("cat part*.wtrace > joined.wtrace")
    #expect(joined.status == .exited(0))
    for (traces, threads) in [(parts, "1"), (parts, "2"), (["joined.wtrace"], "2")] {
      let json = try replay(traces, folder, in: shop, "--threads", threads)
      #expect(
        json["summary"] == expected,
        "\(folder) as \(traces), \(threads) threads: \(json["summary"]?.text ?? "")")
    }
    // What is exported of them all is in an order again.
    let exported = try RouseCommand.run(["export"] + parts, folder: shop.path)
    try shop.importing(exported.output, as: "again")
    #expect(try replay(["again.wtrace"], folder, in: shop)["summary"] == expected, "\(folder)")
  }
}
