import Testing
import WakeEvents
import WakeTestSupport

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

  @Test("deletes are counted among saves and deletes alone, up to the columns' end")
  func deletes() {
    let (save, delete) = (InputKind.save.rawValue, InputKind.delete.rawValue)
    var random = SplitMix64(seed: 1)
    for end in [1, 8, 15, 16, 17, 33, 64] {
      for first in 0..<end {
        for last in first..<min(first + 20, end) {
          var columns = InputColumns()
          // What lies beside the rows would count, if it was looked at.
          columns.kinds = [UInt8](repeating: .max, count: end)
          for row in first...last { columns.kinds[row] = random.chance(50) ? save : delete }
          let expected = columns.kinds[first...last].count { $0 == delete }
          columns.withRowColumns { rows in
            let counted = SchedulerCore.countDeletes(in: rows, rows: first..<last + 1)
            #expect(counted == expected, "rows \(first) to \(last) of \(end)")
          }
        }
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
