/// A whole number in 32 bits, so that a state takes fewer cache lines. None here comes near 2^31.
@propertyWrapper
struct Narrow {
  private var number: Int32

  @inline(__always)
  init(wrappedValue: Int) { number = Int32(truncatingIfNeeded: wrappedValue) }

  @inline(__always)
  var wrappedValue: Int {
    get { Int(number) }
    set { number = Int32(truncatingIfNeeded: newValue) }
  }
}
