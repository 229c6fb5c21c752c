import Glibc
import WakeRecorder
import WakeTrace

/// Ring files. Only the parts that are not zero are in the input.
///
///     length (2)  header  length (2)  names  length (2)  state of the first ring  its slots, and what follows
enum RingFuzz {
  private static let folder: String = {
    let folder = "/dev/shm/rouse-fuzz-\(getpid())"
    _ = unsafe mkdir(folder, 0o700)
    atexit { RingFuzz.removeFolder() }
    return folder
  }()
  private static var path: String { "\(folder)/left.ring" }

  private static func removeFolder() {
    _ = unsafe unlink(path)
    _ = unsafe rmdir(folder)
  }

  static func recover(_ bytes: [UInt8]) -> Bool {
    write(bytes)
    guard let output = try? FileOutput(path: "/dev/null") else { fatalError("no /dev/null") }
    do throws(TraceError) {
      let left = try LeftRing(path)
      let report = try TraceRecovery(to: output, level: 0).add(left)
      return report.events > 0
    } catch let error {
      expect(!error.description.utf8.contains { $0 < 0x20 }, "\(error) has several lines")
      return false
    }
  }

  static func attach(_ bytes: [UInt8]) -> Bool {
    write(bytes)
    do throws(TraceError) {
      let attachment = try RingAttachment(to: folder, output: "/dev/null") { note in
        expect(!note.message.utf8.contains { $0 < 0x20 }, "\(note.message) has several lines")
      }
      try attachment.pass()
      try attachment.finish()
      return attachment.statistics.written > 0
    } catch let error {
      fatalError("\(error)")
    }
  }

  /// A ring file of 16 MiB and the rings, nearly all of it a hole.
  private static func write(_ bytes: [UInt8]) {
    var input = InputBytes(bytes)
    let (header, names, ring) = (input.part(), input.part(), input.part())
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    expect(descriptor >= 0, "\(path) cannot be made")
    defer { close(descriptor) }
    let rings = 4_096 + 16 << 20
    let parts = [
      (0, Array(header.prefix(4_096))), (4_096, names), (rings, Array(ring.prefix(4_096))),
      (rings + 4_096, Array(input.rest)),
    ]
    for (place, part) in parts {
      _ = unsafe part.withUnsafeBytes {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(place))
      }
    }
    // As long as its first ring, whose slots the header counts, if it says no more than there may be here.
    let slots = header.count >= 40 ? header.number(UInt64.self, at: 32) : 0
    let whole = rings + 4_096 + Int(min(slots, 1 << 12)) * 16
    if ring.count % 8 == 0 { _ = ftruncate(descriptor, off_t(whole)) }
  }
}
