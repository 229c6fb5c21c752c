import BenchmarkModel
import Glibc

/// The turns of two compared processes. A process passes its turn to the other one through a FIFO, without a third
/// process in between that could be delayed.
final class Turns {
  private let from: Int32
  private let to: Int32

  /// Opens the FIFOs from which the turn is received and to which it is passed.
  init(from: String, to: String) throws {
    // For reading and writing, so that opening does not wait for the other process.
    self.from = unsafe open(from, O_RDWR | O_CLOEXEC)
    self.to = unsafe open(to, O_RDWR | O_CLOEXEC)
    guard self.from >= 0, self.to >= 0 else {
      throw BenchmarkFailure("the FIFOs to the other process cannot be opened")
    }
  }

  deinit {
    close(from)
    close(to)
  }

  /// Takes a sample at each turn of this process, and returns the samples.
  ///
  /// A failure is thrown at the end, so that the other process does not wait for ever.
  func play(
    _ role: UInt8, in turns: [UInt8], _ sample: () throws -> BenchmarkResult.Sample
  ) throws -> [BenchmarkResult.Sample] {
    var samples: [BenchmarkResult.Sample] = []
    var failure: (any Error)?
    for (place, turn) in turns.enumerated() where turn == role {
      if place > 0, turns[place - 1] != role { try wait() }
      do {
        samples.append(try sample())
      } catch {
        failure = error
      }
      if place + 1 < turns.count, turns[place + 1] != role { try handOn() }
    }
    if let failure { throw failure }
    return samples
  }

  private func wait() throws {
    // The client may have ended: then its end of standard input is closed.
    var descriptors = [
      pollfd(fd: from, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDIN_FILENO, events: 0, revents: 0),
    ]
    while unsafe poll(&descriptors, 2, -1) < 0, errno == EINTR {}
    guard descriptors[0].revents & Int16(POLLIN) != 0 else {
      throw BenchmarkFailure("the client has ended")
    }
    var token: UInt8 = 0
    while unsafe read(from, &token, 1) != 1 {
      guard errno == EINTR else { throw BenchmarkFailure("the other process is lost") }
    }
  }

  private func handOn() throws {
    var token: UInt8 = 1
    guard unsafe write(to, &token, 1) == 1 else {
      throw BenchmarkFailure("the other process is lost")
    }
  }
}
