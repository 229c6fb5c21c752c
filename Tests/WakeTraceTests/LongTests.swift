import Foundation

/// Tests that take long unless they are optimised: run then, or where the environment asks for more
/// than usual by `ROUSE_FUZZ`.
enum LongTests {
  static let areRun: Bool = {
    #if DEBUG
      ProcessInfo.processInfo.environment["ROUSE_FUZZ"] != nil
    #else
      true
    #endif
  }()
}
