/// A whole number, not negative, in 32 bits, so that a state takes fewer cache lines. None here comes near 2^32.
@propertyWrapper
struct Narrow {
  private var number: UInt32

  @inline(__always)
  init(wrappedValue: Int) { number = UInt32(truncatingIfNeeded: wrappedValue) }

  @inline(__always)
  var wrappedValue: Int {
    get { Int(number) }
    set { number = UInt32(truncatingIfNeeded: newValue) }
  }
}
