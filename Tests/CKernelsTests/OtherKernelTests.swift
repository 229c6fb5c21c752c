import CKernels
import Testing
import WakeTestSupport

@testable import Kernels

/// CRC and hashes against loops over bits and fields.
@Suite("Kernels of checksums, hashes and scans")
struct OtherKernelTests {
  /// The register of CRC-32 after a byte, bit by bit (RFC 1952, 8).
  private static func next(_ register: UInt32, _ byte: UInt8) -> UInt32 {
    (0..<8).reduce(register ^ UInt32(byte)) { register, _ in
      register & 1 > 0 ? register >> 1 ^ 0xEDB8_8320 : register >> 1
    }
  }

  /// As zlib computes it, after `previous`.
  private static func plainCRC(
    _ previous: UInt, _ bytes: UnsafePointer<UInt8>?, _ length: UInt32
  ) -> UInt {
    let bytes = unsafe UnsafeBufferPointer(start: bytes, count: Int(length))
    return unsafe UInt(~bytes.reduce(~UInt32(previous), next))
  }

  @Test("compute CRC-32 and leave few bytes over", arguments: Implementation.all)
  func crc(implementation: Implementation) {
    #if arch(arm64)
      // A processor of the path neon may have no instructions for CRC-32.
      let leavesFew = implementation.isStandIn && implementation.path > 0
    #else
      let leavesFew = implementation.path > 0
    #endif
    // A wrong one for more bytes than the path may leave over.
    let plain: kernels_plain_crc =
      leavesFew
      ? { unsafe $2 < 64 ? OtherKernelTests.plainCRC($0, $1, $2) : 0 }
      : { unsafe $2 < KERNELS_CRC_PLAIN ? OtherKernelTests.plainCRC($0, $1, $2) : 0 }
    // About the lengths where a kernel begins and where its pieces end.
    let lengths = [
      0, 255, 256, 1_023, 4_099, 8_035, 8_036, 8_037, 12_209, 12_210, 12_211, 20_465, 65_536,
    ]
    for length in Array(0...200) + lengths {
      var random = SplitMix64(seed: UInt64(length))
      let value = random.pick([nil, nil, 0, 0xFF as UInt8])
      let bytes = (0..<length).map { _ in value ?? UInt8(random.below(256)) }
      let previous = random.pick([0, .max, UInt32(truncatingIfNeeded: random.next())])
      let found = unsafe implementation.crc(previous, bytes, plain)
      #expect(found == ~bytes.reduce(~previous, Self.next), "\(length) bytes")
    }
  }

  /// The hash of a wake, field by field (page Rules, 7).
  private static func hash(_ wake: [UInt64]) -> UInt64 {
    wake.dropFirst().reduce(wake[0]) { hash, field in
      var mixed = hash ^ field
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
  }

  private static func wake(using random: inout SplitMix64) -> [UInt64] {
    (0..<Int(KERNELS_WAKE_FIELDS)).map { _ in
      random.pick([random.next(), UInt64(random.below(100)), 0, .max])
    }
  }

  @Test("add up the hashes of wakes", arguments: Implementation.all)
  func hashes(implementation: Implementation) {
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let wakes = (0..<Int(KERNELS_WAKES)).map { _ in Self.wake(using: &random) }
      for count in 0...wakes.count {
        let expected = wakes.prefix(count).reduce(0) { $0 &+ Self.hash($1) }
        #expect(
          implementation.sumWakeHashes(Array(wakes.joined()), count) == expected, "\(count) wakes")
      }
    }
  }

  @Test("add up the hashes of a cohort", arguments: Implementation.all)
  func cohorts(implementation: Implementation) {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let count = Int(seed % (UInt64(KERNELS_COHORTS) + 1))
      var (cohorts, expected): ([UInt64], UInt64) = ([], 0)
      for _ in 0..<count {
        var wake = Self.wake(using: &random)
        let apps = (0..<Int(KERNELS_WAKE_LANES)).map { _ in random.pick([random.next(), 0, .max]) }
        cohorts += wake + apps
        for app in apps {
          wake[Int(KERNELS_WAKE_APP)] = app
          expected &+= Self.hash(wake)
          wake[Int(KERNELS_WAKE_NUMBER)] &+= 1
        }
      }
      let found = implementation.sumCohortHashes(cohorts, count)
      #expect(found == expected, "seed \(seed)")
    }
  }

  @Test(
    "tell whether rows are in order, and what their kinds and types have in common",
    arguments: Implementation.all)
  func rowBounds(implementation: Implementation) {
    for count in [1, 2, 3, 7, 8, 9, 63, 64, 65, 1_024] {
      var random = SplitMix64(seed: UInt64(count))
      let times = (0..<count).map { _ in Int64(random.below(1_000)) }.sorted()
      let kinds = (0..<count).map { _ in UInt8(random.below(2)) }
      let types = (0..<count).map { _ in UInt32(random.below(1_000)) }
      // Times in order, then with one before its predecessor, at each row.
      for late in 0..<count {
        var times = times
        if late > 0 { times[late] = times[late - 1] - 1 }
        let found = implementation.boundRows(times, kinds, types)
        #expect(found.is_ordered == (late == 0), "\(count) rows, row \(late) is late")
        #expect(found.kinds == kinds.reduce(0, |), "\(count) rows")
        #expect(found.types == types.reduce(0, |), "\(count) rows")
      }
    }
  }

  @Test("count rows by type up to one of a marked type", arguments: Implementation.all)
  func typeCounts(implementation: Implementation) {
    // Long enough for counters of four bits, of eight and of 16 to overflow.
    for count in Array(0...70) + [255, 1_000, 2_015, 2_016, 2_031, 2_032, 2_033, 10_000, 70_000] {
      var random = SplitMix64(seed: UInt64(count))
      let typeCount = random.pick([1, 7, 8, 9, 16, 17, 24, 25, 31, Int(KERNELS_COUNTED_TYPES)])
      // All of one type, of few, or of many that nobody subscribes to.
      let typeEnd = random.pick([1, typeCount, typeCount + 1, 200, 1 << 30])
      let first = random.below(typeEnd)
      let marked = random.below(typeCount)
      for row in [nil, 0, 1, 17, count - 1] where row ?? 0 < count {
        var types = (0..<count).map { _ in UInt32(typeEnd == 1 ? first : random.below(typeEnd)) }
        types = types.map { $0 == marked ? $0 + UInt32(typeCount) : $0 }
        if let row, row >= 0 { types[row] = UInt32(marked) }
        let before = (0..<typeCount).map {
          let counted = UInt32(truncatingIfNeeded: random.next())
          return kernels_type_count(
            counted: (counted, 1), attention: $0 == marked ? 5 : 0, observed: counted &+ 1)
        }
        var counts = before
        let counted = implementation.countTypes(types, &counts)
        let shown = "\(count) rows of \(typeCount) types, row \(row.map(String.init) ?? "none")"
        let all = types.firstIndex(of: UInt32(marked)) ?? count
        let fits = implementation.countsTypes ? all - 15...all : 0...0
        #expect(fits.contains(counted), "\(shown): \(counted)")
        var expected = before.map(\.counted.0)
        for type in types.prefix(counted) where type < typeCount { expected[Int(type)] &+= 1 }
        #expect(counts.map(\.counted.0) == expected, "\(shown)")
        #expect(counts.allSatisfy { $0.counted.1 == 1 }, "\(shown)")
        #expect(counts.map(\.observed) == before.map(\.observed), "\(shown)")
      }
    }
  }
}

@Suite("Kernels that find rows")
struct FoundRowsKernelTests {
  @Test("give the bit of each row whose type is in the set", arguments: Implementation.all)
  func rows(implementation: Implementation) {
    var random = SplitMix64(seed: 7)
    for count in 0...Int(KERNELS_FOUND_ROWS) {
      for end in [1, 40, 256, 300, 1 << 32] {
        let types = (0..<count).map { _ in UInt32(random.below(end)) }
        let density = random.pick([1, 2, 8])
        let set = (0..<Int(KERNELS_TYPE_SET_WORDS)).map { _ in
          (0..<density).reduce(UInt32.max) { bits, _ in
            bits & UInt32(truncatingIfNeeded: random.next())
          }
        }
        let found = implementation.findRows(types, of: set)
        for (row, type) in types.enumerated() {
          let place = Int(type % 256)
          let isIn = set[place / 32] >> UInt32(place % 32) & 1
          #expect(found >> UInt64(row) & 1 == UInt64(isIn), "row \(row) of \(count), type \(type)")
        }
        #expect(count == 64 || found >> UInt64(count) == 0, "behind \(count) rows")
      }
    }
  }
}

@Suite("Processor paths")
struct ProcessorPathTests {
  @Test("portable is always available, a path only with those before it, and no other number")
  func available() {
    let available = ProcessorPath.all.map { kernels_is_available($0.kernelsPath) }
    #expect(available.first == true)
    #expect(zip(available, available.dropFirst()).allSatisfy { $0 || !$1 })
    #expect(!kernels_is_available(kernels_path_count()) && !kernels_is_available(.max))
    #expect(ProcessorPath.portable.description == "portable")
    #expect(Set(ProcessorPath.all.map(\.description)).count == ProcessorPath.all.count)
  }

  @Test("a name chooses a path, or is refused with the names there are")
  func names() throws {
    #expect(try ProcessorPath.requested(by: nil) == nil)
    for path in ProcessorPath.available {
      #expect(try ProcessorPath.requested(by: path.description) == path)
    }
    let error = #expect(throws: ProcessorPathError.self) {
      try ProcessorPath.requested(by: "quantum")
    }
    #expect(
      error?.description.hasPrefix("ROUSE_CPU=quantum: no such processor path; choose portable")
        == true)
  }
}
