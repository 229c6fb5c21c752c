/// An input that is late, or that jumps far ahead in time: likely a mistake of what wrote it.
package struct TimeAnomaly: Sendable {
  /// The device's name.
  private let device: String
  /// The number of the line, or of the event in the traces.
  package let number: Int
  package let time: Int64
  /// The latest time before it on its device.
  package let previous: Int64

  package init(device: String, number: Int, time: Int64, previous: Int64) {
    (self.device, self.number, self.time, self.previous) = (device, number, time, previous)
  }

  /// A time further ahead than this is a jump: 365 days in nanoseconds.
  package static let jump: Int64 = 365 * 86_400_000_000_000
  /// Late inputs are reported if they are more than one input in so many.
  private static let lateShare = 1_000

  /// Describes the first jump and, if many inputs are late, the first of these.
  ///
  /// - Parameter place: Where an anomaly is; its notice begins with that.
  package static func notices(
    jump: TimeAnomaly?, late: TimeAnomaly?, lateInputs: Int, inputs: Int,
    place: (TimeAnomaly) -> String
  ) -> [String] {
    var notices: [String] = []
    if let jump {
      notices.append("\(place(jump)): time jumps ahead by more than a year: \(jump.times)")
    }
    if let late, lateInputs * lateShare > inputs {
      notices.append(
        "\(place(late)): \(lateInputs) of \(inputs) inputs are late; the first here: \(late.times)")
    }
    return notices
  }

  private var times: String {
    let device = device.isEmpty ? "" : " on device \(device.shown)"
    let (time, previous) = (Timestamp(nanoseconds: time), Timestamp(nanoseconds: previous))
    return "\(time.iso8601) after \(previous.iso8601)\(device)"
  }
}
