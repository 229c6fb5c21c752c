// Wakes that begin are told many at a time where they are only counted: a call for each would cost as much as the wake.
extension SchedulerCore {
  /// Tells of a wake that begins, or keeps its figures until there are ``WakeHasher/figuresRoom`` or a call ends that tells
  /// all.
  ///
  /// - Parameter isOneApp: Whether it is a wake of this app only, not of a cohort.
  @inline(__always)
  mutating func tellBegan(
    _ app: Int, _ contents: WakeContents, isOneApp: Bool, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    if tellsInBatches, isOneApp {
      if hasher.note(figures(of: contents, app)) { hasher.tellBegan(listener) }
    } else {
      // After those that began before.
      hasher.tellBegan(listener)
      listener(.began, view(of: app))
    }
  }

  /// ``AppState/figures`` of the wake of one app that begins and is counted already, from its contents. For speed: these are
  /// in registers, and those of the state were stored just before. A processor waits for such a load if it spans two stores.
  @inline(__always)
  private func figures(of contents: WakeContents, _ app: Int) -> WakeFigures {
    WakeFigures(
      count: 1, app: apps[app].symbol, number: counts.wakes, time: present,
      saves: contents.saves, waited: contents.types > 0 ? present &- contents.oldest : 0,
      cause: (contents.types > 0 ? WakeFigures.health : 0)
        | (contents.hasPush ? WakeFigures.push : 0)
        | (contents.hasRefresh ? WakeFigures.refresh : 0))
  }
}
