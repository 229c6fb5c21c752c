import Measurement
import WakeReplay
import WakeScheduling

extension ReplayVerification.Outcome {
  /// The outcome for people.
  ///
  /// - Parameter accelerations: The accelerations of the first replay, in words.
  func text(with accelerations: String) -> String {
    switch self {
    case .equal(let result):
      return """
        equal: \(Quantity.count(result.summary.wakes)) wakes of \
        \(Quantity.count(result.summary.inputs)) inputs, digest \(result.digest), with \
        \(accelerations) and with none\n
        """
    case .wakesDiffer(let wake):
      let device = wake.device.isEmpty ? "" : " of device \(wake.device)"
      return """
        different: wake \(wake.number)\(device)
          with \(accelerations): \(wake.accelerated ?? "no such wake")
          with none: \(wake.plain ?? "no such wake")\n
        """
    case .countsDiffer(let counts):
      let lines = counts.map {
        "  \($0.key): \($0.accelerated) with \(accelerations), \($0.plain) with none\n"
      }
      return "different: the logged wakes are equal, but not these counts without a log\n"
        + lines.joined()
    }
  }
}
