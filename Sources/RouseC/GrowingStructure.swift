import CRouse

/// A structure of rouse.h that begins with its size and may grow at its end, where 0 is the default.
protocol GrowingStructure {
  /// Its size in the first version of rouse.h, which old programs pass.
  static var firstSize: Int { get }

  var size: Int { get }

  init()
}

extension rouse_options_t: GrowingStructure {
  static var firstSize: Int { 72 }
}

extension rouse_event_t: GrowingStructure {
  static var firstSize: Int { 152 }
}

extension GrowingStructure {
  /// The structure that a program passes, with 0 in fields that the program does not know; nil if its size is invalid
  /// or it sets fields that are unknown here.
  static func given(_ pointer: UnsafePointer<Self>) -> Self? {
    let (size, known) = (unsafe pointer.pointee.size, MemoryLayout<Self>.size)
    guard (firstSize...65_536).contains(size) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: pointer, count: size)
    guard unsafe bytes.dropFirst(known).allSatisfy({ $0 == 0 }) else { return nil }
    var given = Self()
    unsafe withUnsafeMutableBytes(of: &given) { unsafe $0.copyBytes(from: bytes.prefix(known)) }
    return given
  }
}
