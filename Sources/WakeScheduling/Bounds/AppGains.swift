package import WakeEvents

/// What wakes of an app on a device could gain, whatever the schedule (rules, 10.4).
package struct AppGains: Sendable {
  package let app: App
  /// Nanoseconds of all gaps: for how long the app is behind without a wake.
  package let gaps: Int64
  /// The gains, the greatest first. Each size has a cell as long as there are few of them (``GainCounter``).
  package let cells: [GainCell]

  /// Nanoseconds for which the app is behind at the least with so many wakes. Where the wakes end within a cell of several
  /// sizes, less may be told, by less than a thousandth of the cell's gains.
  ///
  /// - Complexity: O(cells).
  package func leastBehind(wakes: Int) -> Int64 {
    var (rest, left) = (gaps, wakes)
    for cell in cells {
      guard left > 0 else { break }
      guard cell.count > left else {
        rest -= cell.sum
        left -= cell.count
        continue
      }
      // At most what is left if the others were as small as can be.
      let others = Int64(cell.count - left).multipliedReportingOverflow(by: cell.values.lowerBound)
      let (most, overflows) = Int64(left).multipliedReportingOverflow(by: cell.values.upperBound)
      let bySum = others.overflow ? cell.sum : cell.sum - others.partialValue
      rest -= overflows ? bySum : min(most, bySum)
      left = 0
    }
    return max(rest, 0)
  }
}
