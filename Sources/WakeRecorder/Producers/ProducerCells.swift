import Glibc
import WakeTrace

/// Gives out the cells of one memory.
package final class ProducerCells: @unchecked Sendable {
  // Sendable: everything that changes is accessed under ``lock`` alone.

  let memory: ProducerMemory
  /// The offset of the first cell that was never given out. The cell at 0 never is: the handle 0 leads to it.
  private var unused = ProducerMemory.cellBytes
  private var free: [Int] = []
  /// Offsets of cells whose producers were not closed, the oldest first: a call may still use them. They are
  /// given out again when there are no others; those before ``reused`` were.
  private var abandoned: [Int] = []
  private var reused = 0

  private struct Shared {
    var all: [ProducerCells] = []
    /// Files that a forked child closes, as it would hold their locks after this process has ended.
    var descriptors: Set<Int32> = []
    var generation: UInt64 = 0
  }

  /// A fork takes it first, so that it is free in the child.
  private static let lock = ThreadLock(Shared())

  /// The cells of recorders that Swift code makes.
  static let own = Result<ProducerCells, TraceError> { () throws(TraceError) in
    ProducerCells(try MappedRegion.permanent(ProducerMemory.byteCount))
  }

  package init(_ memory: ProducerMemory) {
    self.memory = memory
    Self.prepareForForks()
    Self.lock.withLock { $0.all.append(self) }
  }

  /// A cell for the sleep of a recorder's thread, taken back when this ends. A call of a closed recorder may still end a
  /// sleep: a thread that sleeps there later then wakes once for nothing.
  final class SleepCell: Sendable {
    let sleep: WriterSleep
    private let cells: ProducerCells
    private let offset: Int

    /// Nil if all cells are in use.
    init?(of cells: ProducerCells) {
      let offset = ProducerCells.lock.withLock { _ in cells.takeOffset() }
      guard let offset else { return nil }
      (self.cells, self.offset) = (cells, offset)
      unsafe sleep = WriterSleep(words: ProducerMemory.words(of: cells.memory.cell(at: offset)))
    }

    deinit { ProducerCells.lock.withLock { _ in cells.free.append(offset) } }
  }

  func open(_ ring: Ring, of file: RingFile, sleep: WriterSleep) -> UInt64? {
    Self.lock.withLock { shared in
      guard let offset = takeOffset() else { return nil }
      let cell = unsafe memory.cell(at: offset)
      let words = unsafe ProducerMemory.words(of: cell)
      ring.takeBackReservation(mode: file.mode)
      unsafe cell.initialize(to: ProducerCell(ring, of: file, shared: words, sleep: sleep))
      // The first event then computes its limit.
      words.store(0, at: ProducerCell.Shared.limit)
      words.store(0, at: ProducerCell.Shared.state)
      shared.generation += 1
      let handle = shared.generation << 24 | UInt64(offset)
      words.release(handle, at: ProducerCell.Shared.handle)
      return handle
    }
  }

  // O(1), as a fork waits for it.
  private func takeOffset() -> Int? {
    if let offset = free.popLast() { return offset }
    if unused < ProducerMemory.byteCount {
      defer { unused += ProducerMemory.cellBytes }
      return unused
    }
    guard reused < abandoned.count else { return nil }
    defer { reused += 1 }
    return abandoned[reused]
  }

  /// Takes a cell back and leaves its ring to the next producer; the thread that used it calls this.
  func close(_ handle: UInt64) {
    unsafe takeBack(handle) { cell, offset in
      let ring = unsafe cell.pointee.ring
      let number = unsafe ring.load(RingLayout.Ring.head) &+ cell.pointee.offset
      ring.store(number, at: RingLayout.Ring.number)
      free.append(offset)
    }
  }

  /// Takes back the cell of a producer that was not closed before its recorder; any thread may call this.
  func abandon(_ handle: UInt64) {
    unsafe takeBack(handle) { _, offset in
      if reused == ProducerMemory.cellCount {
        abandoned.removeFirst(reused)
        reused = 0
      }
      abandoned.append(offset)
    }
  }

  private func takeBack(
    _ handle: UInt64, _ keep: (UnsafeMutablePointer<ProducerCell>, Int) -> Void
  ) {
    Self.lock.withLock { _ in
      guard let cell = unsafe memory.cell(handle) else { return }
      unsafe keep(cell, Int(handle & ProducerMemory.offsetMask))
      unsafe ProducerMemory.words(of: cell).store(
        ProducerCell.Shared.none, at: ProducerCell.Shared.handle)
    }
  }

  /// Sets a flag of ``ProducerCell/State``, for the producer's next call.
  func set(_ state: UInt64, _ handle: UInt64) {
    // Under the lock, as the cell could become another producer's in between.
    Self.lock.withLock { _ in
      guard let cell = unsafe memory.cell(handle) else { return }
      let words = unsafe ProducerMemory.words(of: cell)
      words.insert(state, at: ProducerCell.Shared.state)
      words.storeInOrder(0, at: ProducerCell.Shared.limit)
    }
  }
}

// A forked child has its own copy of the cells, but shares the rings with its parent. The handler in the child
// marks all handles, so that the child does not write to the rings.
extension ProducerCells {
  /// Lets a forked child close a file.
  static func closeInChild(_ descriptor: Int32) {
    lock.withLock { _ = $0.descriptors.insert(descriptor) }
  }

  /// Forgets a file that is about to be closed.
  static func forget(_ descriptor: Int32) {
    lock.withLock { _ = $0.descriptors.remove(descriptor) }
  }

  /// Registers the handlers; done once.
  static func prepareForForks() { _ = forkHandlers }

  private static let forkHandlers = pthread_atfork(
    { ProducerCells.lock.lock() }, { ProducerCells.lock.unlock() },
    {
      ProducerCells.lock.unlock()
      ProducerCells.enterChild()
    })

  private static func enterChild() {
    lock.withLock { shared in
      for cells in shared.all { cells.markForked() }
      for descriptor in shared.descriptors { Glibc.close(descriptor) }
      shared.descriptors.removeAll()
    }
  }

  private func markForked() {
    for offset in stride(
      from: ProducerMemory.cellBytes, to: unused, by: ProducerMemory.cellBytes)
    {
      let cell = unsafe memory.cell(at: offset)
      unsafe ProducerMemory.words(of: cell).insert(
        ProducerCell.Shared.forked, at: ProducerCell.Shared.handle)
      // A made-up handle that has the mark fails here.
      unsafe (cell.pointee.typeCount, cell.pointee.sourceCount) = (0, 0)
    }
  }
}
