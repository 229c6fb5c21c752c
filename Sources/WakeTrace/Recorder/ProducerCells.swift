import Glibc
import Synchronization

/// All cells of this process, found by handle.
///
/// A handle is a cell's place and how often it was given out, so that no two are ever the same.
enum ProducerCells {
  /// Producers that a process may have at once.
  static let limit = 1 << 16
  private static let stride = 128

  /// Set once, before any handle is given out.
  nonisolated(unsafe) private static var base: UnsafeMutableRawPointer?

  private struct Pool {
    var used = 0
    var free: [Int] = []
    /// Files that a child closes, as their locks would outlive this process in it.
    var descriptors: Set<Int32> = []
    /// How many handles were given out.
    var generation: UInt64 = 0
  }

  /// Held for every use of `pool`, and by a fork, so that the child finds it free.
  private static let lock = Mutex<Void>(())
  nonisolated(unsafe) private static var pool = Pool()

  private static func withPool<Result>(_ body: (inout Pool) -> Result) -> Result {
    lock._unsafeLock()
    defer { lock._unsafeUnlock() }
    return unsafe body(&pool)
  }

  /// The cell of a handle; nil if it is closed or none.
  @inline(__always)
  static func cell(_ handle: UInt64) -> UnsafeMutablePointer<ProducerCell>? {
    guard handle != 0, let base = unsafe base else { return nil }
    let cell = unsafe address(Int(handle & UInt64(limit - 1)), in: base)
    guard unsafe cell.pointee.handle.load(ordering: .relaxed) == handle else { return nil }
    return unsafe cell
  }

  @inline(__always)
  private static func address(
    _ place: Int, in base: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<ProducerCell> {
    unsafe (base + place &* stride).assumingMemoryBound(to: ProducerCell.self)
  }

  /// Gives a cell out; nil if there are no more.
  static func open(_ ring: Ring, of file: RingFile) -> UInt64? {
    withPool { pool in
      guard let base = unsafe prepared() else { return nil }
      let place: Int
      if let free = pool.free.popLast() {
        place = free
      } else {
        guard pool.used < limit else { return nil }
        place = pool.used
        pool.used += 1
      }
      let cell = unsafe address(place, in: base)
      unsafe cell.pointee.ring = ring.words
      unsafe cell.pointee.slots = ring.slots
      unsafe cell.pointee.file = file.words
      unsafe cell.pointee.head = ring.words.load(RingLayout.Ring.head)
      // The first event looks for room.
      unsafe cell.pointee.limit = 0
      unsafe cell.pointee.capacity = ring.capacity
      unsafe cell.pointee.number = ring.words.load(RingLayout.Ring.number)
      unsafe cell.pointee.lost = ring.words.load(RingLayout.Ring.lost)
      unsafe cell.pointee.device = UInt32(ring.words.load(RingLayout.Ring.device))
      unsafe cell.pointee.mode = file.mode
      unsafe cell.pointee.state.store(0, ordering: .relaxed)
      pool.generation += 1
      let handle = pool.generation << 16 | UInt64(place)
      unsafe cell.pointee.handle.store(handle, ordering: .releasing)
      return handle
    }
  }

  /// Takes a cell back, and leaves its ring to the next producer; by the thread that used it.
  static func close(_ handle: UInt64) {
    withPool { pool in
      guard let cell = unsafe cell(handle) else { return }
      let isOurs =
        unsafe cell.pointee.state.load(ordering: .relaxed) & ProducerCell.State.forked == 0
      if isOurs {
        let ring = unsafe cell.pointee.ring
        unsafe ring.store(cell.pointee.number, at: RingLayout.Ring.number)
        ring.release(RingState.left.rawValue, at: RingLayout.Ring.state)
      }
      unsafe cell.pointee.handle.store(0, ordering: .relaxed)
      pool.free.insert(Int(handle & UInt64(limit - 1)), at: 0)
    }
  }

  /// Sets a reason to stop in a cell.
  static func set(_ state: UInt32, _ handle: UInt64) {
    guard let cell = unsafe cell(handle) else { return }
    unsafe cell.pointee.state.bitwiseOr(state, ordering: .acquiringAndReleasing)
  }

  /// Makes a child that is forked off close a file.
  static func closeInChild(_ descriptor: Int32) {
    withPool { _ = $0.descriptors.insert(descriptor) }
  }

  /// Forgets a file that is about to be closed.
  static func forget(_ descriptor: Int32) {
    withPool { _ = $0.descriptors.remove(descriptor) }
  }

  /// Memory for all cells, which takes room only where it is used; nil if there is none.
  private static func prepared() -> UnsafeMutableRawPointer? {
    if let base = unsafe base { return unsafe base }
    let mapped = unsafe mmap(
      nil, limit * stride, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
      -1, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { return nil }
    // A child has its own copy of the cells: marked here, they stop it from writing to the rings,
    // which it shares with its parent.
    pthread_atfork(
      { ProducerCells.lock._unsafeLock() }, { ProducerCells.lock._unsafeUnlock() },
      {
        ProducerCells.lock._unsafeUnlock()
        ProducerCells.enterChild()
      })
    unsafe base = mapped
    return unsafe mapped
  }

  private static func enterChild() {
    withPool { pool in
      guard let base = unsafe base else { return }
      for place in 0..<pool.used {
        let cell = unsafe address(place, in: base)
        unsafe cell.pointee.state.bitwiseOr(ProducerCell.State.forked, ordering: .relaxed)
      }
      for descriptor in pool.descriptors { Glibc.close(descriptor) }
      pool.descriptors.removeAll()
    }
  }
}
