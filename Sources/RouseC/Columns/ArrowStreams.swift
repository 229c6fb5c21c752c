import CRouse
import Glibc
import WakeReplay

/// The rows of a table as a stream goes on. One thread at a time uses it.
@safe
final class TableStream {
  typealias Next = () throws -> TableBatch?

  let fields: [TableField]
  private let next: Next
  private var error: UnsafeMutablePointer<CChar>?

  init(_ fields: [TableField], next: @escaping Next) {
    self.fields = fields
    self.next = next
  }

  deinit { unsafe free(error) }

  /// The message of the last failure; null if there was none.
  var message: UnsafePointer<CChar>? { unsafe UnsafePointer(error) }

  /// Fills in the next array; at the end one that is released.
  func fill(_ array: UnsafeMutablePointer<ArrowArray>) -> Int32 {
    do {
      guard let batch = try next() else {
        unsafe array.pointee = ArrowArray()
        return 0
      }
      unsafe ArrowArray.export(batch, to: array)
      return 0
    } catch {
      unsafe free(self.error)
      unsafe self.error = strdup("\(error)")
      return EIO
    }
  }

  /// Fills in a stream, which its receiver releases.
  func export(to stream: UnsafeMutablePointer<ArrowArrayStream>) {
    unsafe stream.pointee = ArrowArrayStream()
    unsafe stream.pointee.get_schema = { stream, schema in
      guard let state = unsafe TableStream.of(stream), let schema = unsafe schema else {
        return EINVAL
      }
      unsafe ArrowSchema.export(state.fields, to: schema)
      return 0
    }
    unsafe stream.pointee.get_next = { stream, array in
      guard let state = unsafe TableStream.of(stream), let array = unsafe array else {
        return EINVAL
      }
      return withoutCancellation { unsafe state.fill(array) }
    }
    unsafe stream.pointee.get_last_error = { stream in unsafe TableStream.of(stream)?.message }
    unsafe stream.pointee.release = { stream in
      guard let stream = unsafe stream, let state = unsafe stream.pointee.private_data else {
        return
      }
      withoutCancellation { unsafe Unmanaged<TableStream>.fromOpaque(state).release() }
      unsafe stream.pointee.private_data = nil
      unsafe stream.pointee.release = nil
    }
    unsafe stream.pointee.private_data = Unmanaged.passRetained(self).toOpaque()
  }

  private static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> TableStream? {
    guard let state = unsafe stream?.pointee.private_data else { return nil }
    return unsafe Unmanaged<TableStream>.fromOpaque(state).takeUnretainedValue()
  }
}
