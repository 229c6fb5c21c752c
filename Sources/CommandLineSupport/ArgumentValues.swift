/// What an operand or the value of an option may be, for completions.
package struct ArgumentValues: Sendable {
  package var words: [String]
  package var isFile: Bool
  /// Whether it may be several of the words, separated by commas.
  var isList = false

  package static let file = ArgumentValues(words: [], isFile: true)

  package static func words(_ words: [String]) -> ArgumentValues {
    ArgumentValues(words: words, isFile: false)
  }

  package static func wordsOrFile(_ words: [String]) -> ArgumentValues {
    ArgumentValues(words: words, isFile: true)
  }
}

extension Specification.Option {
  /// The placeholders of values that are files.
  private static let files: Set = ["FILE", "FOLDER", "LIBRARY", "PATH", "POLICY", "TRACE"]

  /// What its value may be; nil if it takes none.
  var values: ArgumentValues? {
    value.map {
      ArgumentValues(words: words, isFile: Self.files.contains($0), isList: isList)
    }
  }

  /// Its names, the short one first.
  var names: [String] { (short.map { [$0] } ?? []) + [name] }
}

extension Specification {
  /// What the operand at each place may be, and whether it stands for all after it; without what cannot be completed.
  var completedOperands: [(place: Int, isRest: Bool, values: ArgumentValues)] {
    operandValues.enumerated().compactMap { place, values in
      guard operandCount.upperBound > place, values.isFile || !values.words.isEmpty else {
        return nil
      }
      let isRest = place == operandValues.count - 1 && operandCount.upperBound > place + 1
      return (place, isRest, values)
    }
  }
}
