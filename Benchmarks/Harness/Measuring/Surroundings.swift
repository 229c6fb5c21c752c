import BenchmarkModel
import Foundation
import Measurement

/// Describes the machine and the build, for every result.
enum Surroundings {
  /// This machine in its current state.
  static func machine() -> MachineDescription {
    var names = utsname()
    // Fails for an invalid pointer only.
    _ = unsafe uname(&names)
    let information = ProcessInfo.processInfo
    var machine = MachineDescription(
      system: "\(text(of: names.sysname)) \(text(of: names.release))",
      architecture: text(of: names.machine), processors: information.activeProcessorCount)
    let processor = contents("/proc/cpuinfo")
    machine.processor = processor.split(separator: "\n")
      .first { $0.hasPrefix("model name") }?
      .split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespaces)
    machine.memoryBytes = information.physicalMemory
    if processor.contains(" hypervisor") { machine.virtualization = "hypervisor" }
    machine.loadAverage = contents("/proc/loadavg").split(separator: " ").first.flatMap {
      Double($0)
    }
    machine.clockNanoseconds = MonotonicClock.cost()
    return machine
  }

  /// The running build.
  static func build(label: String) -> BuildDescription {
    #if DEBUG
      let configuration = "debug"
    #else
      let configuration = "release"
    #endif
    #if compiler(>=6.4)
      let compiler = "Swift 6.4 or later"
    #elseif compiler(>=6.3)
      let compiler = "Swift 6.3"
    #else
      let compiler = "Swift 6.2"
    #endif
    return BuildDescription(
      label: label, configuration: configuration, compiler: compiler,
      compression: Compression.name)
  }

  /// The current time, ISO 8601 in UTC.
  static func timeNow() -> String {
    Date.now.formatted(.iso8601)
  }

  private static func contents(_ path: String) -> String {
    // Files of the kernel report no length, so they are read to their end.
    guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else {
      return ""
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// The text in a field of `utsname`, an array of characters that Swift sees as a tuple.
  private static func text<Field>(of field: Field) -> String {
    unsafe withUnsafeBytes(of: field) { bytes in
      let characters = unsafe bytes.prefix { $0 != 0 }
      return unsafe String(decoding: characters, as: UTF8.self)
    }
  }
}
