/// A number for each run of a block. As long as each number is the one before plus a fixed step, they take no memory of their
/// own: a fleet has many runs, and the devices of a block mostly follow each other.
package struct RunNumbers: RandomAccessCollection, Sendable {
  /// The first number.
  @usableFromInline var start: Int32 = 0
  @usableFromInline let step: Int32
  /// How many runs there are.
  @usableFromInline package private(set) var count = 0
  /// All numbers; empty if the step gives them.
  @usableFromInline var listed: [Int32] = []

  /// The runs of the block, for which memory is reserved where the step does not give their numbers.
  private let room: Int32

  /// Makes an empty list of numbers that mostly rise by a step, for so many runs.
  init(step: Int32, room: Int) { (self.step, self.room) = (step, Int32(room)) }

  /// Makes a list of successive numbers.
  init(_ numbers: Range<Int>) {
    self.init(step: 1, room: numbers.count)
    start = Int32(numbers.lowerBound)
    count = numbers.count
  }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { count }

  @inlinable package subscript(run: Int) -> Int32 {
    precondition(run >= 0 && run < count, "run \(run) of \(count)")
    return listed.isEmpty ? stepped(run) : listed[run]
  }

  /// Of its own, as that of all collections is not inlined into other modules.
  package struct Iterator: IteratorProtocol {
    @usableFromInline let numbers: RunNumbers
    @usableFromInline var run = 0

    @inlinable init(_ numbers: RunNumbers) { self.numbers = numbers }

    @inlinable
    @inline(__always)
    package mutating func next() -> Int32? {
      guard run < numbers.count else { return nil }
      defer { run &+= 1 }
      return numbers[run]
    }
  }

  @inlinable package func makeIterator() -> Iterator { Iterator(self) }

  /// Adds the number of the next run.
  @inline(__always)
  mutating func append(_ number: Int32) {
    if count == 0 { start = number }
    if !listed.isEmpty || number != stepped(count) { list(number) }
    count += 1
  }

  /// - Complexity: O(numbers) the first time, then O(1) amortised.
  @inline(never)
  private mutating func list(_ number: Int32) {
    if listed.isEmpty {
      listed.reserveCapacity(Int(room))
      listed.append(contentsOf: self)
    }
    listed.append(number)
  }

  @inlinable func stepped(_ run: Int) -> Int32 { start &+ step &* Int32(truncatingIfNeeded: run) }
}
