import BenchmarkModel
import Testing

@Suite("Corrections and lines")
struct CorrectionTests {
  @Test("Holm's correction has its known values")
  func holm() {
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    let adjusted = Statistics.holm([0.01, 0.04, 0.03, 0.005])
    for (value, expected) in zip(adjusted, [0.03, 0.06, 0.06, 0.02]) {
      #expect(abs(value - expected) < 1e-15, "\(adjusted)")
    }
    #expect(Statistics.holm([0.6, 0.9]) == [1, 1])
    #expect(Statistics.holm([]) == [])
  }

  @Test("a line has its known slope and error")
  func line() throws {
    // R: summary(lm(c(1, 3, 2, 5) ~ c(1, 2, 3, 4)))
    let fit = try #require(LineFit([(1, 1), (2, 3), (3, 2), (4, 5)]))
    #expect(abs(fit.slope - 1.1) < 1e-12)
    #expect(abs(fit.intercept - 0) < 1e-12)
    #expect(abs(try #require(fit.slopeError) - 0.519_615_242_270_663) < 1e-12)
    let two = try #require(LineFit([(0, 1), (2, 5)]))
    #expect(two.slope == 2 && two.slopeError == nil)
    #expect(LineFit([(1, 1), (1, 2)]) == nil)
    #expect(LineFit([(1, 1)]) == nil)
  }
}
