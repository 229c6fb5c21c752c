import Glibc

extension SystemCalls {
  /// When this process started, in the kernel's ticks since boot; 0 if the kernel does not say.
  package static var processStart: UInt64 {
    let descriptor = open("/proc/self/stat", O_RDONLY)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    guard let count = read(descriptor, count: bytes.count, into: &bytes),
      // The second field, in parentheses, may hold anything.
      let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")"))
    else { return 0 }
    let fields = bytes[min(end + 2, count)..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 19 else { return 0 }
    return UInt64(String(decoding: fields[19], as: UTF8.self)) ?? 0
  }
}
