import CommandLineSupport
import WakeEvents
import WakeImport
import WakeScheduling
import WakeSweeping

/// The parameters of a sweep: places of a policy, each with some values.
struct SweepParameters {
  /// By parameter, in the order given.
  private(set) var values: [(path: PolicyPath, values: [String])] = []

  /// The most rows of a sweep.
  private static let mostRows = 4_096

  /// Reads the options `-P`, `-D` and `-L`.
  init(_ arguments: Arguments, in policy: Policy) throws {
    var ranges: [(place: Int, from: String, to: String)] = []
    var steps: [Int: String] = [:]
    for (option, given) in arguments.given {
      switch option {
      case "--parameter-scan":
        ranges.append((values.count, given[1], given[2]))
        values.append((try Self.path(given[0], arguments, policy), []))
      case "--parameter-step-size":
        guard let range = ranges.last, steps[range.place] == nil else {
          throw arguments.usage("-D belongs to the -P before it, and each -P has one at the most")
        }
        steps[range.place] = given[0]
      case "--parameter-list":
        let list = given[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !list.contains("") else {
          throw arguments.usage("-L \(given[0]): '\(given[1])' has an empty value")
        }
        values.append((try Self.path(given[0], arguments, policy), list))
      default:
        break
      }
    }
    guard !values.isEmpty else {
      throw arguments.usage("nothing to sweep over: give -P KEY FROM TO or -L KEY a,b,c")
    }
    for (place, from, to) in ranges {
      guard let range = Self.range(from, to, step: steps[place] ?? "1") else {
        throw arguments.usage(
          "-P \(values[place].path.text): '\(from)' to '\(to)' in steps of "
            + "'\(steps[place] ?? "1")' is no range of up to \(Self.mostRows) decimal numbers")
      }
      values[place].values = range
    }
    for (place, one) in values.enumerated() {
      if values[..<place].contains(where: { $0.path == one.path }) {
        throw arguments.usage("'\(one.path.text)' is given twice")
      }
      if let other = values[..<place].map(\.path).first(where: {
        $0.contains(one.path) || one.path.contains($0)
      }) {
        throw arguments.usage(
          "'\(other.text)' and '\(one.path.text)' set the same; leave one of them out")
      }
      if Set(one.values).count < one.values.count {
        throw arguments.usage("'\(one.path.text)' has a value twice")
      }
    }
    var rows = 1
    for one in values {
      rows *= one.values.count
      guard rows <= Self.mostRows else {
        throw arguments.usage("there are more than \(Self.mostRows) rows; use fewer values")
      }
    }
  }

  private static func path(
    _ text: String, _ arguments: Arguments, _ policy: Policy
  ) throws(UsageError) -> PolicyPath {
    do throws(UnknownPolicyPath) {
      return try PolicyPath(text, in: policy)
    } catch {
      let near = NearestNames.of(text, among: error.all)
      // A key without its object: `limit` for `budget.limit`.
      let parts = error.all.filter { $0.hasSuffix("." + text) }
      let told = (parts + near.filter { !parts.contains($0) }).prefix(3).map { "'\($0.shown)'" }
      let hint =
        if policy.subscriptions.isEmpty, text.hasPrefix("apps.") {
          "it has no subscriptions, and those that inputs enable are not the policy's"
        } else if told.isEmpty {
          "'rouse policy keys' lists the keys, and a subscription's is "
            + "apps.NAME.subscriptions.TYPE.frequency"
        } else {
          "the nearest: " + told.joined(separator: ", ")
        }
      throw arguments.usage("the policy has no key '\(text.shown)' with a single value; \(hint)")
    }
  }

  /// The values from one decimal number up to another one; nil if that is no range.
  static func range(_ from: String, _ to: String, step: String) -> [String]? {
    let texts = [from, to, step]
    let decimals = texts.map { $0.split(separator: ".").dropFirst().first?.count ?? 0 }.max() ?? 0
    let numbers = texts.compactMap { scaled($0, decimals: decimals) }
    guard numbers.count == 3, numbers[2] > 0, numbers[0] <= numbers[1],
      (numbers[1] - numbers[0]) / numbers[2] < mostRows
    else { return nil }
    return stride(from: numbers[0], through: numbers[1], by: numbers[2]).map { number in
      var digits = String(number.magnitude)
      while digits.count <= decimals { digits = "0" + digits }
      var text = String(digits.dropLast(decimals))
      var fraction = digits.suffix(decimals)
      while fraction.last == "0" { fraction.removeLast() }
      if !fraction.isEmpty { text += "." + fraction }
      return number < 0 ? "-" + text : text
    }
  }

  /// A decimal number times a power of ten, if that is whole and not too large.
  private static func scaled(_ text: String, decimals: Int) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, decimals <= 9, let whole = parts.first, !whole.isEmpty,
      parts.dropFirst().allSatisfy({ $0.allSatisfy(\.isASCIIDigit) && !$0.isEmpty }),
      text.allSatisfy({ $0.isASCIIDigit || $0 == "." || $0 == "-" }), !text.hasPrefix("+")
    else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    let digits = whole + fraction + String(repeating: "0", count: decimals - fraction.count)
    guard let number = Int(digits), number.magnitude < 1_000_000_000_000_000_000 else { return nil }
    return number
  }

  /// All combinations, the last parameter fastest.
  func policies(over policy: Policy, _ arguments: Arguments) throws(UsageError) -> [SweptPolicy] {
    var combinations: [[String]] = [[]]
    for one in values {
      combinations = combinations.flatMap { row in one.values.map { row + [$0] } }
    }
    var policies: [SweptPolicy] = []
    for combination in combinations {
      let set = zip(values, combination).map { (path: $0.path, value: $1) }
      do throws(PolicyPathError) {
        policies.append(
          SweptPolicy(values: combination, policy: try PolicyPath.setting(set, in: policy)))
      } catch {
        throw arguments.usage("\(error)")
      }
    }
    return policies
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
