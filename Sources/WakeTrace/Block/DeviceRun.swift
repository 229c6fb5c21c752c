public import WakeEvents

/// Consecutive rows of a batch that belong to one device.
public struct DeviceRun: Hashable, Sendable {
  /// The device.
  public var device: Device
  /// Its rows.
  public var rows: Range<Int>

  /// Makes a run.
  public init(device: Device, rows: Range<Int>) {
    self.device = device
    self.rows = rows
  }
}
