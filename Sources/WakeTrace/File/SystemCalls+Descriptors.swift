import CSystem
import Glibc

// Descriptors that no program inherits which this one starts.
extension SystemCalls {
  /// Moves a new descriptor above those of standard input, output and error. If one of these is closed, a file would
  /// take its number and receive what the program prints.
  package static func behindStandard(_ descriptor: Int32) -> Int32 {
    guard (0...STDERR_FILENO).contains(descriptor) else { return descriptor }
    let moved = duplicate(descriptor)
    let reason = errno
    close(descriptor)
    errno = reason
    return moved
  }

  /// Another descriptor of the same file, which no program inherits.
  package static func duplicate(_ descriptor: Int32) -> Int32 {
    system_move_descriptor(descriptor, STDERR_FILENO + 1)
  }

  /// Makes a pipe whose ends no program inherits; nil with `errno` set if the system refuses it.
  package static func pipe() -> (reader: Int32, writer: Int32)? {
    var ends: [Int32] = [-1, -1]
    return unsafe system_open_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
  }

  /// Accepts a client of a socket: a descriptor that does not wait and that no program inherits, or -1 with `errno` set.
  package static func accept(on socket: Int32) -> Int32 { system_accept(socket) }
}
