import WakeEvents

/// Numbers the apps of a device in the order in which its events first concern them.
///
/// ``App/index`` goes by the order in which threads read names first, which differs from one run to the next.
struct FirstUses {
  /// By ``App/index``; -1 for an app that has not come.
  private var numbers: [Int] = []
  /// By number.
  private(set) var apps: [App] = []

  /// The number of an app that has come.
  func number(known app: App) -> Int? {
    guard Int(app.index) < numbers.count else { return nil }
    let number = numbers[Int(app.index)]
    return number < 0 ? nil : number
  }

  /// The number of an app, which is the greatest one if the app comes now.
  mutating func number(of app: App) -> Int {
    if let number = number(known: app) { return number }
    while numbers.count <= Int(app.index) { numbers.append(-1) }
    numbers[Int(app.index)] = apps.count
    apps.append(app)
    return apps.count - 1
  }
}
