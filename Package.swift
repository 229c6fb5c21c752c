// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Rouse",
  products: [
    .library(name: "WakeEvents", targets: ["WakeEvents"]),
    .library(name: "WakeScheduling", targets: ["WakeScheduling"]),
    .library(name: "WakeTrace", targets: ["WakeTrace"]),
    .library(name: "WakeRecorder", targets: ["WakeRecorder"]),
    .library(name: "WakeImport", targets: ["WakeImport"]),
    .library(name: "Measurement", targets: ["Measurement"]),
    .library(name: "WakeReplay", targets: ["WakeReplay"]),
    .executable(name: "rouse", targets: ["rouse"]),
    // `Sources/RouseC/Install/install` gives them their names, librouse.so and librouse.a: "rouse" is the command.
    .library(name: "rouse-c", type: .dynamic, targets: ["RouseC"]),
    .library(name: "rouse-rules", type: .dynamic, targets: ["RulesScheduler"]),
    .library(name: "rouse-c-static", type: .static, targets: ["RouseC"]),
  ],
  traits: [
    .trait(
      name: "LibDeflate", description: "Read and write traces with libdeflate instead of zlib.")
  ],
  targets: [
    .systemLibrary(name: "CZlib", providers: [.apt(["libz-dev"])]),
    .systemLibrary(
      name: "CLibdeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .target(name: "CSystem"),
    .target(name: "CKernels"),
    .target(name: "Kernels", dependencies: ["CKernels"]),
    .target(name: "WakeEvents"),
    .target(name: "WakeScheduling", dependencies: ["WakeEvents", "CKernels", "Kernels"]),
    .target(
      name: "WakeTrace",
      dependencies: [
        "WakeEvents", "CKernels", "Kernels", "CSystem", "CZlib",
        .target(name: "CLibdeflate", condition: .when(traits: ["LibDeflate"])),
      ]),
    .target(name: "WakeRecorder", dependencies: ["WakeEvents", "WakeTrace", "CSystem"]),
    .target(name: "WakeJSON", dependencies: ["WakeEvents"]),
    .target(
      name: "WakeImport",
      dependencies: ["WakeEvents", "WakeScheduling", "WakeTrace", "WakeRecorder", "WakeJSON"]),
    .target(name: "PageDrawing"),
    .target(name: "CEmbedded"),
    .target(name: "CProbes"),
    .target(name: "Measurement", dependencies: ["CProbes"]),
    .target(
      name: "WakeReplay",
      dependencies: [
        "CEmbedded", "CProbes", "PageDrawing", "WakeEvents", "WakeScheduling", "WakeTrace",
        "WakeJSON", "Measurement",
      ],
      exclude: ["Report/Page"]),
    .target(
      name: "WakeSweeping",
      dependencies: [
        "CEmbedded", "PageDrawing", "WakeEvents", "WakeScheduling", "WakeTrace", "WakeJSON",
        "Measurement", "WakeReplay",
      ],
      exclude: ["Page"]),
    .target(name: "CRouse"),
    .target(
      name: "WakeCases",
      dependencies: ["CEmbedded", "WakeEvents", "WakeScheduling", "WakeImport"],
      exclude: ["cases.txt"]),
    .target(
      name: "WakeHosting",
      dependencies: [
        "CRouse", "CSystem", "CKernels", "CProbes", "Kernels", "WakeEvents", "WakeScheduling",
        "WakeTrace", "WakeImport", "WakeJSON", "WakeReplay", "WakeCases",
      ]),
    .target(
      name: "RouseC",
      dependencies: [
        "CRouse", "WakeTrace", "WakeRecorder", "WakeImport", "WakeEvents", "WakeJSON",
        "WakeScheduling", "WakeReplay",
      ],
      exclude: ["Install"]),
    .target(
      name: "CommandLineSupport", dependencies: ["Kernels", "WakeEvents", "WakeScheduling"]),
    .executableTarget(
      name: "rouse",
      dependencies: [
        "CommandLineSupport", "WakeEvents", "WakeScheduling", "WakeTrace", "WakeRecorder",
        "WakeImport", "WakeJSON", "Measurement", "WakeReplay", "WakeHosting", "WakeSweeping",
      ]),

    .target(name: "PlainLoop", path: "Benchmarks/PlainLoop"),
    .executableTarget(
      name: "rouse-limits",
      dependencies: [
        "AllocationHooks", "BenchmarkModel", "CZlib", "PlainLoop", "WakeEvents", "WakeScheduling",
        "WakeTrace", "WakeImport", "Measurement", "WakeReplay",
      ],
      path: "Benchmarks/Limits"),

    .target(
      name: "BenchmarkModel", dependencies: ["Measurement", "PageDrawing", "WakeJSON"],
      path: "Benchmarks/Model"),
    .target(name: "RegionHooks", path: "Benchmarks/RegionHooks"),
    .executableTarget(
      name: "rouse-bench",
      dependencies: [
        "AllocationHooks", "RegionHooks", "BenchmarkModel", "CommandLineSupport", "WakeEvents",
        "WakeScheduling", "WakeTrace", "WakeRecorder", "WakeImport", "Measurement", "WakeReplay",
        "WakeCases", "WakeHosting", "CZlib",
        .target(name: "CLibdeflate", condition: .when(traits: ["LibDeflate"])),
      ],
      path: "Benchmarks/Harness"),

    .target(name: "AllocationHooks", path: "Tests/AllocationHooks"),
    .target(
      name: "WakeTestSupport",
      dependencies: [
        "Kernels", "WakeEvents", "WakeScheduling", "WakeTrace", "WakeCases", "AllocationHooks",
      ],
      path: "Tests/WakeTestSupport"),
    .target(
      name: "KernelStandIn", dependencies: ["CKernels"], path: "Tests/KernelStandIn",
      cSettings: [.headerSearchPath("intrinsics")]),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Kernels", "WakeEvents", "WakeJSON", "WakeScheduling", "WakeTrace", "WakeRecorder",
        "WakeImport", "WakeReplay", "WakeSweeping",
      ],
      path: "Tests/Fuzz/Targets"),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Tests"),
    .testTarget(
      name: "CKernelsTests",
      dependencies: ["CKernels", "Kernels", "KernelStandIn", "WakeTestSupport"]
    ),
    .testTarget(name: "WakeEventsTests", dependencies: ["WakeEvents"]),
    .testTarget(name: "WakeJSONTests", dependencies: ["WakeEvents", "WakeJSON"]),
    .testTarget(
      name: "WakeSchedulingTests",
      dependencies: [
        "WakeScheduling", "WakeEvents", "WakeImport", "CKernels", "Kernels", "WakeTestSupport",
      ],
      exclude: ["Cases"]),
    .executableTarget(
      name: "RecordingVictim",
      dependencies: ["WakeRecorder", "WakeTrace", "WakeEvents", "WakeTestSupport"],
      path: "Tests/RecordingVictim"),
    .testTarget(
      name: "WakeTraceTests",
      dependencies: ["WakeTrace", "WakeEvents", "CKernels", "Kernels", "WakeTestSupport"],
      exclude: ["Resources"]),
    .testTarget(
      name: "WakeRecorderTests",
      dependencies: [
        "WakeRecorder", "WakeTrace", "WakeEvents", "WakeTestSupport", "RecordingVictim",
      ]),
    .executableTarget(
      name: "RecordingComponent", dependencies: ["WakeRecorder", "WakeTrace", "WakeEvents"],
      path: "Tests/RouseCTests/Examples/Swift"),
    .testTarget(
      name: "RouseCTests",
      dependencies: [
        "WakeRecorder", "WakeTrace", "WakeEvents", "WakeTestSupport", "RecordingComponent", "rouse",
      ],
      exclude: ["Resources", "Examples"]),
    .testTarget(
      name: "WakeImportTests",
      dependencies: ["WakeImport", "WakeTrace", "WakeEvents", "WakeTestSupport"],
      exclude: ["Resources"]),
    .testTarget(
      name: "MeasurementTests", dependencies: ["Measurement", "BenchmarkModel", "WakeTestSupport"]),
    .testTarget(
      name: "BenchmarkModelTests",
      dependencies: ["BenchmarkModel", "Measurement", "WakeTestSupport"]),
    .testTarget(
      name: "WakeReplayTests",
      dependencies: ["WakeReplay", "WakeTrace", "WakeImport", "WakeTestSupport"]),
    .target(
      name: "RulesScheduler", dependencies: ["CRouse", "WakeEvents", "WakeScheduling"],
      path: "Tests/Schedulers/Rules"),
    .testTarget(
      name: "WakeHostingTests",
      dependencies: [
        "CRouse", "RulesScheduler", "WakeHosting", "WakeCases", "WakeEvents", "WakeReplay",
        "WakeScheduling", "WakeTrace", "WakeTestSupport",
      ]),
    .testTarget(
      name: "WakeSweepingTests",
      dependencies: [
        "WakeSweeping", "WakeReplay", "WakeScheduling", "WakeTrace", "WakeImport", "WakeEvents",
        "WakeTestSupport",
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "rouse", "rouse-bench", "CommandLineSupport", "Kernels", "WakeImport", "WakeRecorder",
        "WakeReplay", "WakeTrace",
        "WakeTestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// `.ci/run` sets this to the test targets that are wanted, separated by commas, where it builds for a few of them.
if let wanted = Context.environment["ROUSE_TESTS"]?.split(separator: ",") {
  package.targets.removeAll { target in
    target.type == .test && !wanted.contains { $0 == target.name }
  }
}

// `.ci/check-fuzz` sets this. The program has no main function: libFuzzer brings one with `--sanitize=fuzzer`.
if Context.environment["ROUSE_FUZZER"] != nil {
  package.targets.append(
    .executableTarget(name: "rouse-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Program")
  )
}

// SwiftPM may refuse unsafe flags in packages that others depend on. It checks those out into a folder of this name.
let isDependency = Context.packageDirectory.contains("/checkouts/")

// What the tests spend their time in: unoptimised, they take three times as long.
let optimizedForTests: Set = [
  "Kernels", "WakeEvents", "WakeScheduling", "WakeTrace", "WakeRecorder", "WakeJSON", "WakeImport",
  "WakeReplay", "WakeCases", "Measurement", "BenchmarkModel", "WakeTestSupport",
]

precondition(
  optimizedForTests.isSubset(of: package.targets.map(\.name)),
  "optimizedForTests has a name that no target has")

// Without frame pointers the scheduler can use one more register, and wakes take up to 5 % less time; the decoder would gain
// nothing. `perf` then needs `--call-graph=dwarf` to find who called it (page Profiling). ROUSE_FRAME_POINTERS=1 keeps them.
let withoutFramePointers: Set =
  Context.environment["ROUSE_FRAME_POINTERS"] == nil ? ["WakeScheduling"] : []

precondition(
  withoutFramePointers.isSubset(of: package.targets.map(\.name)),
  "withoutFramePointers has a name that no target has")

// One loop gives every Swift target the same settings, so that no layer is laxer than another.
for target in package.targets where target.type != .system {
  var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
  ]
  // CI sets this: there, a warning is an error.
  if Context.environment["ROUSE_WARNINGS_AS_ERRORS"] != nil {
    settings.append(.treatAllWarnings(as: .error))
  }
  // Unsafe buffers still check their bounds. ROUSE_UNOPTIMIZED=1 makes a build for a debugger.
  if optimizedForTests.contains(target.name), !isDependency,
    Context.environment["ROUSE_UNOPTIMIZED"] == nil
  {
    var flags = ["-O", "-assert-config", "Debug"]
    // Optimised file by file, each file would take in much of its module, and a clean build would take half as long again.
    // More than one thread: then there is an object for each file, as SwiftPM expects.
    // Not WakeScheduling: of it as a whole, with `-assert-config Debug`, the compiler (6.3.1) crashes.
    if target.name != "WakeScheduling" {
      flags += ["-whole-module-optimization", "-num-threads", "2"]
    }
    settings.append(.unsafeFlags(flags, .when(configuration: .debug)))
  }
  if withoutFramePointers.contains(target.name), !isDependency {
    // An option of Clang's own, as SwiftPM asks for frame pointers after these flags.
    settings.append(
      .unsafeFlags(
        ["-Xcc", "-Xclang", "-Xcc", "-mframe-pointer=none"], .when(configuration: .release)))
  }
  target.swiftSettings = settings
}
