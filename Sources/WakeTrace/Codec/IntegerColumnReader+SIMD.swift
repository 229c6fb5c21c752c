import CKernels
import Kernels

// Kernels decode many rows of a column at once, on processor paths that can.
extension IntegerColumnReader {
  /// What each half of a byte stands for, as kernels look it up.
  struct SIMDLookup {
    fileprivate var bases = InlineArray<16, Int32>(repeating: 0)
    fileprivate var bits = InlineArray<16, UInt8>(repeating: 0)

    init() {}

    /// - Precondition: There are 16 entries or more. Those that symbols name have values within 32 bits; what
    ///   comes of the others, left over from columns before, is never used.
    init(_ entries: [Entry]) {
      for half in bases.indices {
        bases[half] = Int32(truncatingIfNeeded: entries[half].base)
        bits[half] = UInt8(truncatingIfNeeded: entries[half].bits)
      }
    }
  }

  var usesSIMD: Bool { layout == .simd }

  /// Returns the result of `body`, which gets the column for kernels; false if the column has no bounds.
  ///
  /// - Precondition: ``usesSIMD``; `payload` is what was read from, and ``IntegerColumn/padding`` bytes
  ///   longer.
  @inline(__always)
  func withSIMDColumn(_ payload: [UInt8], _ body: (UnsafePointer<kernels_column>) -> Bool) -> Bool {
    unsafe lookup.bases.span.withUnsafeBufferPointer { bases in
      unsafe lookup.bits.span.withUnsafeBufferPointer { bits in
        unsafe payload.withUnsafeBufferPointer { payload in
          // Kernels take columns whose values have bounds of 32 bits.
          guard let payload = payload.baseAddress, let bounds else { return false }
          let column = unsafe kernels_column(
            bases: bases.baseAddress, bits: bits.baseAddress,
            symbols: payload + symbols.lowerBound, mantissas: payload + mantissas.lowerBound,
            end: 8 * mantissas.count, lowest: Int32(truncatingIfNeeded: bounds.lowerBound),
            highest: Int32(truncatingIfNeeded: bounds.upperBound))
          return unsafe withUnsafePointer(to: column) { unsafe body($0) }
        }
      }
    }
  }
}

extension ProcessorPath {
  var expandsColumns: Bool { kernels_expands_columns(kernelsPath) }
}
