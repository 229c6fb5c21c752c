import CRouse
import WakeReplay

extension ArrowArray {
  /// Fills in the array of a batch's rows.
  static func export(_ batch: TableBatch, to array: UnsafeMutablePointer<ArrowArray>) {
    let rows = ColumnArray(count: batch.rows, buffers: [nil], children: batch.columns)
    unsafe export(rows, to: array)
  }

  /// Fills in an array that retains the column, whose memory it shares.
  private static func export(_ column: ColumnArray, to array: UnsafeMutablePointer<ArrowArray>) {
    unsafe array.pointee = ArrowArray()
    unsafe array.pointee.length = Int64(column.count)
    unsafe array.pointee.null_count = Int64(column.nulls)
    let buffers = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(
      capacity: column.buffers.count)
    for (place, buffer) in column.buffers.enumerated() {
      unsafe buffers[place] = UnsafeRawPointer(buffer?.start)
    }
    unsafe array.pointee.n_buffers = Int64(column.buffers.count)
    unsafe array.pointee.buffers = buffers
    if !column.children.isEmpty {
      let pointers = UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>.allocate(
        capacity: column.children.count)
      for (place, child) in column.children.enumerated() {
        let pointer = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
        unsafe export(child, to: pointer)
        unsafe pointers[place] = pointer
      }
      unsafe array.pointee.n_children = Int64(column.children.count)
      unsafe array.pointee.children = pointers
    }
    if let names = column.names {
      let pointer = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
      unsafe export(names, to: pointer)
      unsafe array.pointee.dictionary = pointer
    }
    unsafe array.pointee.private_data = Unmanaged.passRetained(column).toOpaque()
    unsafe array.pointee.release = { array in unsafe ArrowArray.release(array) }
  }

  /// Frees what an array has, and its children and dictionary, unless they were moved away.
  private static func release(_ array: UnsafeMutablePointer<ArrowArray>?) {
    guard let array = unsafe array else { return }
    for place in 0..<Int(unsafe array.pointee.n_children) {
      guard let child = unsafe array.pointee.children[place] else { continue }
      unsafe child.pointee.release?(child)
      unsafe child.deallocate()
    }
    unsafe array.pointee.children?.deallocate()
    if let names = unsafe array.pointee.dictionary {
      unsafe names.pointee.release?(names)
      unsafe names.deallocate()
    }
    unsafe array.pointee.buffers?.deallocate()
    if let column = unsafe array.pointee.private_data {
      unsafe Unmanaged<ColumnArray>.fromOpaque(column).release()
    }
    unsafe array.pointee.release = nil
  }
}
