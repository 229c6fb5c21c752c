import Glibc

/// Switches a running `perf record --delay=-1 --control=fifo:CONTROL,ACKNOWLEDGEMENT` on and off through its
/// two FIFOs, so that it samples a measured region only.
public final class PerfControl: Sendable {
  private let control: Int32
  private let acknowledgement: Int32?
  private let names: String

  /// Milliseconds to wait for an acknowledgement.
  private static let timeout: Int32 = 10_000

  /// Opens the FIFOs of a running perf.
  ///
  /// - Parameter paths: As for perf: `CONTROL` or `CONTROL,ACKNOWLEDGEMENT`.
  /// - Throws: ``PerfControlError`` if they cannot be opened or are no FIFOs, or no process reads them.
  public init(paths: String) throws(PerfControlError) {
    names = paths
    let parts = paths.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(parts.count), !parts.contains("") else {
      throw PerfControlError(message: "'\(paths)' is not like CONTROL,ACKNOWLEDGEMENT")
    }
    // Without O_NONBLOCK, open would wait for ever if perf does not run.
    control = unsafe open(parts[0], O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard control >= 0 else {
      throw PerfControlError(
        message: errno == ENXIO
          ? "\(parts[0]): no perf listens (perf record --delay=-1 --control=fifo:\(paths) …)"
          : "\(parts[0]): \(Self.reason())")
    }
    guard Self.isFIFO(control) else {
      close(control)
      throw PerfControlError(message: "\(parts[0]): is not a FIFO")
    }
    guard parts.count == 2 else {
      acknowledgement = nil
      return
    }
    let answers = unsafe open(parts[1], O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard answers >= 0 else {
      let reason = Self.reason()
      close(control)
      throw PerfControlError(message: "\(parts[1]): \(reason)")
    }
    guard Self.isFIFO(answers) else {
      close(control)
      close(answers)
      throw PerfControlError(message: "\(parts[1]): is not a FIFO")
    }
    acknowledgement = answers
  }

  /// Anything else, such as a file, would be written over.
  private static func isFIFO(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  deinit {
    close(control)
    if let acknowledgement { close(acknowledgement) }
  }

  /// Starts or stops sampling.
  ///
  /// - Throws: ``PerfControlError`` if perf has exited or does not answer.
  public func sample(_ isOn: Bool) throws(PerfControlError) {
    let bytes = Array((isOn ? "enable\n" : "disable\n").utf8)
    guard unsafe write(control, bytes, bytes.count) == bytes.count else {
      throw PerfControlError(message: "\(names): perf takes no commands: \(Self.reason())")
    }
    guard let acknowledgement else { return }
    // The answer is "ack\n" and a NUL byte.
    var answer: [UInt8] = []
    while answer.last != 0 {
      var waiting = pollfd(fd: acknowledgement, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&waiting, 1, Self.timeout) == 1 else {
        throw PerfControlError(message: "\(names): perf does not answer")
      }
      var byte: UInt8 = 0
      guard unsafe read(acknowledgement, &byte, 1) == 1 else {
        throw PerfControlError(message: "\(names): perf has gone")
      }
      answer.append(byte)
    }
    guard answer.starts(with: "ack".utf8) else {
      throw PerfControlError(message: "\(names): perf answers something that is no 'ack'")
    }
  }

  private static func reason() -> String { unsafe String(cString: strerror(errno)) }
}

/// A failure to control perf.
public struct PerfControlError: Error, CustomStringConvertible {
  /// One line that begins with the FIFO's name.
  public let message: String

  /// The message.
  public var description: String { "perf control: \(message)" }
}
