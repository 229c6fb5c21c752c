package import WakeEvents

/// Buffers interleaved events of many devices and returns them grouped by device.
package struct DeviceBuffer {
  /// Places of devices in the order of their first appearance, by ``Device/index``.
  private var places: [Int] = []
  /// The devices so far, in the order of their first appearance.
  private(set) var devices: [Device] = []
  private var columns = InputColumns()
  private var rowPlaces: [UInt32] = []
  package private(set) var textBytes = 0

  package init() {}

  package var count: Int { columns.count }

  /// Bytes of memory that it takes, with those that ``TraceWriter`` keeps for as many rows, about. O(1).
  package var bytesHeld: Int {
    rowPlaces.capacity * Self.bytesPerRow + places.capacity * MemoryLayout<Int>.stride + textBytes
  }

  /// A row of columns here and in the writer; a save takes half of it.
  private static let bytesPerRow = 256

  /// The device's place among all devices so far, itself included.
  package mutating func place(of device: Device) -> Int {
    while places.count <= Int(device.index) { places.append(-1) }
    if places[Int(device.index)] < 0 {
      places[Int(device.index)] = devices.count
      devices.append(device)
    }
    return places[Int(device.index)]
  }

  package mutating func append(_ event: Event, place: Int) {
    columns.append(event.input, at: event.time)
    rowPlaces.append(UInt32(place))
    textBytes += TraceWriter.textBytes(event.input)
  }

  /// Takes all events out: by device and, if they are to be sorted, by time, stably.
  package mutating func take(sorted: Bool) -> (columns: InputColumns, runs: [DeviceRun]) {
    // Counting sort by device keeps the order of each device's events.
    var starts = [Int](repeating: 0, count: devices.count + 1)
    for place in rowPlaces { starts[Int(place) + 1] += 1 }
    for place in devices.indices { starts[place + 1] += starts[place] }
    var next = starts
    var order = [Int](repeating: 0, count: columns.count)
    for (row, place) in rowPlaces.enumerated() {
      order[next[Int(place)]] = row
      next[Int(place)] += 1
    }
    var runs: [DeviceRun] = []
    for place in devices.indices where starts[place] < starts[place + 1] {
      let rows = starts[place]..<starts[place + 1]
      if sorted {
        // `sort` is not promised to be stable, so ties are broken by the order of rows.
        order[rows].sort {
          let (first, second) = (columns.times[$0], columns.times[$1])
          return first != second ? first < second : $0 < $1
        }
      }
      runs.append(DeviceRun(device: devices[place], rows: rows))
    }
    let taken = columns.permuted(order)
    columns.removeAll()
    rowPlaces.removeAll(keepingCapacity: true)
    textBytes = 0
    return (taken, runs)
  }
}
