import WakeEvents

// The fields of an observation in the column others.

extension BlockNames {
  mutating func append(
    _ observation: Observation, to writer: inout ByteWriter
  ) throws(BlockError) {
    guard observation.types.count <= TraceLimits.typesPerObservation else {
      throw BlockEncoder.tooLarge
    }
    writer.appendVarint(observation.types.count)
    for type in observation.types { writer.appendVarint(types.place(of: type)) }
    var has: ObservationFields = []
    if observation.push != nil { has.insert(.push) }
    if observation.refresh != nil { has.insert(.refresh) }
    if observation.outcome != nil { has.insert(.outcome) }
    if observation.end != nil { has.insert(.end) }
    writer.append(has.rawValue)
    if let push = observation.push { try writer.append(text: push) }
    if let refresh = observation.refresh { writer.append(refresh ? 1 : 0 as UInt8) }
    if let outcome = observation.outcome { writer.append(outcome.rawValue) }
    if let end = observation.end { try writer.append(time: end) }
  }
}

/// The parts of an observation that follow its types.
private struct ObservationFields: OptionSet {
  let rawValue: UInt8
  static let push = ObservationFields(rawValue: 1)
  static let refresh = ObservationFields(rawValue: 2)
  static let outcome = ObservationFields(rawValue: 4)
  static let end = ObservationFields(rawValue: 8)
  static let unknown = ObservationFields(rawValue: 0xF0)
}

extension DecodedNames {
  func readObservation(_ reader: inout ByteReader) throws(BlockError) -> Observation {
    let count = try reader.readCount(
      upTo: TraceLimits.typesPerObservation, of: "types of an observation")
    var observation = Observation(types: [])
    observation.types.reserveCapacity(min(count, reader.remaining))
    for _ in 0..<count {
      observation.types.append(try types.at(reader.readVarint(), "type"))
    }
    let has = ObservationFields(rawValue: try reader.readByte())
    guard has.isDisjoint(with: .unknown) else { throw ByteReader.unknownWord }
    if has.contains(.push) { observation.push = try reader.readText() }
    if has.contains(.refresh) { observation.refresh = try reader.readFlag() }
    if has.contains(.outcome) { observation.outcome = try reader.readWord() as Observation.Outcome }
    if has.contains(.end) { observation.end = try reader.readTime() }
    return observation
  }
}
