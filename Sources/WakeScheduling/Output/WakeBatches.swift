// Wakes that are only counted are told many at a time: a call for each would cost as much as the wake.
extension SchedulerCore {
  /// Tells of a wake that begins, or keeps its figures until there are ``WakeHasher/figuresRoom`` or the call ends.
  @inline(__always)
  mutating func tellBegan(
    _ app: Int, _ contents: WakeContents, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    if tellsInBatches, apps[app].cohort == 1 {
      if hasher.note(figures(of: contents, app)) { hasher.tellBegan(listener) }
    } else {
      // After those that began before.
      hasher.tellBegan(listener)
      listener(.began, view(of: app))
    }
  }
}
