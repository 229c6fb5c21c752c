import Foundation
import RegionHooks
import Synchronization
import WakeTrace

/// Ends processes and removes files when the command is interrupted.
enum Interrupts {
  private struct Kept {
    var children: Set<Int32> = []
    var folders: Set<String> = []
  }

  private static let kept = Mutex(Kept())
  /// The pipe to which a handler writes the signal's number, as it may do little else.
  private static let told = Atomic<Int32>(-1)

  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Starts the thread that cleans up. Signals are handled and not blocked, as children would inherit a mask.
  static func install() {
    // The parent may have blocked them, which a thread inherits.
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    for number in signals { unsafe sigaddset(&blocked, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &blocked, nil)
    rouse_adopt_orphans()
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Many signals must not stop a thread in the handler.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    told.store(ends[1], ordering: .releasing)
    let reading = ends[0]
    Thread.detachNewThread { wait(reading) }
    for number in signals {
      var action = sigaction()
      // nohup ignores it.
      if number == SIGHUP, unsafe sigaction(number, nil, &action) == 0,
        unsafe action.__sigaction_handler.sa_handler != nil
      {
        continue
      }
      unsafe action.__sigaction_handler.sa_handler = { number in
        let reason = errno
        var byte = UInt8(truncatingIfNeeded: number)
        unsafe _ = write(Interrupts.told.load(ordering: .acquiring), &byte, 1)
        errno = reason
      }
      action.sa_flags = SA_RESTART
      unsafe sigaction(number, &action, nil)
    }
  }

  private static func wait(_ reading: Int32) {
    var number: UInt8 = 0
    while unsafe read(reading, &number, 1) != 1 {
      guard errno == EINTR else { return }
    }
    // Never unlocked: threads that start or end something wait until the process ends.
    kept.withLock { kept in
      Output.progress(nil)
      for child in kept.children { end(child) }
      Descendants.endAll()
      for folder in kept.folders { removeFolder(folder) }
      UnfinishedFiles.removeAll {
        // The shell sees which signal ended the command.
        signal(Int32(number), SIG_DFL)
        raise(Int32(number))
        // Process 1 of a container goes on: no signal without a handler ends it.
        _exit(128 + Int32(number))
      }
    }
  }

  /// Kills a process and, if it leads a group, the group: by SIGKILL, since it may wait for a turn that never comes and
  /// may have blocked other signals.
  static func end(_ child: Int32) {
    kill(child, SIGKILL)
    kill(-child, SIGKILL)
  }

  /// Registers a process that must not outlive this one.
  static func add(child: Int32) { kept.withLock { _ = $0.children.insert(child) } }

  static func remove(child: Int32) { kept.withLock { _ = $0.children.remove(child) } }

  /// Registers a folder that must not outlive this process.
  static func add(folder: String) { kept.withLock { _ = $0.folders.insert(folder) } }

  static func remove(folder: String) { kept.withLock { _ = $0.folders.remove(folder) } }

  private static func removeFolder(_ path: String) {
    // Another thread may still write to it.
    for _ in 0..<50 where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
