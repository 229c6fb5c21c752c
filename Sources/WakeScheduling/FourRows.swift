/// The types of four rows that follow each other, by their indices, and how closely they must be looked at.
///
/// By fours, as the rest of what is done for a row costs little more than to ask and to go round.
struct FourRows {
  let first: Int
  let second: Int
  let third: Int
  let fourth: Int
  let attention: Attention

  /// - Precondition: There are four types from `row` on, of which each has a tally. Nothing checks it, as
  ///   this runs for every event of a trace.
  @inline(__always)
  init(
    _ types: borrowing Span<UInt32>, row: Int,
    _ tallies: UnsafeMutableBufferPointer<Coalescer.Tally>
  ) {
    first = Int(unsafe types[unchecked: row])
    second = Int(unsafe types[unchecked: row &+ 1])
    third = Int(unsafe types[unchecked: row &+ 2])
    fourth = Int(unsafe types[unchecked: row &+ 3])
    unsafe attention = Attention(
      tallies[first].attention, tallies[second].attention, tallies[third].attention,
      tallies[fourth].attention)
  }
}
