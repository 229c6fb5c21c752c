internal import CRouse
import Glibc

/// All cells of this process, found by handle.
///
/// A handle is a cell's place, in bytes, and how many were given out before, so that no two are ever
/// the same. The cells stand in memory whose place the linker knows, so that no call has to look it up; it
/// takes room only where it is used.
enum ProducerCells {
  /// Producers that a process may have at once.
  static let limit = Int(PRODUCER_CELLS)
  /// Bytes from one cell to the next, its shared words included.
  static let cellBytes = Int(PRODUCER_CELL_BYTES)
  /// Bytes that a cell takes.
  static var bytesUsed: Int { ProducerCell.Shared.bytes + MemoryLayout<ProducerCell>.size }
  /// The bits of a handle that tell the place.
  private static let placeMask = UInt64((limit - 1) * cellBytes)

  private struct Pool {
    /// Where places begin that were never given out; the one that the handle 0 leads to never is, and so
    /// knows no names.
    var used = cellBytes
    /// Places that producers gave back.
    var free: [Int] = []
    /// Places of producers that were left behind: a call may be under way in them. They are given out when
    /// there are no others, the oldest first; those before ``reused`` were.
    var abandoned: [Int] = []
    var reused = 0
    /// Files that a child closes, as their locks would outlive this process in it.
    var descriptors: Set<Int32> = []
    /// How many handles were given out.
    var generation: UInt64 = 0

    /// A place for a producer, if there are any; O(1), as forks wait for it.
    mutating func takePlace() -> Int? {
      if let place = free.popLast() { return place }
      if used < limit * cellBytes {
        defer { used += cellBytes }
        return used
      }
      guard reused < abandoned.count else { return nil }
      defer { reused += 1 }
      return abandoned[reused]
    }
  }

  /// A fork waits for it, so that the child finds it free.
  private static let pool = ThreadLock(Pool())

  /// The cell of a handle; nil if it is closed or none.
  static func cell(_ handle: UInt64) -> UnsafeMutablePointer<ProducerCell>? {
    handle == 0 || handle & ProducerCell.Shared.forked != 0
      ? nil : unsafe cellKnowingNames(handle)
  }

  /// The cell of a handle; nil if it is closed; for none, one that knows no names.
  @inline(__always)
  static func cellKnowingNames(_ handle: UInt64) -> UnsafeMutablePointer<ProducerCell>? {
    let cell = unsafe address(Int(handle & placeMask))
    guard unsafe _fastPath(words(of: cell).load(ProducerCell.Shared.handle) == handle) else {
      return nil
    }
    return unsafe cell
  }

  @inline(__always)
  private static func address(_ place: Int) -> UnsafeMutablePointer<ProducerCell> {
    unsafe (producer_cells() + place + ProducerCell.Shared.bytes)
      .assumingMemoryBound(to: ProducerCell.self)
  }

  /// What all threads may look at, which stands before the cell.
  @inline(__always)
  static func words(of cell: UnsafeMutablePointer<ProducerCell>) -> SharedWords {
    unsafe SharedWords(UnsafeMutableRawPointer(cell) - ProducerCell.Shared.bytes)
  }

  /// Why there is no cell for a handle.
  static func refusal(_ handle: UInt64) -> RecordStatus {
    let cell = unsafe address(Int(handle & placeMask))
    let found = unsafe words(of: cell).load(ProducerCell.Shared.handle)
    return found == handle | ProducerCell.Shared.forked ? .forked : .closed
  }

  /// Gives a cell out; nil if there are no more.
  static func open(_ ring: Ring, of file: RingFile) -> UInt64? {
    pool.withLock { pool in
      prepareForForks()
      precondition(bytesUsed <= cellBytes, "a cell would reach into the next one")
      guard let place = pool.takePlace() else { return nil }
      let cell = unsafe address(place)
      let words = unsafe words(of: cell)
      unsafe cell.initialize(to: ProducerCell(ring, of: file, shared: words))
      // The first event looks for room, as nothing is known of it.
      words.store(0, at: ProducerCell.Shared.limit)
      words.store(0, at: ProducerCell.Shared.state)
      pool.generation += 1
      let handle = pool.generation << 24 | UInt64(place)
      words.release(handle, at: ProducerCell.Shared.handle)
      return handle
    }
  }

  /// Takes a cell back, and leaves its ring to the next producer; by the thread that used it.
  static func close(_ handle: UInt64) {
    pool.withLock { pool in
      guard let cell = unsafe cell(handle) else { return }
      let words = unsafe words(of: cell)
      let ring = unsafe cell.pointee.ring
      let number = unsafe ring.load(RingLayout.Ring.head) &+ cell.pointee.offset
      ring.store(number, at: RingLayout.Ring.number)
      words.store(ProducerCell.Shared.none, at: ProducerCell.Shared.handle)
      pool.free.append(Int(handle & placeMask))
    }
  }

  /// Takes the cell of a producer that nobody closed back, whose recorder is closed; by any thread.
  static func abandon(_ handle: UInt64) {
    pool.withLock { pool in
      guard let cell = unsafe cell(handle) else { return }
      unsafe words(of: cell).store(ProducerCell.Shared.none, at: ProducerCell.Shared.handle)
      if pool.reused == limit {
        pool.abandoned.removeFirst(limit)
        pool.reused = 0
      }
      pool.abandoned.append(Int(handle & placeMask))
    }
  }

  /// Sets a reason to stop in a cell.
  static func set(_ state: UInt64, _ handle: UInt64) {
    // Else the cell might be another producer's before it is set.
    pool.withLock { _ in
      guard let cell = unsafe cell(handle) else { return }
      let words = unsafe words(of: cell)
      words.insert(state, at: ProducerCell.Shared.state)
      words.storeInOrder(0, at: ProducerCell.Shared.limit)
    }
  }

  /// Makes a child that is forked off close a file.
  static func closeInChild(_ descriptor: Int32) {
    pool.withLock { _ = $0.descriptors.insert(descriptor) }
  }

  /// Forgets a file that is about to be closed.
  static func forget(_ descriptor: Int32) {
    pool.withLock { _ = $0.descriptors.remove(descriptor) }
  }

  /// Makes children that are forked off leave the rings alone; done once.
  static func prepareForForks() { _ = forkHandlers }

  /// A child has its own copy of the cells: marked here, they stop it from writing to the rings, which it
  /// shares with its parent.
  private static let forkHandlers = pthread_atfork(
    { ProducerCells.pool.lock() }, { ProducerCells.pool.unlock() },
    {
      ProducerCells.pool.unlock()
      ProducerCells.enterChild()
    })

  private static func enterChild() {
    pool.withLock { pool in
      for place in stride(from: cellBytes, to: pool.used, by: cellBytes) {
        let cell = unsafe address(place)
        unsafe words(of: cell).insert(ProducerCell.Shared.forked, at: ProducerCell.Shared.handle)
        // Whatever handle is made up, it leads no further than that.
        unsafe (cell.pointee.typeCount, cell.pointee.sourceCount) = (0, 0)
      }
      for descriptor in pool.descriptors { Glibc.close(descriptor) }
      pool.descriptors.removeAll()
    }
  }
}
