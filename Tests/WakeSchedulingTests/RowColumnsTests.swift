import Testing
import WakeEvents

@testable import WakeScheduling

@Suite("Columns as a scheduler reads them")
struct RowColumnsTests {
  @Test("every kind is read as it was written")
  func kinds() {
    var columns = InputColumns()
    columns.kinds = InputKind.allCases.map(\.rawValue)
    columns.withRowColumns { rows in
      for (row, kind) in InputKind.allCases.enumerated() {
        #expect(rows.kind(at: row) == kind, "\(kind)")
      }
    }
  }

  @Test("an execute has its own predicate, also in a batch in another order")
  func predicates() {
    let app = App(index: 0)
    func input(_ number: UInt32, _ least: Double?) -> Input {
      let predicate = least.map { least in
        var predicate = Predicate()
        predicate.min = least
        return predicate
      }
      return .execute(
        app: app, query: Query(index: number), type: SampleType(index: 0), predicate: predicate)
    }
    let least: [Double?] = [1, nil, 2, 3]
    var columns = InputColumns()
    for (number, least) in least.enumerated() {
      columns.append(input(UInt32(number), least), at: Timestamp(nanoseconds: 0))
    }
    let order = [3, 1, 0, 2]
    for (columns, order) in [(columns, [0, 1, 2, 3]), (columns.permuted(order), order)] {
      columns.withRowColumns { rows in
        for (row, number) in order.enumerated() {
          let other = rows.other(at: Int(columns.types[row]))
          #expect(other.brief.query.index == number, "row \(row)")
          #expect(other.predicate?.min == least[number], "row \(row)")
        }
      }
    }
  }
}
