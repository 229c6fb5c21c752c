import Testing

@testable import WakeHosting

@Suite("The wakes that a scheduler may begin")
struct WakeAllowanceTests {
  private static let second: Int64 = 1_000_000_000
  private static let year = 365 * 86_400 * second

  /// How many wakes of one app may begin, at most `limit`.
  private func count(
    types: Int = 3, from present: Int64, limit: Int = 100_000, at time: (Int64) -> Int64
  ) -> Int {
    var allowance = WakeAllowance()
    allowance.grant(forRows: 1, apps: 1, at: present)
    for number in 0..<limit
    where !allowance.take(1, apps: 1, at: time(Int64(number)), types: types) {
      return number
    }
    return limit
  }

  @Test("are few at one time, however long nothing was before")
  func atOnce() {
    #expect(count(from: 0) { _ in 0 } < 2_000)
    #expect(count(from: 0) { _ in Self.year } < 4_000)
    #expect(count(from: -4_000_000_000 * Self.second) { _ in 4_000_000_000 * Self.second } < 4_000)
    #expect(count(from: .min) { _ in 0 } < 2_000)
    #expect(count(from: 0) { $0 } < 2_000, "a nanosecond apart")
  }

  @Test("are without a limit where they are seconds apart")
  func throughTime() {
    #expect(count(from: 0) { $0 * Self.second } == 100_000)
    #expect(count(from: 0) { $0 / 100 * 100 * Self.second } == 100_000, "a hundred at a time")
  }

  @Test("are two for each type at a time")
  func types() {
    #expect(count(types: 20_000, from: 0) { _ in 0 } >= 40_000)
    #expect(count(types: 20_000, from: 0) { _ in 0 } < 100_000)
  }
}
