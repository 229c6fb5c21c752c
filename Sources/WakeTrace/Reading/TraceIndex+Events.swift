extension TraceIndex {
  /// The file and offset of an event's block, by the event's number in all traces.
  ///
  /// - Complexity: O(log blocks).
  package func place(ofEvent event: Int) -> (file: String, offset: Int64)? {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].firstEvent <= event { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    return (files[blocks[low - 1].file].name, blocks[low - 1].entry.offset)
  }
}
