// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The compiler checks the function against rouse_columns.h, whose name this is.

import CRouse

/// What `PyCapsule_GetPointer` is, for the destructor, which gets nothing but the capsule.
private enum Capsules {
  typealias PointerOf =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> UnsafeMutableRawPointer?

  /// Python's lock guards it.
  nonisolated(unsafe) static var pointerOf: PointerOf?

  static var name: UnsafePointer<CChar> {
    unsafe CodeTexts.pointer(to: "arrow_array_stream")
  }

  /// It may run while an exception of Python is on its way, so it calls nothing of Python but that function, which leaves
  /// exceptions alone.
  static func destroy(_ capsule: UnsafeMutableRawPointer?) {
    guard let pointer = unsafe pointerOf?(capsule, name) else { return }
    let stream = unsafe pointer.assumingMemoryBound(to: ArrowArrayStream.self)
    unsafe stream.pointee.release?(stream)
    unsafe stream.deallocate()
  }
}

@c @implementation
public func rouse_table_capsule(
  _ table: OpaquePointer?,
  _ make: (
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?,
      (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    ) -> UnsafeMutableRawPointer?
  )?,
  _ pointer_of: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> UnsafeMutableRawPointer?
  )?
) -> UnsafeMutableRawPointer? {
  guard let make = unsafe make, let pointer_of = unsafe pointer_of else {
    _ = fail(ROUSE_INVALID_ARGUMENT, "a function is null")
    return nil
  }
  let stream = UnsafeMutablePointer<ArrowArrayStream>.allocate(capacity: 1)
  guard unsafe rouse_table_stream(table, stream) == 0 else {
    unsafe stream.deallocate()
    return nil
  }
  unsafe Capsules.pointerOf = pointer_of
  guard let capsule = unsafe make(stream, Capsules.name, { unsafe Capsules.destroy($0) }) else {
    unsafe stream.pointee.release(stream)
    unsafe stream.deallocate()
    return nil
  }
  return unsafe capsule
}
