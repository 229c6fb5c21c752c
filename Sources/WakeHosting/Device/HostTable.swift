import CRouse
import Glibc
import WakeEvents

// The calls back into Rouse.
extension HostedDevice {
  /// The table that an instance gets; its `rouse` is still to be set.
  static func makeTable() -> UnsafeMutablePointer<rouse_host_t> {
    let table = UnsafeMutablePointer<rouse_host_t>.allocate(capacity: 1)
    unsafe table.initialize(to: rouse_host_t())
    unsafe table.pointee.size = MemoryLayout<rouse_host_t>.size
    unsafe table.pointee.name = { host, sort, number, length in
      unsafe HostedDevice.with(host, nil as UnsafePointer<CChar>?) { device in
        guard let text = unsafe device.shared.names.text(sort, number) else { return nil }
        unsafe length?.pointee = text.length
        return unsafe text.pointer
      }
    }
    unsafe table.pointee.name_count = { host, sort in
      unsafe HostedDevice.with(host, 0) { UInt32($0.shared.names.count(sort)) }
    }
    unsafe table.pointee.began = { host, wake in
      unsafe HostedDevice.with(host, 1) { device in
        guard let wake = unsafe wake,
          unsafe device.accepts(unsafe wake.pointee.size, rouse_wake_t.self)
        else { return 1 }
        return unsafe device.began(wake) ? 1 : 0
      }
    }
    unsafe table.pointee.ended = { host, apps, count, time, outcome in
      unsafe HostedDevice.with(host, ()) { unsafe $0.ended(apps, count, at: time, outcome) }
    }
    unsafe table.pointee.counted = { host, counts in
      unsafe HostedDevice.with(host, ()) { device in
        guard let counts = unsafe counts,
          device.accepts(unsafe counts.pointee.size, rouse_counts_t.self)
        else { return }
        device.noting { ledger throws(Misdeed) in try unsafe ledger.take(counts.pointee) }
      }
    }
    unsafe table.pointee.app_state = { host, state in
      unsafe HostedDevice.with(host, ()) { device in
        guard let state = unsafe state,
          device.accepts(unsafe state.pointee.size, rouse_app_state_t.self)
        else { return }
        device.noting { ledger throws(Misdeed) in try unsafe ledger.take(state.pointee) }
      }
    }
    unsafe table.pointee.fail = { host, message in
      unsafe HostedDevice.with(host, ()) { device in
        device.fail(unsafe message.map { unsafe HostedDevice.line(of: $0) } ?? "it cannot go on")
      }
    }
    return unsafe table
  }

  /// A message of the scheduler as one line that is not long.
  private static func line(of message: UnsafePointer<CChar>) -> String {
    let most = 500
    let length = unsafe strnlen(message, most + 1)
    let bytes = unsafe UnsafeRawBufferPointer(start: message, count: min(length, most))
    return unsafe String(decoding: bytes, as: UTF8.self).shown + (length > most ? "…" : "")
  }

  /// Whether a structure is as large as this version's; notes if it is not.
  private func accepts<Structure>(_ size: Int, _ type: Structure.Type) -> Bool {
    if size >= MemoryLayout<Structure>.size { return true }
    fail("a \(type) of \(size) bytes, where \(MemoryLayout<Structure>.size) are needed")
    return false
  }

  /// Calls `body` with the instance of a call back, if it comes in a call of the instance and from its thread.
  @inline(__always)
  private static func with<Result>(
    _ host: UnsafePointer<rouse_host_t>?, _ otherwise: Result, _ body: (HostedDevice) -> Result
  ) -> Result {
    guard let rouse = unsafe host?.pointee.rouse else { return otherwise }
    return unsafe Unmanaged<HostedDevice>.fromOpaque(rouse)._withUnsafeGuaranteedRef { device in
      guard let caller = device.caller, pthread_equal(caller, pthread_self()) != 0 else {
        device.failElsewhere()
        return otherwise
      }
      return body(device)
    }
  }
}
