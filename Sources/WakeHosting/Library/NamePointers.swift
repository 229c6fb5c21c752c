import CRouse
import Synchronization
import WakeEvents

/// Names as C strings, each made when it is first asked for. Any thread may ask.
final class NamePointers: Sendable {
  @safe
  private struct Names: @unchecked Sendable {
    /// By sort, then by number.
    var texts: [[UnsafeMutablePointer<CChar>?]] = unsafe .init(repeating: [], count: 5)
    var lengths: [[Int]] = .init(repeating: [], count: 5)
  }

  private let symbols: Symbols
  private let names = Mutex(Names())

  init(_ symbols: Symbols) { self.symbols = symbols }

  deinit {
    names.withLock { names in unsafe names.texts.joined().forEach { unsafe $0?.deallocate() } }
  }

  /// How many numbers of a sort there are; 0 for an unknown sort.
  func count(_ sort: Int32) -> Int {
    switch Int(sort) {
    case ROUSE_TYPE: symbols.types.count
    case ROUSE_SOURCE: symbols.sources.count
    case ROUSE_APP: symbols.apps.count
    case ROUSE_QUERY: symbols.queries.count
    case ROUSE_DEVICE: symbols.devices.count
    default: 0
    }
  }

  /// The text of a number and its length; nil if there is no such number.
  func text(_ sort: Int32, _ number: UInt32) -> (pointer: UnsafePointer<CChar>, length: Int)? {
    guard Int(number) < count(sort) else { return nil }
    return unsafe names.withLock { names in
      let (sort, place) = (Int(sort), Int(number))
      if unsafe names.texts[sort].count <= place {
        let missing = unsafe place + 1 - names.texts[sort].count
        unsafe names.texts[sort] += unsafe Array(repeating: nil, count: missing)
        names.lengths[sort] += Array(repeating: 0, count: missing)
      }
      if unsafe names.texts[sort][place] == nil {
        let name = name(sort, number)
        unsafe names.texts[sort][place] = Self.copy(name)
        names.lengths[sort][place] = name.utf8.count
      }
      guard let text = unsafe names.texts[sort][place] else { return nil }
      return unsafe (UnsafePointer(text), names.lengths[sort][place])
    }
  }

  /// The bytes of a name, which may have zeros among them, and a zero behind them.
  static func copy(_ name: String) -> UnsafeMutablePointer<CChar> {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: name.utf8.count + 1)
    for (place, byte) in name.utf8.enumerated() { unsafe text[place] = CChar(bitPattern: byte) }
    unsafe text[name.utf8.count] = 0
    return unsafe text
  }

  private func name(_ sort: Int, _ number: UInt32) -> String {
    switch sort {
    case ROUSE_TYPE: symbols.types.name(of: SampleType(index: number))
    case ROUSE_SOURCE: symbols.sources.name(of: Source(index: number))
    case ROUSE_APP: symbols.apps.name(of: App(index: number))
    case ROUSE_QUERY: symbols.queries.name(of: Query(index: number))
    default: symbols.devices.name(of: Device(index: number))
    }
  }
}
