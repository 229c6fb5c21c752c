import CRouse
import Glibc
import WakeReplay

extension TableField {
  /// Arrow's word for the type of the values; that of places for names.
  fileprivate var format: StaticString {
    switch values {
    case .wholeNumbers: "l"
    case .numbers: "g"
    case .booleans: "b"
    case .times: "tsn:UTC"
    case .texts: "u"
    case .names: "i"
    case .nameLists, .textLists: "+l"
    }
  }

  fileprivate var children: [TableField] {
    switch values {
    case .nameLists: [TableField("item", .names)]
    case .textLists: [TableField("item", .texts)]
    case .wholeNumbers, .numbers, .booleans, .times, .texts, .names: []
    }
  }

  /// Fills in a schema, which its receiver releases.
  fileprivate func export(to schema: UnsafeMutablePointer<ArrowSchema>) {
    unsafe ArrowSchema.fill(
      schema, format: format, name: name, children: children, hasNames: values == .names)
  }
}

extension ArrowSchema {
  /// Fills in the schema of a table's rows.
  static func export(_ fields: [TableField], to schema: UnsafeMutablePointer<ArrowSchema>) {
    unsafe fill(schema, format: "+s", name: "", children: fields, hasNames: false, flags: 0)
  }

  /// The memory is the C library's, so that the callback needs nothing but the structure.
  fileprivate static func fill(
    _ schema: UnsafeMutablePointer<ArrowSchema>, format: StaticString, name: String,
    children: [TableField], hasNames: Bool, flags: Int64 = Int64(ARROW_FLAG_NULLABLE)
  ) {
    unsafe schema.pointee = ArrowSchema()
    unsafe schema.pointee.format = CodeTexts.pointer(to: format)
    unsafe schema.pointee.name = UnsafePointer(strdup(name))
    unsafe schema.pointee.flags = flags
    if !children.isEmpty {
      let pointers = UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>.allocate(
        capacity: children.count)
      for (place, child) in children.enumerated() {
        let pointer = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
        unsafe child.export(to: pointer)
        unsafe pointers[place] = pointer
      }
      unsafe schema.pointee.n_children = Int64(children.count)
      unsafe schema.pointee.children = pointers
    }
    if hasNames {
      let names = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
      unsafe TableField("", .texts).export(to: names)
      unsafe schema.pointee.dictionary = names
    }
    unsafe schema.pointee.release = { schema in unsafe ArrowSchema.release(schema) }
  }

  /// Frees what a schema has, and its children and dictionary, unless they were moved away.
  fileprivate static func release(_ schema: UnsafeMutablePointer<ArrowSchema>?) {
    guard let schema = unsafe schema else { return }
    for place in 0..<Int(unsafe schema.pointee.n_children) {
      guard let child = unsafe schema.pointee.children[place] else { continue }
      unsafe child.pointee.release?(child)
      unsafe child.deallocate()
    }
    unsafe schema.pointee.children?.deallocate()
    if let names = unsafe schema.pointee.dictionary {
      unsafe names.pointee.release?(names)
      unsafe names.deallocate()
    }
    unsafe free(UnsafeMutableRawPointer(mutating: schema.pointee.name))
    unsafe schema.pointee.release = nil
  }
}
