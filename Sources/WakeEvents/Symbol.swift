/// An interned name: its index in a ``SymbolTable``.
///
/// `Namespace` is a phantom type: an app cannot be passed for a sample type.
@frozen
public struct Symbol<Namespace>: Hashable, Sendable {
  /// The place of the name in its table, from 0.
  public let index: UInt32

  /// Makes the symbol of the name at a place of a table.
  @inlinable
  public init(index: UInt32) {
    self.index = index
  }
}

/// The sorts of names; each has a table of its own in ``Symbols``.
public enum NameOf {
  /// Sample types: `HKQuantityTypeIdentifierStepCount`.
  public enum SampleType {}
  /// Sources: the name of the app or device that saved a sample.
  public enum Source {}
  /// Apps, by bundle identifier.
  public enum App {}
  /// Observer queries, by the id that their app gave them.
  public enum Query {}
  /// Devices; the empty name is the device of inputs that name none.
  public enum Device {}
}

/// What was saved, by identifier.
public typealias SampleType = Symbol<NameOf.SampleType>
/// The app or device that saved a sample.
public typealias Source = Symbol<NameOf.Source>
/// An app that may be woken, by bundle identifier.
public typealias App = Symbol<NameOf.App>
/// An observer query's id within its app.
public typealias Query = Symbol<NameOf.Query>
/// The device an input belongs to.
public typealias Device = Symbol<NameOf.Device>
