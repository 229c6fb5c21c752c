/// The content of a gzip file: of all of its members, as gzip(1) joins them.
final class GzipSource: ByteSource {
  private let file: PlainSource
  private let inflater: StreamInflater
  private var input = [UInt8](repeating: 0, count: 128 << 10)
  private var waiting = 0..<0
  private var isWithinMember = false
  private var hasBegun = false

  init(_ file: PlainSource) throws(TraceError) {
    self.file = file
    do throws(BlockError) {
      inflater = try StreamInflater(.gzip)
    } catch {
      throw TraceError(error.code, file.name, error.message)
    }
  }

  var position: Int64 { file.position - Int64(waiting.count) }

  func read(into span: inout MutableSpan<UInt8>) throws(TraceError) -> Int {
    while true {
      if waiting.isEmpty, try !refill() {
        guard !isWithinMember else {
          throw TraceError(.truncated, file.name, "is cut short: its gzip stream does not end")
        }
        return 0
      }
      if !isWithinMember {
        // Some writers fill up with zeros (gzip(1)).
        let first = input[waiting].firstIndex { $0 != 0 } ?? waiting.upperBound
        if hasBegun { waiting = first..<waiting.upperBound }
        if waiting.isEmpty { continue }
        isWithinMember = true
        hasBegun = true
      }
      do throws(BlockError) {
        let step = try inflater.inflate(input, in: waiting, into: &span)
        waiting = waiting.dropFirst(step.consumed)
        if step.hasEnded {
          isWithinMember = false
          inflater.reset()
        }
        if step.written > 0 { return step.written }
      } catch {
        throw TraceError(
          code: error.code, file: file.name, offset: position + Int64(inflater.consumed),
          message: "gzip: \(error.message), here or before")
      }
    }
  }

  private func refill() throws(TraceError) -> Bool {
    waiting = 0..<(try file.read(into: &input))
    return !waiting.isEmpty
  }
}
