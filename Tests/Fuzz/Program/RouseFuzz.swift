import FuzzTargets
import Glibc

// The two functions that libFuzzer calls. `rouse-fuzz --target=NAME …` takes libFuzzer's options, which ignores those
// with two hyphens.

/// Set before the first input, and then only read.
private nonisolated(unsafe) var target = FuzzTarget.block

@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafePointer<CInt>,
  _ arguments: UnsafePointer<UnsafePointer<UnsafePointer<CChar>?>>
) -> CInt {
  let option = "--target="
  let names = unsafe (0..<Int(count.pointee)).compactMap { place -> String? in
    let text = unsafe arguments.pointee[place].map { unsafe String(cString: $0) } ?? ""
    return text.hasPrefix(option) ? String(text.dropFirst(option.count)) : nil
  }
  guard let chosen = names.last.flatMap(FuzzTarget.init(rawValue:)) else {
    print("rouse-fuzz: --target=NAME is missing; NAME is one of:")
    for target in FuzzTarget.allCases { print(target.rawValue) }
    exit(2)
  }
  unsafe target = chosen
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
