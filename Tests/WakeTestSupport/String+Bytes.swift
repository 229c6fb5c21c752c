extension String {
  /// Whether another text has the same bytes; `==` is true of canonically equivalent ones too.
  ///
  /// Here, as this module is optimised: in the tests' own the comparison of some megabytes takes seconds.
  public func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
