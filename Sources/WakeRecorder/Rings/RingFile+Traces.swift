import Glibc
import WakeTrace

// The traces that a ring file's events went to. The number in the header may be damaged, so only files that exist
// are listed.
extension RingFile {
  /// The number of the last rotated file, 0 if files are not rotated; nil if there is no trace.
  private var lastTraceNumber: Int? {
    let last = words.acquire(RingLayout.File.fileNumber)
    return tracePath == nil || last >= 1 << 24 ? nil : Int(last)
  }

  private func tracePath(_ number: Int) -> String {
    CaptureOutput.path(of: number, in: tracePath ?? "", prefix: name)
  }

  /// The file that was written last, whether or not it exists.
  var lastTracePath: String? { lastTraceNumber.map { tracePath($0) } }

  /// The files that were written and exist, and the last one in any case.
  ///
  /// - Complexity: O(files of the folder).
  var tracePaths: [String] {
    guard let last = lastTraceNumber else { return [] }
    let earlier = last > 1 ? existingTraceNumbers.filter { $0 < last }.sorted() : []
    return (earlier + [last]).map { tracePath($0) }
  }

  /// The first of the files that were written and do not exist.
  ///
  /// - Complexity: O(files of the folder).
  func missingTracePaths(atMost most: Int) -> [String] {
    guard let last = lastTraceNumber else { return [] }
    guard last > 0 else { return SystemCalls.sort(of: tracePath(0)) == nil ? [tracePath(0)] : [] }
    let existing = existingTraceNumbers
    return (1...last).lazy.filter { !existing.contains($0) }.prefix(most).map { tracePath($0) }
  }

  /// The numbers of the rotated files that exist.
  private var existingTraceNumbers: Set<Int> {
    let (start, end) = ("\(name)-", ".wtrace")
    var numbers: Set<Int> = []
    for file in SystemCalls.files(in: tracePath ?? "") ?? []
    where file.hasPrefix(start) && file.hasSuffix(end) {
      guard let number = Int(file.dropFirst(start.count).dropLast(end.count)), number > 0,
        number < 1 << 24, tracePath(number).hasSuffix("/\(file)")
      else { continue }
      numbers.insert(number)
    }
    return numbers
  }
}
