import Measurement
import WakeEvents

extension TwoColumns {
  /// A line for each app, those that were behind for longest first.
  mutating func describe(_ bounds: ReplayResult.Bounds) {
    // Equal ones stay in the order of their names.
    let apps = bounds.apps.sorted { $0.behind > $1.behind }
    for (number, app) in apps.prefix(ReplayResult.appsShown).enumerated() {
      let text =
        "\(app.app.shown): \(Quantity.duration(nanoseconds: app.behind)) with "
        + "\(Quantity.counted(app.wakes, "wake")); at least "
        + "\(Quantity.duration(nanoseconds: app.leastBehind)) with as many, at least "
        + "\(Quantity.counted(app.fewestWakes, "wake")) to be behind for no longer"
      if number == 0 { line("Behind", text) } else { more(text) }
    }
    if apps.count > ReplayResult.appsShown {
      more("and \(apps.count - ReplayResult.appsShown) more apps (--json has them all)")
    }
  }
}
