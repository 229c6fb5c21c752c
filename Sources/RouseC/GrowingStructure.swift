import CRouse

/// A structure of rouse.h that says its size first and may grow at its end, where 0 is as before.
protocol GrowingStructure {
  /// Its size in the first version of rouse.h, which never changes: programs that were compiled with that
  /// give so much.
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
  /// The structure that a program gives, with 0 for what it does not know; nil if it is none, or says more
  /// than is known here.
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
