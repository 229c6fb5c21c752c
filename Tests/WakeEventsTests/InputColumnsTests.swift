import Testing

@testable import WakeEvents

@Suite("Columns of inputs")
struct InputColumnsTests {
  /// A save, a delete and a launch.
  private static let inputs: [Input] = [
    .save(Sample(type: SampleType(index: 3), source: Source(index: 5))),
    .delete(type: SampleType(index: 4), source: Source(index: 6)),
    .launch(app: App(index: 7)),
  ]

  private static func columns() -> InputColumns {
    var columns = InputColumns()
    for (row, input) in inputs.enumerated() {
      columns.append(input, at: Timestamp(nanoseconds: Int64(row)))
    }
    return columns
  }

  private static func contents(_ columns: InputColumns) -> [Input] {
    (0..<columns.count).map { columns[$0] }
  }

  @Test("have their inputs in another order, and behind others")
  func sources() {
    let columns = Self.columns()
    #expect(Self.contents(columns.permuted([2, 0, 1])) == [2, 0, 1].map { Self.inputs[$0] })
    var joined = Self.columns()
    joined.append(contentsOf: columns, rows: 1..<3)
    #expect(Self.contents(joined) == Self.inputs + Self.inputs[1...])
  }

  @Test("that have no sources give the source 0")
  func noSources() {
    var columns = Self.columns()
    columns.sources = []
    let expected: [Input] = [
      .save(Sample(type: SampleType(index: 3), source: Source(index: 0))),
      .delete(type: SampleType(index: 4), source: Source(index: 0)), Self.inputs[2],
    ]
    #expect(Self.contents(columns) == expected)
    let permuted = columns.permuted([1, 2, 0])
    #expect(permuted.sources.isEmpty)
    #expect(Self.contents(permuted) == [1, 2, 0].map { expected[$0] })
    var joined = InputColumns()
    joined.append(contentsOf: columns, rows: 0..<3)
    joined.append(contentsOf: columns, rows: 2..<3)
    #expect(joined.sources.isEmpty)
    #expect(Self.contents(joined) == expected + [expected[2]])
    joined.resize(to: 2)
    #expect(joined.sources == [0, 0])
    joined.resize(to: 2, sources: false)
    #expect(joined.sources.isEmpty)
  }
}
