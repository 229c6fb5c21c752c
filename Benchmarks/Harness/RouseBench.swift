import Glibc
import Measurement

/// `rouse-bench`
@main
enum RouseBench {
  static let version = "0.1.0"
  static let tool = "rouse-bench \(version)"

  static func main() {
    exit(0)
  }
}
